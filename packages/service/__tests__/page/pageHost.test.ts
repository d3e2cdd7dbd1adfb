import { once } from 'node:events';
import { readdirSync, readlinkSync } from 'node:fs';
import { connect as connectHttp2 } from 'node:http2';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { appHeaders } from '@vestibule/contract/pageHeaders';
import { readDeployment, type Deployment } from '../../src/deployment.ts';
import { dispatchByHost } from '../../src/page/dispatch.ts';
import { headerFacts } from '../../src/page/headerFacts.ts';
import { builtPage, createPageHost } from '../../src/page/pageHost.ts';
import { listenForHttps, type WebServer } from '../../src/platform/http/webServer.ts';
import { silentLogger } from '../../src/platform/settings/options.ts';
import { extensionFiles } from '../../src/slots.ts';
import { recordingLogger } from '../support/recordingLogger.ts';
import {
  ask,
  createTestDeployment,
  writeSmallBuild,
  type TestDeployment,
  type WireResponse,
} from '../support/testDeployment.ts';

const navigation = { 'sec-fetch-mode': 'navigate', accept: 'text/html' };
const script = { 'sec-fetch-mode': 'no-cors', accept: '*/*' };
const asset = '/assets/app.0123abcd.js';

let deployment: TestDeployment;
let config: Deployment['page'];
let server: WebServer;
let close: () => Promise<void>;
const { logger, entries } = recordingLogger();

beforeAll(async () => {
  deployment = await createTestDeployment();
  const reportsTo = 'https://reports.example.test/in?from=login';
  config = readDeployment(
    deployment.deployment.replace('page:\n', `page:\n  reportsTo: ${reportsTo}\n`),
  ).page;
  const build = path.join(deployment.folder, 'build');
  writeSmallBuild(build);
  const themes = {
    files: { '/assets/logo.0123abcd45.svg': { type: 'image/svg+xml', content: Buffer.from('<svg/>') } },
    addresses: {},
  };
  const host = await createPageHost({ config, themes, source: builtPage(build, config), logger });
  close = host.close;
  const handle = dispatchByHost(
    config,
    (request, response) => {
      host.routing(request, response);
    },
    ({ url }, response) => response.end(`service ${String(url)}`),
  );
  const files = { certificate: `${deployment.folder}/cert.pem`, key: `${deployment.folder}/key.pem` };
  server = await listenForHttps(handle, { port: deployment.httpsPort }, files, silentLogger);
});
afterAll(async () => {
  await server.close();
  await close();
  deployment.remove();
});

const on = (host: string, target: string, options: Parameters<typeof ask>[3] = {}): Promise<WireResponse> =>
  ask(deployment, `${host}.example.test`, target, options);

test('the logo of a theme is kept by browsers, shown by mail programs, and runs nothing', async () => {
  const { status, headers, body } = await on('login', '/assets/logo.0123abcd45.svg', { headers: script });
  expect([status, body]).toEqual([200, '<svg/>']);
  expect(headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'");
  expect(headers).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'content-type': 'image/svg+xml',
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
  });
});

/** The path whose headers a spelling must have; each is a way around the headers of `/secret-key/…` or `/oauth-redirect`. */
const spellings: readonly (readonly [target: string, as: string])[] = [
  ['/', '/'],
  ['/login', '/login'],
  ['/login?application=ledger&x=%2F', '/login?'],
  ['/LOGIN', '/login'],
  ['/oauth-redirect', '/oauth-redirect'],
  ['/oauth-redirect?code=1&state=2', '/oauth-redirect?'],
  ['/oauth-redirect/', '/oauth-redirect/'],
  ['/OAuth-redirect', '/oauth-redirect/'],
  ['/%6fauth-redirect', '/oauth-redirect/'],
  ['/activate/some.hash', '/activate/0123'],
  ['/%72eset-password/0123', '/reset-password/0123'],
  ['/Reset?hash=0123', '/reset?'],
  ['/%73ecret-key/0123', '/secret-key/0123'],
  ['/SECRET-KEY/0123', '/secret-key/0123'],
  ['//secret-key/0123', '/secret-key/0123'],
  ['/x/../secret-key/0123', '/secret-key/0123'],
  ['/%61uthy-collect-info/0123', '/authy-collect-info/0123'],
  ['/index.html', '/index.html'],
  ['/INDEX.html', '/index.html'],
  ['/no/such/page', '/no/such/page'],
  ['/%zz', '/%zz'],
];

