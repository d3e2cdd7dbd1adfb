import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { validate } from 'dockerfile-utils';
import { Deployment } from 'kubernetes-models/apps/v1';
import { Ingress, NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { ConfigMap, Service } from 'kubernetes-models/v1';
import { extensionNames } from '@vestibule/contract/document';
import { parse, parseAllDocuments, stringify } from 'yaml';
import { initialize } from '../../src/cli/init.ts';
import { readDeployment } from '../../src/deployment.ts';

const repository = path.resolve(__dirname, '../../../..');
const read = (name: string): string => readFileSync(path.join(repository, name), 'utf8');
const deployed = (name: string): string => read(`packages/service/deploy/${name}`);

/** The file of a deployment, which may name extensions that this release is made without. */
function withKnownExtensions(text: string): string {
  const file = parse(text) as { readonly page: { extensions: readonly string[] } };
  const known = extensionNames();
  file.page.extensions = file.page.extensions.filter((name) => known.includes(name));
  return stringify(file);
}

interface ComposeService {
  readonly image?: string;
  readonly build?: { readonly dockerfile_inline?: string };
  readonly environment?: Readonly<Record<string, string>>;
  readonly networks: Readonly<Record<string, { readonly ipv4_address?: string }>>;
}

const compose = parse(deployed('compose.yaml'), { merge: true }) as {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly networks: Readonly<Record<string, unknown>>;
};
const proxyImage = compose.services['proxy']?.build?.dockerfile_inline ?? '';

describe('images', () => {
  test.each([
    ['of the product', deployed('Dockerfile')],
    ['of the proxy', proxyImage],
  ])('the file %s has no fault that its linter knows', (_name, file) => {
    expect(validate(file)).toEqual([]);
  });

  test('the linter reports a fault', () => {
    expect(validate('FROM debian\nCOPYY . .\n')).not.toEqual([]);
  });

  test('each image is of one content, with the supported Node.js', () => {
    const all = [deployed('Dockerfile'), deployed('compose.yaml')].join('\n');
    const images = Array.from(all.matchAll(/^\s*(?:FROM|image:) (\S*[:@]\S+)/gm), ([, image]) => image);
    expect(images).toHaveLength(4);
    for (const image of images)
      expect(image).toMatch(/^(?:node:24|debian|postgres:15)[\w:-]*@sha256:[0-9a-f]{64}$/);
  });

  test('what is kept secret gets neither into the repository nor into an image', () => {
    for (const [name, suffix] of [
      ['.gitignore', '/'],
      ['.dockerignore', ''],
    ] as const)
      expect(read(name).split('\n')).toEqual(expect.arrayContaining([`out${suffix}`, `secrets${suffix}`]));
  });
});

describe('compose.yaml', () => {
  test('no container may write to its files or gain rights, nginx cannot reach the database, and IPv6 clients keep their address', () => {
    for (const service of Object.values(compose.services))
      expect(service).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      });
    expect(Object.keys(compose.services['proxy']?.networks ?? {})).toEqual(['front', 'inside']);
    expect(compose.services['database']?.networks).toEqual(['data']);
    expect(compose.networks).toMatchObject({ front: { enable_ipv6: true }, data: { internal: true } });
  });

  test('nginx has the configuration of the guide, and the addresses of the processes, which trust its own', () => {
    const address = (name: string) => compose.services[name]?.networks['inside']?.ipv4_address ?? '';
    const [, guide = ''] = /^```nginx\n(.*?)^```$/ms.exec(read('docs/operations.md')) ?? [];
    const own = guide
      .replace('10.0.0.2:4001', `${address('process-1')}:4001`)
      .replace('10.0.0.3:4001', `${address('process-2')}:4001`)
      .replace(/ {2}server_name .*\n/, '')
      .replace(/ {2}(listen) (443 ssl.*);\n/, '  $1 $2 default_server;\n  $1 [::]:$2 default_server;\n');
    expect(own).toContain('proxy_pass');
    expect(deployed('nginx.conf')).toContain(own);
    for (const name of ['process-1', 'process-2'])
      expect(compose.services[name]?.environment).toMatchObject({ TRUSTED_PROXIES: address('proxy') });
  });

  test('`vestibule init` writes what it mounts, with the address of its database', async () => {
    const out = mkdtempSync(path.join(tmpdir(), 'vestibule-init-'));
    jest.spyOn(console, 'log').mockImplementation(() => undefined);
    await initialize('login.example.com', 'api.example.com', { out, container: true });
    const mounted = Array.from(
      deployed('compose.yaml').matchAll(/\/secrets\/([\w.-]+)/g),
      ([, name]) => name,
    );
    expect([...readdirSync(out), 'tls']).toEqual([...new Set(mounted)].sort());
    const [address, password] = ['database-url', 'database-password'].map((name) =>
      readFileSync(path.join(out, name), 'utf8'),
    );
    expect(address).toBe(`postgres://vestibule:${password ?? ''}@database/vestibule?sslmode=disable\n`);
    rmSync(out, { recursive: true });
  });
});

