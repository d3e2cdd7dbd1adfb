import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { connect, type AddressInfo } from 'node:net';
import path from 'node:path';
import { connect as connectTls } from 'node:tls';
import { isDeepStrictEqual } from 'node:util';
import { extensionFiles } from '@vestibule/service';
import { configure } from '@vestibule/service/configure';
import { readDeployment } from '@vestibule/service/deployment';
import { appHeaders } from '@vestibule/contract/pageHeaders';
import { appHost, builtApp } from '../src/app/appHost.ts';
import {
  ask,
  createTestDeployment,
  startNginx,
  writeSmallBuild,
  type TestDeployment,
  type WireResponse,
} from '@vestibule/service/testing/testDeployment';

interface Case {
  readonly host: 'login' | 'suppliers' | 'go';
  readonly target: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const navigation = { 'sec-fetch-mode': 'navigate', accept: 'text/html' };
const script = { 'sec-fetch-mode': 'no-cors', accept: '*/*' };
const asset = '/assets/app.0123abcd.js';

/** Every route of the page, in the spellings that browsers and attackers send. */
const pages = [
  ...['/', '/login', '/login?application=ledger&x=%2F', '/LOGIN', '/two-auth', '/forgot-password'],
  ...['/oauth-redirect', '/oauth-redirect?code=1&state=2', '/oauth-redirect/', '/OAuth-redirect'],
  ...['/%6fauth-redirect', '/oauth-redirectx', '/redirect/0123', '/activate/0123', '/activate/some.hash'],
  ...['/reset-password/0123', '/%72eset-password/0123', '/reset-password-verify', '/reset?hash=0123'],
  ...['/Reset?hash=0123', '/%72eset/?hash=0123', '/secret-key/0123', '/%73ecret-key/0123'],
  ...['/SECRET-KEY/0123', '//secret-key/0123', '/unauthorized', '/login?code=0123'],
  ...['/authy-collect-info/0123', '/%61uthy-collect-info/0123', '/index.html', '/INDEX.html'],
  ...['/no/such/page', '/login/extra', '/assets-of-mine'],
];

const cases: readonly Case[] = [
  ...(['login', 'suppliers', 'go'] as const).flatMap((host) =>
    pages.map((target) => ({ host, target, headers: navigation })),
  ),
  ...['br', 'gzip', 'br;q=0, gzip', 'identity', 'gzip, deflate, br'].flatMap((coding) => [
    { host: 'login' as const, target: asset, headers: { ...script, 'accept-encoding': coding } },
    { host: 'login' as const, target: '/login', headers: { ...navigation, 'accept-encoding': coding } },
  ]),
  ...['/robots.txt', '/assets/gone.js', `${asset}.map`, `${asset}.br`, '/.hidden', '/assets/'].map(
    (target) => ({ host: 'login' as const, target, headers: script }),
  ),
  ...['/assets/gone.js', `${asset}.map`, `${asset}.gz`, '/.hidden', '/.well-known/change-password'].map(
    (target) => ({ host: 'login' as const, target, headers: navigation }),
  ),
  ...['/.well-known/webauthn', '/.well-known/passkey-endpoints'].flatMap((target) =>
    (['login', 'suppliers'] as const).map((host) => ({ host, target, headers: script })),
  ),
  { host: 'login', target: '/login', headers: { accept: 'text/html,*/*' } },
  ...[
    '/',
    '/login',
    '/redirect/some.hash',
    '/no/such/page',
    '/no/such.js',
    '/.well-known/none',
    '/INDEX.html',
  ].flatMap((target) =>
    [{}, { accept: '*/*' }, script, navigation].map((headers) => ({
      host: 'login' as const,
      target,
      headers,
    })),
  ),
  { host: 'suppliers', target: '/login', method: 'HEAD' },
  { host: 'login', target: '/login', method: 'HEAD', headers: navigation },
  { host: 'login', target: '/login', method: 'POST', headers: navigation },
  { host: 'login', target: '/login', method: 'OPTIONS', headers: script },
  ...['same-origin', 'same-site', 'cross-site', 'none'].map((site) => ({
    host: 'login' as const,
    target: '/expire-session-cookies',
    method: 'POST',
    headers: { 'sec-fetch-site': site },
  })),
  { host: 'login', target: '/expire-session-cookies', headers: { 'sec-fetch-site': 'same-origin' } },
  { host: 'login', target: '/expire-session-cookies', method: 'POST' },
  ...['https://evil.example', 'null'].map((origin) => ({
    host: 'login' as const,
    target: '/expire-session-cookies',
    method: 'POST',
    headers: { origin },
  })),
];

describe('nginx with the configuration that `vestibule configure` writes', () => {
  let testDeployment: TestDeployment;
  let stopNginx: () => Promise<void>;
  let local: https.Server;
  let localPort: number;
  let upstreams: readonly http.Server[];
  /** Calls that reached a process of the service, which was killed before its answer. */
  const killedIn: string[] = [];

  beforeAll(async () => {
    const killOnce = new Set(['/auth/v1/token', '/auth/v1/refresh', '/mfa/v1/disable']);
    upstreams = [0, 1].map(() =>
      http.createServer((request, response) => {
        const { url = '', headers } = request;
        if (killOnce.delete(url)) {
          killedIn.push(url);
          request.socket.destroy();
        } else response.end(`${url} for ${String(headers['x-forwarded-for'])}`);
      }),
    );
    testDeployment = await createTestDeployment(await Promise.all(upstreams.map(listenAt)));
    const reportsTo = 'https://reports.example.test/in?from=login';
    const file = testDeployment.deployment.replace('web:\n', `web:\n  reportsTo: ${reportsTo}\n`);
    stopNginx = await serve(testDeployment, file);
    const build = path.join(testDeployment.folder, 'build');
    const { page } = readDeployment(file);
    // The same build behind the host of the local environment, told that it is served over https.
    const handler = appHost(
      builtApp(build, page),
      (request) =>
        appHeaders({
          path: new URL(`http://host${request.url?.replace(/^\/+/, '/') ?? '/'}`).pathname,
          hasQuery: request.url?.includes('?') === true,
          serviceOrigin: new URL(page.serviceUrl).origin,
          parentOrigins: page.parentOrigins,
          shortLinkHost: request.headers.host?.startsWith('go.') === true,
          https: true,
          passkeys: true,
          reportsTo,
        }),
      { ...page, cookies: { prefix: 'payments', domain: 'example.test', sameSite: 'None' } },
      extensionFiles(page),
    );
    // As the environment's dispatcher: a connection that ends with its answer is no fault.
    const pem = (file: string) => readFileSync(path.join(testDeployment.folder, file));
    local = https.createServer({ cert: pem('cert.pem'), key: pem('key.pem') }, (request, response) => {
      Promise.resolve(handler(request, response)).catch(() => response.destroy());
    });
    localPort = await listenAt(local);
  });

  afterAll(async () => {
    await stopNginx();
    await Promise.all([local, ...upstreams].map((server) => new Promise((resolve) => server.close(resolve))));
    testDeployment.remove();
  });

  test('answers every route on every host as the local environment does: status, headers, and what is sent', async () => {
    const differences: unknown[] = [];
    for (const one of cases) {
      const there = shown(await ask(testDeployment, `${one.host}.example.test`, one.target, one));
      // With the address that nginx is asked by: the port is part of it.
      const host = `${one.host}.example.test:${testDeployment.httpsPort}`;
      const headers = { ...one.headers, host };
      const here = shown(await ask({ httpsPort: localPort }, one.host, one.target, { ...one, headers }));
      const names = new Set([...Object.keys(there), ...Object.keys(here)]);
      for (const name of names) {
        if (!isDeepStrictEqual(there[name], here[name]))
          differences.push({ ...one, name, nginx: there[name], local: here[name] });
      }
    }
    expect(differences).toEqual([]);
  });

  test('passes on the calls of the contract and the published keys, with the address of the caller, and nothing else', async () => {
    const outcomes: Record<string, unknown> = {};
    for (const target of [
      '/auth/v1/method/ada',
      '/.well-known/jwks.json',
      '/health',
      '/metrics',
      '/auth',
      '/auth/v1/../../health',
      '/auth/v1/%2e%2e/%2e%2e/health',
      '//health',
    ]) {
      const headers = { 'x-forwarded-for': '203.0.113.9' };
      const { status, body } = await ask(testDeployment, 'api.example.test', target, { headers });
      outcomes[target] = status === 200 ? body : status;
    }
    const passedOn = (target: string) => `${target} for 127.0.0.1`;
    expect(outcomes).toEqual({
      '/auth/v1/method/ada': passedOn('/auth/v1/method/ada'),
      '/.well-known/jwks.json': passedOn('/.well-known/jwks.json'),
      '/health': 404,
      '/metrics': 404,
      '/auth': 404,
      '/auth/v1/../../health': 404,
      '/auth/v1/%2e%2e/%2e%2e/health': 404,
      '//health': 404,
    });
  });

  test('sends a sign-in or a refresh to another process when its own is killed, and no call that changes an account', async () => {
    const outcomes: unknown[] = [];
    for (const target of ['/auth/v1/token', '/auth/v1/refresh', '/mfa/v1/disable']) {
      const { status, body } = await ask(testDeployment, 'api.example.test', target, {
        method: 'POST',
        body: '{}',
      });
      outcomes.push(status === 200 ? body : status);
    }
    expect(outcomes).toEqual(['/auth/v1/token for 127.0.0.1', '/auth/v1/refresh for 127.0.0.1', 502]);
    expect(killedIn).toEqual(['/auth/v1/token', '/auth/v1/refresh', '/mfa/v1/disable']);
  });

  test('gives no certificate to a name that is not ours', async () => {
    await expect(ask(testDeployment, 'evil.example', '/')).rejects.toThrow(/unrecognized name|alert/);
  });
});

test('the logs of nginx name screens, files and calls, and hold no link, code, username or referrer, whatever goes wrong', async () => {
  /** A placeholder for each of them. */
  const secret = 'ada%40example.test-5ecret';
  const testDeployment = await createTestDeployment(); // No process listens.
  const stopNginx = await serve(testDeployment);
  const headers = { ...navigation, referer: `https://hub.example.test/${secret}` };
  const logged: readonly (readonly [target: string, host: string, log: string, method?: string])[] = [
    ['/', 'login', 'GET / 200'],
    [`/login?url=${secret}`, 'login', 'GET /login 200'],
    [`/redirect/${secret}`, 'login', 'GET /redirect/*** 200'],
    [`/verification/${secret}/`, 'login', 'GET /verification/*** 200'],
    [`/%72eset-password/${secret}`, 'login', 'GET /*** 200'],
    [`//secret-key/${secret}`, 'suppliers', 'GET /*** 200'],
    [`/oauth-redirect?code=${secret}`, 'login', 'GET /oauth-redirect 200'],
    [`/${secret}`, 'go', 'GET /*** 200'],
    [`/login`, 'go', 'GET /*** 200'],
    [`/login/${secret}`, 'login', 'POST /login/*** 405', 'POST'],
    [`/assets/${secret}`, 'login', 'GET /*** 404'],
    [`/assets/app.0000abcd.js?${secret}`, 'login', 'GET /assets/app.0000abcd.js 404'],
    [`/assets/app.0123abcd.js`, 'login', 'GET /assets/app.0123abcd.js 200'],
    [`/expire-session-cookies`, 'login', 'GET /expire-session-cookies 403'],
    [`/auth/v1/method/${secret}?${secret}`, 'api', 'GET /auth/v1/method/{username} 502'],
    [`/user-management/v1/users/${secret}`, 'api', 'GET /user-management/v1/users/{uid} 502'],
    [`/auth/v1/method/${secret}/more`, 'api', 'GET /*** 502'],
    [`/${secret}`, 'api', 'GET /*** 404'],
  ];
  for (const [target, host, , method] of logged)
    await ask(testDeployment, `${host}.example.test`, target, {
      headers,
      ...(method === undefined ? {} : { method }),
    });
  const large = 'x'.repeat(70_000);
  const line = `GET /redirect/${secret} HTTP/1.1\r\n`;
  const faults: readonly (readonly [host: string | null, request: string, log: string])[] = [
    ['login', `${line}Host: ${secret}\u0000\r\n\r\n`, 'GET /*** 400'],
    ['login', `GET /redirect/${secret} HTTP/9.9\r\n\r\n`, '- /*** 505'],
    ['login', `G\u0001T /redirect/${secret} HTTP/1.1\r\n\r\n`, '- /*** - 400'],
    ['login', `GET /redirect/${secret}${large} HTTP/1.1\r\n\r\n`, '- /*** - 414'],
    ['login', `${line}Cookie: ${large}\r\n\r\n`, 'GET /*** 400'],
    [
      'api',
      `POST /auth/v1/method/${secret} HTTP/1.1\r\nHost: api.example.test\r\nContent-Length: 70000\r\n\r\n`,
      'POST /auth/v1/method/{username} 413',
    ],
    [null, `${line}Host: login.example.test\r\n\r\n`, 'GET /*** 400'],
  ];
  for (const [host, request] of faults) await sendRaw(testDeployment.httpsPort, host, request);
  await sendRaw(
    testDeployment.httpPort,
    null,
    `${line}Host: login.example.test\r\nConnection: close\r\n\r\n`,
  );
  await stopNginx();
  const [access, error] = ['access.log', 'error.log'].map((name) =>
    readFileSync(path.join(testDeployment.folder, name), 'utf8'),
  );
  testDeployment.remove();
  const lines = (access ?? '').trim().split('\n');
  expect(lines.map((one) => one.replace(/^.*?"(.*?)(?: HTTP\/[\d.]*)? ?" (\d+) .*$/, '$1 $2'))).toEqual([
    ...logged.map(([, , log]) => log),
    ...faults.map(([, , log]) => log),
    'GET /*** 301',
  ]);
  expect(`${access}${error}`).not.toContain('5ecret');
});

test('a process whose certificate is for another name, or of another authority, gets no call', async () => {
  const other = await createTestDeployment();
  const pem = (file: string) => readFileSync(path.join(other.folder, file));
  const process = https.createServer({ cert: pem('cert.pem'), key: pem('key.pem') }, (_request, response) => {
    response.end();
  });
  const port = await listenAt(process);
  const testDeployment = await createTestDeployment([port]);
  const statusWith = async (authority: string, name: string): Promise<number> => {
    const files = `certificate: ${other.folder}/cert.pem, certificateKey: ${other.folder}/key.pem`;
    const tls = `service:\n  tls: { ${files}, authority: ${authority}/cert.pem, name: ${name} }\n`;
    const stopNginx = await serve(testDeployment, testDeployment.deployment.replace('service:\n', tls));
    const { status } = await ask(testDeployment, 'api.example.test', '/.well-known/jwks.json');
    await stopNginx();
    return status;
  };
  expect([
    await statusWith(other.folder, 'service.example.test'),
    await statusWith(other.folder, 'service.example.org'),
    await statusWith(testDeployment.folder, 'service.example.test'),
  ]).toEqual([200, 502, 502]);
  process.close();
  other.remove();
  testDeployment.remove();
});

describe('behind a balancer', () => {
  /** Addresses of this machine. */
  const [balancer, stranger] = ['127.0.0.3', '127.0.0.4'];
  const client = '203.0.113.7';
  let upstream: http.Server;
  let isReady: boolean;

  beforeEach(() => {
    isReady = true;
    upstream = http.createServer(({ url, headers }, response) => {
      response.statusCode = url === '/ready' && !isReady ? 503 : 200;
      response.end(url === '/ready' ? 'ready' : headers['x-forwarded-for']);
    });
  });

  /** Runs nginx with settings of the balancer. */
  const behind = async (settings: string, work: (deployment: TestDeployment) => Promise<void>) => {
    const testDeployment = await createTestDeployment([await listenAt(upstream)]);
    const text = testDeployment.deployment.replace(
      'web:\n',
      `web:\n  transportSecurity: max-age=300\n  ipv6: false\n  balancer: { addresses: [${balancer}], ${settings} }\n`,
    );
    const stopNginx = await serve(testDeployment, text);
    try {
      await work(testDeployment);
    } finally {
      await stopNginx();
      upstream.close();
      testDeployment.remove();
    }
  };
  /** A call of the service. @param from the address of the caller @param before what it sends before it speaks http */
  const call = (
    target: TestDeployment,
    from: string,
    forwarded: string,
    {
      isPlain = false,
      path: address = '/.well-known/jwks.json',
      before = '',
      host = 'api.example.test',
    } = {},
  ) =>
    new Promise<string>((resolve, reject) => {
      const port = isPlain ? target.httpPort : target.httpsPort;
      const socket = connect({ port, host: '127.0.0.1', localAddress: from });
      socket.on('error', reject).write(before);
      const speaker = isPlain ? socket : connectTls({ socket, servername: host, rejectUnauthorized: false });
      speaker.on('error', reject);
      const header = forwarded === '' ? '' : `X-Forwarded-For: ${forwarded}\r\n`;
      speaker.write(`GET ${address} HTTP/1.1\r\nHost: ${host}\r\n${header}Connection: close\r\n\r\n`);
      let said = '';
      speaker.on('data', (chunk) => (said += String(chunk)));
      speaker.once('close', () => {
        const [head = '', body = ''] = said.split('\r\n\r\n');
        const status = head.split(' ')[1] ?? 'closed';
        resolve(status === '200' ? body : status);
      });
    });

  test('the service gets the address that the balancer adds, and not what a client sends', async () => {
    await behind('clientAddress: X-Forwarded-For', async (target) => {
      expect(await call(target, balancer, client)).toBe(client);
      expect(await call(target, balancer, `192.0.2.66, ${client}`)).toBe(client);
      expect(await call(target, stranger, '192.0.2.66')).toBe(stranger);
      expect(await call(target, balancer, '')).toBe(balancer);
      const { headers } = await ask(target, 'login.example.test', '/login', { headers: navigation });
      expect(headers['strict-transport-security']).toBe('max-age=300');
    });
  });

  test('the service gets the address of the PROXY protocol from the balancer only, and no header counts', async () => {
    await behind('clientAddress: proxy-protocol', async (target) => {
      const before = `PROXY TCP4 ${client} 127.0.0.1 4000 443\r\n`;
      expect(await call(target, balancer, '192.0.2.66', { before })).toBe(client);
      expect(await call(target, stranger, '', { before })).toBe(stranger);
    });
  });

  test('plain http is accepted from a balancer that ends TLS, and refused from anybody else', async () => {
    await behind('endsTls: true', async (target) => {
      expect(await call(target, balancer, client, { isPlain: true })).toBe(client);
      expect(await call(target, stranger, client, { isPlain: true })).toBe('403');
      for (const host of ['login.example.test', 'go.example.test', 'other.example'])
        expect(await call(target, stranger, balancer, { isPlain: true, host, path: '/login' })).toBe('403');
      await expect(call(target, balancer, client)).rejects.toThrow('ECONNREFUSED');
    });
  });

  test.each(['endsTls: true', 'endsTls: false'])(
    'the balancer, and no other client, learns at /ready whether a process is ready (%s)',
    async (settings) => {
      await behind(settings, async (target) => {
        const health = { isPlain: true, path: '/ready', host: '127.0.0.1' };
        expect(await call(target, balancer, '', health)).toContain('ready');
        // A client through the balancer, and one that bypasses it.
        expect(await call(target, balancer, client, health)).toBe('403');
        expect(await call(target, stranger, '', health)).toBe('403');
        isReady = false;
        expect(await call(target, balancer, '', health)).toBe('503');
      });
    },
  );
});

/** Starts nginx with what `vestibule configure` writes for a small build. @returns how to stop it */
function serve(testDeployment: TestDeployment, file = testDeployment.deployment) {
  const [build, out] = [path.join(testDeployment.folder, 'build'), path.join(testDeployment.folder, 'out')];
  writeSmallBuild(build);
  configure(readDeployment(file), build, out);
  return startNginx(testDeployment, path.join(out, 'vestibule.conf'));
}

/** Sends bytes as they are, over TLS where a host is named, until the server closes. */
async function sendRaw(port: number, host: string | null, request: string): Promise<void> {
  const options = { port, host: '127.0.0.1' };
  const socket =
    host === null
      ? connect(options)
      : connectTls({ ...options, servername: `${host}.example.test`, rejectUnauthorized: false });
  socket.on('error', () => undefined).write(request); // The server may close first.
  socket.once('data', () => socket.end());
  await new Promise((resolve) => socket.once('close', resolve));
}

/** Of the transport, or of each server's own making: validators, which only files of nginx have. */
const transport = new Set([
  ...['date', 'server', 'connection', 'keep-alive', 'etag', 'last-modified', 'accept-ranges'],
  ...['content-length', 'transfer-encoding'],
]);

function shown({ status, headers, body }: WireResponse): Readonly<Record<string, unknown>> {
  const kept = Object.entries(headers).filter(([name]) => !transport.has(name));
  // The words of a redirect are each server's own; no one reads them.
  return status === 302
    ? { ...Object.fromEntries(kept), status, 'content-type': undefined }
    : { ...Object.fromEntries(kept), status, body };
}

function listenAt(server: http.Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      resolve((server.address() as AddressInfo).port);
    });
  });
}