describe.each(['login', 'suppliers', 'go'])('on the host %s', (host) => {
  it.each(spellings)('%s is the page with its headers', async (target, as) => {
    const { status, headers, body } = await on(host, target, { headers: navigation });
    expect({ status, type: headers['content-type'], cache: headers['cache-control'] }).toEqual({
      status: 200,
      type: 'text/html; charset=utf-8',
      cache: 'no-store',
    });
    expect(body).toContain('"environment":"test"');
    const [pathname = '', query] = as.split('?');
    const expected = appHeaders({
      ...headerFacts(config),
      path: pathname,
      hasQuery: query !== undefined,
      shortLinkHost: host === 'go',
    });
    // The hashes of the inline parts are those of the page.
    const found = Object.fromEntries(
      Object.keys(expected).map((name) => [
        name,
        String(headers[name.toLowerCase()]).replaceAll(/ 'sha256-[^']+'/g, ''),
      ]),
    );
    expect(found).toEqual(expected);
    for (const name of ['X-Frame-Options', 'Reporting-Endpoints'])
      expect([name, name.toLowerCase() in headers]).toEqual([name, name in expected]);
  });
});

it('allows the inline parts of the page and nothing else inline', async () => {
  const { headers } = await on('login', '/login', { headers: navigation });
  expect(headers['content-security-policy']).toMatch(
    /script-src 'self' 'sha256-[^']+'; style-src 'self' 'sha256-[^']+';/,
  );
});

it.each([
  ['br', 'br'],
  ['gzip', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['gzip, deflate, br', 'br'],
  ['identity', undefined],
])('sends files and the page as %s in the coding %s, compressed in advance', async (accepted, coding) => {
  for (const target of [asset, '/login']) {
    const { headers } = await on('login', target, {
      headers: { ...(target === asset ? script : navigation), 'accept-encoding': accepted },
    });
    expect([headers['content-encoding'], String(headers['vary'])]).toEqual([coding, 'Accept-Encoding']);
  }
});

it('lets browsers keep hashed files for ever, and ask again for others by their ETag', async () => {
  const hashed = await on('login', asset, { headers: script });
  expect([hashed.status, hashed.headers['cache-control'], hashed.body]).toEqual([
    200,
    'public, max-age=31536000, immutable',
    'console.log(1);',
  ]);
  const other = await on('login', '/robots.txt', { headers: script });
  expect(other.headers['cache-control']).toBe('no-cache');
  const again = await on('login', '/robots.txt', {
    headers: { ...script, 'if-none-match': String(other.headers['etag']) },
  });
  expect([again.status, again.body]).toEqual([304, '']);
  expect(again.headers['content-security-policy']).toBeDefined();
});

it.each([
  ['/assets/gone.js', navigation],
  ['/assets/', script],
  [`${asset}.map`, script],
  [`${asset}.br`, script],
  ['/.hidden', script],
  ['/languages.json', script],
  ['/.well-known/none', script],
  ['/no/such.js', script],
  ['/no/such.js', {}],
  ['/assets/..%2findex.html', script],
])('%s is missing: 404 with the headers, and not the page', async (target, headers) => {
  const found = await on('login', target, { headers });
  expect([found.status, found.body, found.headers['cache-control']]).toEqual([
    404,
    'Not found.\n',
    'no-store',
  ]);
  expect(found.headers['content-security-policy']).toBeDefined();
  expect(found.headers['x-content-type-options']).toBe('nosniff');
});

it.each(['/redirect/some.hash', '/.hidden', '/no/such.js'])(
  'a navigation to %s gets the page, because a link may look like a file',
  async (target) => {
    const { status, headers } = await on('login', target, { headers: navigation });
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  },
);

it.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'PROPFIND'])('refuses %s with 405', async (method) => {
  const { status, headers } = await on('login', '/login', { method, headers: navigation });
  expect([status, headers['allow'], headers['cache-control']]).toEqual([405, 'GET, HEAD', 'no-store']);
  expect(headers['content-security-policy']).toBeDefined();
});