describe('kubernetes.yaml', () => {
  const kinds = { ConfigMap, Deployment, PodDisruptionBudget, Service, NetworkPolicy, Ingress };
  const documents = (text = deployed('kubernetes.yaml')) =>
    parseAllDocuments(text).map((one) => one.toJS() as Record<string, unknown>);

  test('has these objects', () => {
    expect(documents().map(({ kind }) => kind)).toEqual(Object.keys(kinds));
  });

  test.each(documents().map((one) => [String(one['kind']), one]))(
    '%s follows the schema',
    (_kind, document) => {
      expect(faultsOf(document)).toEqual([]);
    },
  );

  test.each([
    ['replicas: 2', 'replicas: two', '/spec/replicas must be integer'],
    ['maxUnavailable: 0', 'maxUnavailable: {}', '/spec/strategy/rollingUpdate/maxUnavailable must be string'],
    ['readinessProbe:', 'readyProbe:', '/spec/template/spec/containers/0/readyProbe is not known'],
    ['readOnlyRootFilesystem', 'readOnlyRootFileSystem', 'readOnlyRootFileSystem is not known'],
    ['pathType: Prefix,', '', 'pathType'],
  ])('reports %s as %s', (right, wrong, report) => {
    const text = deployed('kubernetes.yaml');
    expect(text).toContain(right);
    const faults = documents(text.replace(right, wrong)).flatMap(faultsOf);
    expect(faults.join('\n')).toContain(report);
  });

  test('its deployment is valid, and its parts name each other', () => {
    const [configMap, deployment, budget, service, policy, ingress] = documents() as unknown as [
      ConfigMap,
      Deployment,
      PodDisruptionBudget,
      Service,
      NetworkPolicy,
      Ingress,
    ];
    const { page } = readDeployment(withKnownExtensions(configMap.data?.['deployment.yaml'] ?? ''));
    const hosts = [page.signOnUrl, page.serviceUrl].map((address) => new URL(address).host);
    expect(ingress.spec?.rules?.map(({ host }) => host)).toEqual(hosts);
    expect(ingress.spec?.tls?.[0]?.hosts).toEqual(hosts);

    const [port] = service.spec?.ports ?? [];
    for (const rule of ingress.spec?.rules ?? [])
      expect(rule.http?.paths[0]?.backend.service).toEqual({
        name: service.metadata?.name,
        port: { name: port?.name },
      });

    const { labels } = deployment.spec?.template.metadata ?? {};
    const selectors = [
      deployment.spec?.selector.matchLabels,
      budget.spec?.selector?.matchLabels,
      policy.spec?.podSelector.matchLabels,
      service.spec?.selector,
    ];
    for (const selector of selectors) expect(selector).toEqual(labels);
    const [container] = deployment.spec?.template.spec?.containers ?? [];
    const probes = [container?.startupProbe, container?.livenessProbe, container?.readinessProbe];
    for (const probe of probes) expect(probe?.httpGet?.port).toBe(port?.targetPort);
    expect(container?.ports?.map(({ name }) => name)).toContain(port?.targetPort);
  });

  /** What the schema forbids or does not know. The API ignores a property that it does not know. */
  function faultsOf(document: Record<string, unknown>): readonly string[] {
    const kind = kinds[document['kind'] as keyof typeof kinds];
    const seen = new Set<string>();
    try {
      kind.prototype.validate.call(watched(document, '', seen));
    } catch (error) {
      return [error instanceof Error ? error.message : 'unknown'];
    }
    return pathsOf(document, '')
      .filter((one) => !seen.has(one))
      .map((one) => `${one} is not known`);
  }
});

/** Records the paths that are read. */
function watched<Value>(value: Value, at: string, seen: Set<string>): Value {
  if (typeof value !== 'object' || value === null) return value;
  return new Proxy(value, {
    get: (object, key) => {
      seen.add(`${at}/${String(key)}`);
      return watched<unknown>(Reflect.get(object, key), `${at}/${String(key)}`, seen);
    },
  });
}

function pathsOf(value: unknown, at: string): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) => [`${at}/${key}`, ...pathsOf(one, `${at}/${key}`)]);
}
