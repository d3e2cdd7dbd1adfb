import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { itWith } from '@vestibule/service/testing/extensions';
import type { RunningEnvironment } from '../src/localEnvironment.ts';
import { ask, navigation, post } from './support/ask.ts';
import { startQuickEnvironment } from './support/startQuickEnvironment.ts';

let folder: string;
let environment: RunningEnvironment;
const at = (host: string, target = '/'): string => `http://${host}:${environment.port}${target}`;
const app = (target: string): string => at('login.payments.localhost', target);

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vestibule-environment-'));
  await mkdir(path.join(folder, 'dist'));
  const files = {
    'index.html':
      '<!doctype html><script type="application/json" id="app-config">{}</script><div id="root"></div>',
    'index.html.br': 'compressed before the configuration was written in',
  };
  for (const [name, content] of Object.entries(files)) {
    await writeFile(path.join(folder, 'dist', name), content);
  }
  await writeFile(path.join(folder, 'outside.txt'), 'outside');
  environment = await startQuickEnvironment({ distFolder: path.join(folder, 'dist') });
});

afterAll(async () => {
  await environment.close();
  await rm(folder, { recursive: true, force: true });
});

describe('the application’s host', () => {
  test.each(['login.payments.localhost', 'suppliers.payments.localhost', 'go.payments.localhost'])(
    '%s answers every navigation with the page and its configuration, uncached',
    async (host) => {
      const page = await ask(at(host, '/activate/some.hash'), { headers: navigation });
      expect(page.status).toBe(200);
      expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(page.headers['cache-control']).toBe('no-store');
      expect(page.text).toContain(`"signOnUrl":"http://login.payments.localhost:${environment.port}"`);
      expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'");
    },
  );

  test('compresses the page with the configuration itself: the build’s copies lack it', async () => {
    const br = await ask(app('/login'), { headers: { ...navigation, 'Accept-Encoding': 'gzip, br' } });
    const gzip = await ask(app('/login'), { headers: { ...navigation, 'Accept-Encoding': 'gzip, br;q=0' } });
    expect([br.headers['content-encoding'], gzip.headers['content-encoding']]).toStrictEqual(['br', 'gzip']);
    expect(brotliDecompressSync(br.bytes).toString()).toContain('"signOnUrl"');
    expect(gunzipSync(gzip.bytes).toString()).toContain('"signOnUrl"');
  });

  test.each(['login.payments.localhost', 'suppliers.payments.localhost', 'go.payments.localhost'])(
    '%s answers curl, and other programs that do not ask for HTML, with the page on every path without a file',
    async (host) => {
      for (const target of ['/', '/login', '/redirect/0123', '/no/such/page', '/index.html', '/%'])
        for (const headers of [{}, { Accept: '*/*' }, { Accept: '*/*', 'Sec-Fetch-Mode': 'cors' }]) {
          const page = await ask(at(host, target), { headers });
          expect([page.status, page.text]).toEqual([200, expect.stringContaining('"signOnUrl"')]);
          const { status, headers: head } = await ask(at(host, target), { method: 'HEAD', headers });
          expect([status, head['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
        }
    },
  );

  test.each([
    ...['/../outside.txt', '/..%2foutside.txt', '/assets/..%5c..%5coutside.txt', '/assets/gone.js'],
    ...['/gone.json', '/favicon.ico', '/.well-known/none', '/main.js.map'],
  ])('answers 404, not the page, to a request for the file %s', async (target) => {
    for (const headers of [{}, { Accept: '*/*' }, { 'Sec-Fetch-Mode': 'no-cors' }]) {
      const answered = await ask(app(target), { headers });
      expect([answered.status, answered.text]).toEqual([404, 'Not found.\n']);
    }
  });
});

describe('the other hosts', () => {
  const signIn = (username: string, headers = {}) =>
    post(
      at('api.payments.localhost', '/auth/v1/token'),
      { username, method: 'basic', password: 'Front-door7' },
      headers,
    );

  test('the service signs in a ready-made account and answers pages of the login hosts', async () => {
    const login = `http://login.payments.localhost:${environment.port}`;
    const answered = await signIn('ada@payments.example', { Origin: login });
    expect(answered.status).toBe(200);
    expect(answered.headers['access-control-allow-origin']).toBe(login);
    const [, claims = ''] = (/"token":"([^"]+)"/.exec(answered.text)?.[1] ?? '').split('.');
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
      personas: { ledger: [{ applicationUrl: `http://ledger.payments.localhost:${environment.port}/` }] },
    });
  });

  test('the start page lists every account, on each of its names', async () => {
    for (const host of ['payments.localhost', 'localhost', '127.0.0.1']) {
      const page = await ask(at(host), { headers: navigation });
      expect(page.status).toBe(200);
      for (const { journey, username } of environment.accounts) {
        expect(page.text).toContain(journey);
        expect(page.text).toContain(username);
      }
    }
  });

  test('the account listed as locked is locked', async () => {
    await environment.service.directory.accounts.unlock();
    await ask(at('payments.localhost'), { headers: navigation });
    const answered = await signIn('locked@payments.example');
    expect(JSON.parse(answered.text)).toMatchObject({
      error: { message: expect.stringContaining('Too many failed login attempts') as unknown },
    });
  });

  test.each(['payments', 'ledger.payments', 'hub.payments', 'outbox.payments', 'partner', 'evil'])(
    '%s.localhost serves its page under a policy without inline scripts or styles',
    async (name) => {
      const page = await ask(at(`${name}.localhost`), { headers: navigation });
      expect(page.status).toBe(200);
      expect(page.headers['content-security-policy']).toContain("script-src 'self'; style-src 'self'");
      expect(page.text).not.toMatch(/<style|\sstyle=|<script(?![^>]*\ssrc=)|\son[a-z]+=/i);
      expect((await ask(at(`${name}.localhost`, '/local/page.css'))).status).toBe(200);
    },
  );

  test('the demo applications run on the client package, and their servers trust no unverified token', async () => {
    for (const name of ['ledger.payments', 'hub.payments', 'partner']) {
      const script = name.replace('.payments', '');
      const { status, text } = await ask(at(`${name}.localhost`, `/local/${script}.js`));
      expect(status).toBe(200);
      expect(text).not.toMatch(/^import /m);
    }
    const me = at('ledger.payments.localhost', '/me');
    expect(JSON.parse((await ask(me)).text)).toEqual({ problem: 'missing' });
    const answered = await ask(me, { headers: { Authorization: 'Bearer e30.e30.e30' } });
    expect([answered.status, JSON.parse(answered.text)]).toEqual([401, { problem: 'algorithm' }]);
  });

  test('the page’s host expires session cookies for its own page only, which names its origin in browsers without Sec-Fetch-Site', async () => {
    const from = async (origin: string) => {
      const options = { method: 'POST', headers: { Origin: origin } };
      const { status, headers } = await ask(app('/expire-session-cookies'), options);
      return [status, headers['set-cookie']];
    };
    const origins = [at('login.payments.localhost', ''), at('ledger.payments.localhost', ''), 'null'];
    const expired = ['session', 'session-refresh', 'session-setup'].map(
      (name) => expect.stringContaining(`-${name}=; Path=/`) as string,
    );
    expect(await Promise.all(origins.map(from))).toEqual([
      [204, expired],
      [403, undefined],
      [403, undefined],
    ]);
  });

  itWith('openid')('Reports holds several sign-ins of one browser at once', async () => {
    const reports = (target: string, cookies: readonly string[] = []) =>
      ask(at('reports.payments.localhost', target), { headers: { Cookie: cookies.join('; ') } });
    const startOf = async () => {
      const { headers } = await reports('/sign-in');
      const { searchParams } = new URL(headers.location ?? '');
      return {
        state: searchParams.get('state') ?? '',
        cookie: headers['set-cookie']?.[0]?.split(';')[0] ?? '',
      };
    };
    const [first, second] = [await startOf(), await startOf()];
    expect(first.cookie).toMatch(new RegExp(`^reports-start-${first.state}=`));
    const cookies = [first.cookie, second.cookie];
    // The end of one leaves the other.
    for (const { state } of [second, first]) {
      const { status, headers } = await reports(`/callback?error=access_denied&state=${state}`, cookies);
      expect([status, headers['set-cookie']]).toEqual([
        302,
        [`reports-start-${state}=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax`],
      ]);
    }
    const { headers } = await reports('/callback?code=x&state=unknown', cookies);
    expect(headers).not.toHaveProperty('set-cookie');
  });

  test('the start page answers 413 to a form that is too large', async () => {
    const options = { method: 'POST', headers: { Origin: at('payments.localhost', '') } };
    const { status, text } = await ask(at('payments.localhost', '/links'), {
      ...options,
      body: 'x'.repeat(1025),
    });
    expect([status, text]).toEqual([413, 'A body of more than 1024 bytes was refused.\n']);
  });

  test('the start page at localhost has the line for the hosts file', async () => {
    const { text } = await ask(at('localhost'));
    expect(text).toContain(
      '127.0.0.1 payments.localhost login.payments.localhost suppliers.payments.localhost',
    );
  });

  test('an unknown host name is rejected, and the control API is not reachable there', async () => {
    expect((await ask(at('example.com'))).status).toBe(421);
    for (const path of ['/journal', '/outbox', '/reset', '/accounts']) {
      expect((await ask(at('control.payments.localhost', path))).status).toBe(404);
    }
  });
});