it('answers HEAD without a body', async () => {
  const { status, headers, body } = await on('login', '/login', { method: 'HEAD', headers: navigation });
  expect([status, body, Number(headers['content-length']) > 0]).toEqual([200, '', true]);
});

describe('/expire-session-cookies', () => {
  const expire = (headers: Readonly<Record<string, string>>, method = 'POST') =>
    on('login', '/expire-session-cookies', { method, headers });

  it('expires the cookies of the session for the page of the host', async () => {
    for (const headers of [
      { 'sec-fetch-site': 'same-origin' },
      { origin: `https://login.example.test:${deployment.httpsPort}` },
    ]) {
      const { status, headers: sent } = await expire(headers);
      expect(status).toBe(204);
      expect(sent['set-cookie']).toHaveLength(3);
      expect(sent['set-cookie']?.[0]).toBe(
        'payments-session=; Path=/; Domain=example.test; Max-Age=0; SameSite=None; Secure',
      );
    }
  });

  it.each([
    [{ 'sec-fetch-site': 'same-site' }],
    [{ 'sec-fetch-site': 'cross-site' }],
    [{ 'sec-fetch-site': 'none' }],
    [{ origin: 'https://evil.example' }],
    [{ origin: 'null' }],
    [{}],
  ])('refuses %j', async (headers) => {
    const { status, headers: sent } = await expire(headers);
    expect([status, sent['set-cookie']]).toEqual([403, undefined]);
  });

  it('refuses GET', async () => {
    expect((await expire({ 'sec-fetch-site': 'same-origin' }, 'GET')).status).toBe(403);
  });
});

it('leads password managers to the change of the password, and serves the files of extensions', async () => {
  const { status, headers } = await on('login', '/.well-known/change-password');
  expect([status, headers['location']]).toEqual([302, '/reset-password-verify']);
  for (const { path: file, json } of extensionFiles(config)) {
    const answer = await on('suppliers', file, { headers: script });
    expect([answer.status, answer.headers['content-type'], answer.body]).toEqual([
      200,
      'application/json; charset=utf-8',
      json,
    ]);
  }
});

it('passes calls on to the service by its host, health by the address, and refuses other hosts', async () => {
  const outcomes = await Promise.all(
    [
      ['api.example.test', '/auth/v1/method/ada'],
      ['API.example.test.', '/auth/v1/method/ada'],
      ['127.0.0.1', '/ready'],
      ['127.0.0.1', '/login'],
      ['evil.example', '/login'],
      ['evil.example', '/ready'],
      ['login.example.test', '/ready'],
    ].map(async ([host = '', target = '']) => {
      const { status, body } = await ask(deployment, 'login.example.test', target, { headers: { host } });
      return [host, target, status, { s: 'service', T: 'refused' }[body[0] ?? ''] ?? 'page'];
    }),
  );
  expect(outcomes).toEqual([
    ['api.example.test', '/auth/v1/method/ada', 200, 'service'],
    ['API.example.test.', '/auth/v1/method/ada', 200, 'service'],
    ['127.0.0.1', '/ready', 200, 'service'],
    ['127.0.0.1', '/login', 421, 'refused'],
    ['evil.example', '/login', 421, 'refused'],
    ['evil.example', '/ready', 421, 'refused'],
    ['login.example.test', '/ready', 200, 'page'],
  ]);
});

it('refuses a request with two hosts, which a proxy may read in another way', async () => {
  const host = ['login.example.test', 'evil.example'];
  const { status, headers } = await on('login', '/login', { headers: { host } });
  expect([status, headers['cache-control'], headers['x-content-type-options']]).toEqual([
    421,
    'no-store',
    'nosniff',
  ]);
});

it('gives the page with its headers to a client that expects what no server knows', async () => {
  const { status, headers } = await on('login', '/login', { headers: { ...navigation, expect: 'tea' } });
  expect([status, headers['strict-transport-security']]).toEqual([200, expect.stringContaining('max-age=')]);
});

