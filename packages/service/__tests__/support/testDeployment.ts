import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { ClientRequest } from 'node:http';
import https from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { freePorts } from '@vestibule/contract/testing/freePorts';

const contractParts = path.resolve(__dirname, '../../../contract/openapi');

/** A deployment on this machine, in a folder of its own. */
export interface TestDeployment {
  readonly folder: string;
  readonly httpPort: number;
  readonly httpsPort: number;
  /** The file of the deployment, YAML. */
  readonly deployment: string;
  readonly remove: () => void;
}

/** An answer as it came over the wire. */
export interface WireResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
}

/**
 * Makes the folder of a deployment that speaks https by itself, with a certificate for `*.example.test`.
 *
 * @param parentOrigins whose frames may show the page
 * @param extensions besides `revoke` and `passkeys`
 */
export async function createTestDeployment(
  parentOrigins: readonly string[] = ['https://hub.apps.example.test'],
  extensions: readonly string[] = [],
): Promise<TestDeployment> {
  const folder = mkdtempSync(path.join(tmpdir(), 'vestibule-deployment-'));
  const [httpPort = 0, httpsPort = 0] = await freePorts(2);
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '90'],
      ...['-keyout', path.join(folder, 'key.pem'), '-out', path.join(folder, 'cert.pem')],
      ...['-subj', '/CN=example.test', '-addext', 'subjectAltName=DNS:*.example.test'],
    ],
    { stdio: 'ignore' },
  );
  return {
    folder,
    httpPort,
    httpsPort,
    deployment: deploymentFile({ folder, httpPort, httpsPort, parentOrigins, extensions }),
    remove: () => {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A build with one asset: what is served does not depend on what it says. */
export function writeSmallBuild(folder: string): void {
  mkdirSync(path.join(folder, 'assets'), { recursive: true });
  const page =
    '<!doctype html><script type="application/json" id="app-config">{}</script><style>p{}</style><script>1</script>';
  const files = {
    'index.html': page,
    'robots.txt': 'User-agent: *\n',
    'languages.json': '{"script":"","path":"","texts":{}}',
    'assets/app.0123abcd.js': 'console.log(1);',
  };
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(path.join(folder, name), text);
    writeFileSync(path.join(folder, `${name}.br`), brotliCompressSync(text));
    writeFileSync(path.join(folder, `${name}.gz`), gzipSync(text));
  }
  writeFileSync(path.join(folder, 'assets/app.0123abcd.js.map'), '{}');
  writeFileSync(path.join(folder, '.hidden'), 'hidden');
}

/** Calls a host of the deployment over https. */
export function ask(
  { httpsPort }: Pick<TestDeployment, 'httpsPort'>,
  host: string,
  target: string,
  options: {
    readonly method?: string;
    readonly headers?: Readonly<Record<string, string | readonly string[]>>;
    readonly body?: string;
  } = {},
): Promise<WireResponse> {
  const { method = 'GET', headers = {}, body } = options;
  const request = https.request({
    host: '127.0.0.1',
    port: httpsPort,
    path: target,
    method,
    servername: host,
    headers: { host: `${host}:${httpsPort}`, ...headers },
    rejectUnauthorized: false,
    agent: false,
  });
  return responseTo(request, body).then((response) => ({
    ...response,
    body: response.body.toString('latin1'),
  }));
}

/** Ends a request. @returns the response, with its body as bytes. */
export function responseTo(
  request: ClientRequest,
  body?: string,
): Promise<Omit<WireResponse, 'body'> & { readonly body: Buffer }> {
  return new Promise((resolve, reject) => {
    request.once('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const { statusCode = 0, headers } = response;
        resolve({ status: statusCode, headers, body: Buffer.concat(chunks) });
      });
    });
    request.once('error', reject);
    request.end(body);
  });
}

/** Until something listens on a port of this machine. @throws after a minute. */
export async function untilOpen(port: number): Promise<void> {
  const limit = Date.now() + 60_000;
  const isOpen = (): Promise<boolean> =>
    new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.destroy();
        resolve(true);
      });
      socket.once('error', () => {
        resolve(false);
      });
    });
  while (!(await isOpen())) {
    if (Date.now() > limit) throw new Error(`Nothing listens on port ${port}.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function deploymentFile({
  folder,
  httpPort,
  httpsPort,
  parentOrigins,
  extensions,
}: Pick<TestDeployment, 'folder' | 'httpPort' | 'httpsPort'> & {
  readonly parentOrigins: readonly string[];
  readonly extensions: readonly string[];
}): string {
  // Playwright cannot import the contract's own list.
  const known = ['revoke', 'passkeys', ...extensions].filter((name) =>
    existsSync(path.join(contractParts, `${name}.yaml`)),
  );
  return `
page:
  environment: test
  signOnUrl: https://login.example.test:${httpsPort}
  serviceUrl: https://api.example.test:${httpsPort}
  cookies: { prefix: payments, domain: example.test, sameSite: None }
  refreshGraceSeconds: 10
  redirectHosts: ['*.apps.example.test:${httpsPort}']
  parentOrigins: [${parentOrigins.map((origin) => `'${origin}'`).join(', ')}]
  shortLinkHosts: ['go.example.test:${httpsPort}']
  supplierHosts: ['suppliers.example.test:${httpsPort}']
  links:
    supplierSite: https://hub.apps.example.test/
    marketingSite: https://www.example.test/
    supportEmail: support@example.test
    providerSupport: help@example.test
  google: { clientId: none, authorizationUrl: 'https://accounts.example.test/authorize' }
  microsoft: { authorizationUrl: 'https://microsoft.example.test/{tenantId}/authorize' }
  brands:
    default: { label: Payments, look: default }
    supplier-hub: { label: Supplier Hub, look: default }
    e-pay: { label: e-Pay, look: epay }
  extensions: [${known.join(', ')}]
  passkeys: { rpId: login.example.test }
service:
  environment:
    PRODUCT_NAME: Example Payments
    DATABASE_URL_FILE: ${folder}/database-url
    ENCRYPTION_KEY_FILE: ${folder}/encryption-key
    TLS_CERTIFICATE_FILE: ${folder}/cert.pem
    TLS_KEY_FILE: ${folder}/key.pem
    ACME_FOLDER: ${folder}/acme
    PORT: ${httpsPort}
    REDIRECT_PORT: ${httpPort}
`;
}
