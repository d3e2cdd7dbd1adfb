/** Tests hostRules, nginxFile, caddyFile and the command `vestibule page`. */
import { execFileSync, spawnSync } from 'node:child_process';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { freePorts } from '@vestibule/contract/testing/freePorts';
import { findCaddy, findNginx } from '../../../../scripts/setup/programs.mjs';
import { writePage } from '../../src/cli/page.ts';
import { readDeployment, type Deployment } from '../../src/deployment.ts';
import { builtPage, createPageHost } from '../../src/page/pageHost.ts';
import type { HostRules } from '../../src/page/static-host/hostRules.ts';
import { startProgram } from '../support/proxies.ts';
import {
  createTestDeployment,
  writeSmallBuild,
  type TestDeployment,
  responseTo,
} from '../support/testDeployment.ts';

let place: TestDeployment;
let deployment: Deployment;
let build: string;
let site: string;
const closing: (() => Promise<unknown>)[] = [];
const ports: Record<string, number> = {};
const at = (name: string): string => path.join(place.folder, name);

beforeAll(async () => {
  place = await createTestDeployment();
  // nginx runs its workers as another user.
  execFileSync('chmod', ['755', place.folder]);
  writeFileSync(at('logo.svg'), '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 1"/>');
  const text = place.deployment
    .replace('page:\n', 'page:\n  reportsTo: https://reports.example.test/in?from=login\n')
    .replace(
      'default: { label: Payments, look: default }',
      "default: { label: Payments, look: default, theme: { primary: { light: '#8a2b0e', dark: '#ffb59a' }, logo: logo.svg } }",
    );
  deployment = readDeployment(text, place.folder);
  build = at('build');
  writeSmallBuild(build);
  site = at('site');
  writePage(site, deployment, build);
  ports['service'] = await serveByService();
  ports['nginx'] = await serveByNginx();
  ports['caddy'] = await serveByCaddy();
});
afterAll(async () => {
  for (const close of closing) await close();
  place.remove();
});