it('logs screens and files, and no link, code or username', async () => {
  const secret = 'ada%40example.test-5ecret';
  const requests: readonly (readonly [target: string, host: string, log: string, method?: string])[] = [
    ['/', 'login', 'GET / 200'],
    [`/login?url=${secret}`, 'login', 'GET /login 200'],
    [`/redirect/${secret}`, 'login', 'GET /redirect/*** 200'],
    [`/verification/${secret}/`, 'login', 'GET /verification/*** 200'],
    [`/%72eset-password/${secret}`, 'login', 'GET /*** 200'],
    [`//secret-key/${secret}`, 'suppliers', 'GET /*** 200'],
    [`/oauth-redirect?code=${secret}`, 'login', 'GET /oauth-redirect 200'],
    [`/${secret}`, 'go', 'GET /*** 200'],
    ['/login', 'go', 'GET /*** 200'],
    [`/login/${secret}`, 'login', 'POST /login/*** 405', 'POST'],
    [`/assets/${secret}`, 'login', 'GET /*** 404'],
    [`/assets/app.0000abcd.js?${secret}`, 'login', 'GET /assets/app.0000abcd.js 404'],
    ['/expire-session-cookies', 'login', 'GET /expire-session-cookies 403'],
  ];
  const before = entries().length;
  for (const [target, host, , method = 'GET'] of requests)
    await on(host, target, {
      method,
      headers: { ...navigation, referer: `https://hub.example.test/${secret}`, 'x-request-id': secret },
    });
  const lines = entries().slice(before);
  expect(lines.map(({ fields }) => `${String(fields['request'])} ${String(fields['status'])}`)).toEqual(
    requests.map(([, , log]) => log),
  );
  expect(new Set(lines.flatMap(({ fields }) => Object.keys(fields)))).toEqual(
    new Set(['id', 'request', 'status', 'milliseconds', 'network']),
  );
  expect(JSON.stringify(lines)).not.toContain('5ecret');
});

it('serves HTTP/2 by its own name of the host, and logs it', async () => {
  const session = connectHttp2(`https://127.0.0.1:${deployment.httpsPort}`, { rejectUnauthorized: false });
  const stream = session.request({
    ':authority': `suppliers.example.test:${deployment.httpsPort}`,
    ':path': '/two-auth',
    accept: 'text/html',
  });
  const before = entries().length;
  const [headers] = (await once(stream, 'response')) as [Record<string, unknown>];
  await once(stream.resume(), 'close');
  session.close();
  expect([headers[':status'], headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  expect(entries().slice(before)).toMatchObject([
    { event: 'page', fields: { request: 'GET /two-auth', status: 200, network: '127.0.0.1' } },
  ]);
});

it('closes the files of HTTP/2 streams that were reset', async () => {
  const session = connectHttp2(`https://127.0.0.1:${deployment.httpsPort}`, { rejectUnauthorized: false });
  session.on('error', () => undefined);
  await once(session, 'connect');
  for (let index = 0; index < 200; index += 1) {
    const stream = session.request({
      ':authority': `login.example.test:${deployment.httpsPort}`,
      ':path': asset,
    });
    stream.on('error', () => undefined);
    setImmediate(() => {
      stream.close(8);
    });
    if (index % 20 === 19) await pause(20);
  }
  session.close();
  const openFiles = () =>
    readdirSync('/proc/self/fd').filter((name) => {
      try {
        return readlinkSync(`/proc/self/fd/${name}`).includes('app.0123abcd.js');
      } catch {
        return false;
      }
    });
  for (let tries = 0; tries < 150 && openFiles().length > 0; tries += 1) await pause(20);
  expect(openFiles()).toEqual([]);
});

it.each([
  ['range', 'bytes=99999999-', 416],
  ['if-match', '"other"', 412],
])('refuses %s: %s without an error in the log', async (name, value, status) => {
  const before = entries().length;
  const found = await on('login', asset, { headers: { ...script, [name]: value } });
  expect(found.status).toBe(status);
  expect(found.headers['content-security-policy']).toBeDefined();
  // Streams that the test before has reset may still be logged, with 200.
  const logged = () => entries().filter(({ fields }, index) => index >= before && fields['status'] !== 200);
  while (logged().length === 0) await pause(5);
  expect(logged()).toMatchObject([{ level: 'info', event: 'page', fields: { status } }]);
});