async function serveByService(): Promise<number> {
  const { page: config, themes } = deployment;
  const host = await createPageHost({ config, themes, source: builtPage(build, config, { themes }) });
  const server = createServer((asking, response) => {
    host.routing(asking, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(
    () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
    host.close,
  );
  return (server.address() as AddressInfo).port;
}

async function serveByNginx(): Promise<number> {
  const [port = 0] = await freePorts(1);
  const folder = at('nginx');
  mkdirSync(folder);
  writeFileSync(
    at('nginx.conf'),
    `daemon off; pid ${folder}/pid; events {} http { access_log off;
${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join('\n')}
server { listen 127.0.0.1:${port}; root ${site}/files; include ${site}/nginx.conf; } }`,
  );
  const args = ['-c', at('nginx.conf'), '-e', `${folder}/error.log`];
  closing.push(await startProgram(findNginx(), args, { folder, port }, 'SIGQUIT'));
  return port;
}

async function serveByCaddy(): Promise<number> {
  const [port = 0] = await freePorts(1);
  const folder = at('caddy');
  mkdirSync(folder);
  const file = at('Caddyfile');
  writeFileSync(
    file,
    `{\nadmin off\nauto_https off\n}\nhttp://:${port} {\nroot * ${site}/files\nimport ${site}/Caddyfile\n}\n`,
  );
  const args = ['run', '--config', file, '--adapter', 'caddyfile'];
  closing.push(await startProgram(findCaddy(), args, { folder, port }, 'SIGTERM'));
  return port;
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Buffer;
}

const ask = (
  server: string,
  host: string,
  target: string,
  headers: Readonly<Record<string, string>> = {},
  method = 'GET',
): Promise<Answer> =>
  responseTo(
    request({
      ...{ host: '127.0.0.1', port: ports[server], path: target, method, agent: false },
      headers: { host: `${host}.example.test`, ...headers },
    }),
  );

/** The headers that the service sends, and a host must. */
const compared = [
  ...['content-security-policy', 'reporting-endpoints', 'cross-origin-opener-policy'],
  ...['cross-origin-resource-policy', 'origin-agent-cluster', 'permissions-policy', 'referrer-policy'],
  ...['x-content-type-options', 'x-frame-options', 'strict-transport-security', 'cache-control'],
  ...['content-encoding', 'location', 'set-cookie'],
];
/** Servers name JavaScript in two ways, and add a charset or not. */
const typeOf = (value: unknown): string =>
  String(value).split(';')[0]?.replace('text/javascript', 'application/javascript') ?? '';
const facts = ({ status, headers, body }: Answer) => ({
  status,
  type: [204, 302, 403, 404, 405].includes(status) ? '' : typeOf(headers['content-type']),
  headers: Object.fromEntries(compared.map((name) => [name, headers[name]])),
  body: status === 200 ? body.toString('latin1') : '',
});

const navigation = { 'sec-fetch-mode': 'navigate', accept: 'text/html' };
const script = { 'sec-fetch-mode': 'no-cors', accept: '*/*' };
const old = { accept: 'text/html' };

const requests: readonly (readonly [
  target: string,
  headers: Readonly<Record<string, string>>,
  method?: string,
])[] = [
  ['/', navigation],
  ['/login', navigation],
  ['/login?application=ledger&x=%2F', navigation],
  ['/LOGIN', navigation],
  ['/oauth-redirect', navigation],
  ['/oauth-redirect?code=1&state=2', navigation],
  ['/oauth-redirect/', navigation],
  ['/OAuth-redirect', navigation],
  ['/%6fauth-redirect', navigation],
  ['/activate/some.hash', navigation],
  ['/%72eset-password/0123', navigation],
  ['/Reset?hash=0123', navigation],
  ['/verification/0123', navigation],
  ['/%73ecret-key/0123', navigation],
  ['/SECRET-KEY/0123', navigation],
  ['//secret-key/0123', navigation],
  ['/x/../secret-key/0123', navigation],
  ['/index.html', navigation],
  ['/no/such/page', navigation],
  ['/no/such.js', navigation],
  ['/no/such.js', script],
  ['/no/such.js', old],
  ['/.hidden', script],
  ['/.well-known/none', script],
  ['/languages.json', script],
  ['/inline-hashes.json', script],
  ['/robots.txt', script],
  ['/robots.txt', { ...script, 'accept-encoding': 'gzip' }],
  ['/.well-known/webauthn', script],
  ['/.well-known/change-password', navigation],
  ['/assets/app.0123abcd.js', script],
  ['/assets/app.0123abcd.js', { ...script, 'accept-encoding': 'gzip' }],
  ['/assets/app.0123abcd.js?x=1', script],
  ['/assets/app.0123abcd.js', script, 'HEAD'],
  ['/assets/app.0123abcd.js.br', script],
  ['/assets/app.0123abcd.js.map', script],
  ['/assets/gone.0123abcd.js', navigation],
  ['/assets/', script],
  ['/login', { ...navigation, 'accept-encoding': 'gzip' }],
  ['/login', navigation, 'HEAD'],
  ['/login', navigation, 'POST'],
  ['/expire-session-cookies', { 'sec-fetch-site': 'same-origin' }, 'POST'],
  ['/expire-session-cookies', { 'sec-fetch-site': 'cross-site' }, 'POST'],
  ['/expire-session-cookies', { 'sec-fetch-site': 'same-origin' }],
];

it('is valid for nginx and Caddy without reports, short links and themes too', () => {
  const text = place.deployment.replace(/shortLinkHosts: .*/, 'shortLinkHosts: []');
  const folder = at('plain');
  writePage(folder, readDeployment(text), build);
  writeFileSync(
    at('plain.conf'),
    `pid ${folder}/pid; events {} http { access_log off; server { listen 127.0.0.1:1; root ${folder}/files; include ${folder}/nginx.conf; } }`,
  );
  writeFileSync(at('Plainfile'), `http://:1 {\nroot * ${folder}/files\nimport ${folder}/Caddyfile\n}\n`);
  const [nginx, caddy] = [findNginx() ?? '', findCaddy() ?? ''];
  const accepted = [
    spawnSync(nginx, ['-t', '-q', '-c', at('plain.conf'), '-e', `${folder}/error.log`], { encoding: 'utf8' }),
    spawnSync(caddy, ['validate', '--config', at('Plainfile'), '--adapter', 'caddyfile'], {
      encoding: 'utf8',
    }),
  ];
  expect(accepted[0]).toMatchObject({ status: 0, stderr: '' });
  expect(accepted[1]).toMatchObject({ status: 0 });
});

it('keeps the files of former releases, and replaces the page', async () => {
  const folder = at('site-of-two');
  writePage(folder, deployment, build);
  const former = path.join(folder, 'files/assets/app.89abcdef.js');
  writeFileSync(former, 'former');
  writeFileSync(path.join(folder, 'files/index.html'), 'former');
  writePage(folder, deployment, build);
  expect(readFileSync(former, 'utf8')).toBe('former');
  const { body } = await ask('service', 'login', '/login', navigation);
  expect(readFileSync(path.join(folder, 'files/index.html'))).toEqual(body);
  expect(brotliDecompressSync(readFileSync(path.join(folder, 'files/index.html.br')))).toEqual(body);
  expect(readdirSync(folder).sort()).toEqual(['Caddyfile', 'files', 'headers.json', 'nginx.conf']);
});

it('says in `headers.json` what the page has at each address', () => {
  const { headers } = JSON.parse(readFileSync(path.join(site, 'headers.json'), 'utf8')) as HostRules;
  expect(headers.map(({ page: _page, other: _other, ...condition }) => condition)).toEqual([
    { hosts: ['go.example.test'] },
    { target: String.raw`^/oauth-redirect(?:\?|$)` },
    { path: expect.stringContaining('secret-key') as string },
    { path: '^/+(?:reset|authy-collect-info|qrcode-start|verification)(?:/|$)' },
    { hasQuery: true },
    {},
  ]);
});

it('is not written without a build', () => {
  expect(() => {
    writePage(at('none'), deployment, at('no-build'));
  }).toThrow('There is no build of the page in');
});

describe.each(['nginx', 'caddy'])('%s with the written file', (server) => {
  describe.each(['login', 'suppliers', 'go'])('on the host %s', (host) => {
    it.each(requests.map(([target, headers, method = 'GET']) => [target, headers, method] as const))(
      'answers %s %j %s as the service does',
      async (target, headers, method) => {
        const [expected, found] = [
          await ask('service', host, target, headers, method),
          await ask(server, host, target, headers, method),
        ];
        expect(facts(found)).toEqual(facts(expected));
      },
    );
  });

  it('sends the logo of a theme, which mails may show', async () => {
    const [logo = ''] = Object.keys(deployment.themes.files);
    const [expected, found] = [
      await ask('service', 'login', logo, script),
      await ask(server, 'login', logo, script),
    ];
    expect(facts(found)).toEqual(facts(expected));
    expect(found.headers['cross-origin-resource-policy']).toBe('cross-origin');
  });
});
