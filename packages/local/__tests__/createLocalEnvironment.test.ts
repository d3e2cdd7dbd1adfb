import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createCookieJar, parseJson, writeSession, type CookieJar } from '@vestibule/client/cookies';
import { createService, totpCode, type Service } from '@vestibule/service';
import { itWith } from '@vestibule/service/testing/extensions';
import { newDatabase } from '@vestibule/service/testing/postgres';
import { account, readyAuthenticatorKey, readyPassword } from '../src/accounts.ts';
import { ownClient } from '../src/clients.ts';
import {
  createLocalEnvironment,
  type LocalEnvironment,
  type PageEnvironment,
} from '../src/createLocalEnvironment.ts';
import { listen, type Listening } from '../src/http/listen.ts';
import { loopbackFetch } from '../src/http/loopbackFetch.ts';
import { ask, navigation, post } from './support/ask.ts';
import { codeFor, redirectUri } from './support/providerFlow.ts';

const hour = 3_600_000;
const orders = 'http://orders.payments.localhost:3000';
const zoe = { username: 'zoe@orders.example', personas: { orders: [{ applicationUrl: `${orders}/` }] } };
const shop = ownClient('shop');

let distFolder: string;
beforeAll(async () => {
  distFolder = await mkdtemp(path.join(tmpdir(), 'vestibule-page-'));
  const page = '<!doctype html><script type="application/json" id="app-config">{}</script>';
  await writeFile(path.join(distFolder, 'index.html'), page);
});
afterAll(() => rm(distFolder, { recursive: true }));

describe('an environment with the bundled service', () => {
  let environment: LocalEnvironment;
  beforeAll(async () => {
    environment = await createLocalEnvironment({
      databaseUrl: await newDatabase(),
      distFolder,
      accounts: [zoe],
      applications: [`${orders}/`],
      service: { clients: [shop.client] },
    });
  });
  beforeEach(() => environment.reset());
  afterAll(() => environment.close());

  const call = (path: string, body: object, headers: Record<string, string> = {}) =>
    post(environment.origins.api + path, body, headers);
  const refreshTokenOf = async (username: string): Promise<string> => {
    const [, refresh] = await environment.signInAs(username);
    return decodeURIComponent(refresh?.value ?? '');
  };

  test.each([
    ['an account of the team', zoe],
    ['a ready-made account', 'ada@payments.example'],
    ['an account that enters a code of an app', 'authenticator@payments.example'],
    ['an account that enters a code of a text message', 'text-message@payments.example'],
    ['an account of a provider', 'google@payments.example'],
  ])('%s is signed in by cookies for a browser', async (_, account) => {
    const cookies = await environment.signInAs(account);
    expect(cookies.map(({ name, value: _value, ...attributes }) => [name, attributes])).toStrictEqual(
      ['payments-local-session', 'payments-local-session-refresh'].map((name) => [
        name,
        { domain: '.payments.localhost', path: '/', sameSite: 'Lax', secure: false },
      ]),
    );
    const { authenticated } = JSON.parse(decodeURIComponent(cookies[0]?.value ?? '')) as {
      authenticated: { token: string; refresh: string };
    };
    expect(
      JSON.parse(Buffer.from(authenticated.token.split('.')[1] ?? '', 'base64url').toString()),
    ).toMatchObject({ username: typeof account === 'string' ? account : account.username });
    expect((await call('/auth/v1/refresh', { refresh: authenticated.refresh })).status).toBe(200);
  });

  itWith('confirmations')(
    'a client of the team has payments confirmed, with the secret that is printed',
    async () => {
      const payment = { amount: { value: '149.90', currency: 'EUR' }, payee: { name: 'Northwind' } };
      const ask = (secret: string) =>
        call(
          '/auth/v1/confirmations',
          { uid: 'none', ...payment, returnUrl: `${orders}/paid` },
          { Authorization: `Basic ${Buffer.from(`shop:${secret}`).toString('base64')}` },
        );
      expect((await ask(shop.secret)).text).toContain('"This person has no account."');
      expect((await ask('the-secret-of-ledger-in-the-local-environment')).status).toBe(401);
    },
  );

  test.each(['ledger', 'a b', ''])('a client of the team is not called %j', (id) => {
    expect(() => ownClient(id)).toThrow(`none of the ready ones, not '${id}'`);
  });

  itWith('confirmations')('the server of the ledger is told how a payment has ended', async () => {
    const [session] = await environment.signInAs('ada@payments.example');
    const { authenticated } = JSON.parse(decodeURIComponent(session?.value ?? '')) as {
      authenticated: { token: string };
    };
    const bearer = { Authorization: `Bearer ${authenticated.token}` };
    const asked = await post(`${environment.origins.ledger}/payment`, {}, bearer);
    const { id } = JSON.parse(asked.text) as { id: string };
    const shown = async () =>
      JSON.parse((await ask(`${environment.origins.ledger}/payment?id=${id}`)).text) as { heard: string };
    expect(await shown()).toEqual({ outcome: 'Not paid: open.', heard: '' });
    await call(`/auth/v1/confirmations/${id}/decline`, {}, bearer);
    let now = await shown();
    while (now.heard === '') now = await shown();
    expect(now).toEqual({ outcome: 'Not paid: declined.', heard: 'The server was told: declined.' });
  });

  test('an account that must set up its second step gets the cookie of setup mode', async () => {
    const cookies = await environment.signInAs('must-set-up@payments.example');
    expect(cookies.map(({ name }) => name)).toStrictEqual(['payments-local-session-setup']);
  });

  test('all cookies of the worst usual case together take less than 6 kB, so that no host refuses them', async () => {
    const token = async (body: object) => {
      const { status, text } = await call('/auth/v1/token', body);
      expect(status).toBe(200);
      return (name: string): string => String(parseJson(text)?.[name]);
    };
    const ada = { username: 'ada@payments.example', method: 'basic', password: readyPassword };
    const session = await token(ada);
    const setup = await token({ ...ada, username: 'must-set-up@payments.example' });
    const theo = { username: 'authenticator@payments.example', method: 'basic' };
    const challenge = await token({ ...theo, password: readyPassword });
    const trusted = await token({
      ...theo,
      authVerificationToken: challenge('authVerificationToken'),
      mfaCode: totpCode(readyAuthenticatorKey, await environment.clock.advance(0)),
      trust: true,
    });
    const device = await call('/auth/v1/devices/known', {}, { Authorization: `Bearer ${session('token')}` });
    const { url } = await environment.makeLink({
      kind: 'magic',
      username: ada.username,
      application: 'ledger',
    });
    const magiclinkId = new URL(url).pathname.split('/').at(-1) ?? '';
    const link = await token({ method: 'magiclink', magiclinkId });

    /** What `document.cookie` holds, and so the header `Cookie`. The set-up cookie replaces those of the session. */
    const bytesOf = (write: (jar: CookieJar, prefix: string) => void): number => {
      const pairs = new Map<string, string>();
      const document = {
        get cookie() {
          return Array.from(pairs, (pair) => pair.join('=')).join('; ');
        },
        set cookie(text: string) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
          pairs.set(name, value);
        },
      };
      // js-cookie writes into the global one.
      Object.assign(globalThis, { document });
      const prefix = 'payments-local';
      write(createCookieJar({ document } as unknown as Window, { prefix }), prefix);
      Reflect.deleteProperty(globalThis, 'document');
      return document.cookie.length;
    };
    const inBrowser = (ofSession: Parameters<typeof bytesOf>[0]) =>
      bytesOf((jar, prefix) => {
        const put = (name: string, value: string) => {
          expect(jar.write(`${prefix}-${name}`, value)).toBe(true);
        };
        ofSession(jar, prefix);
        for (let index = 0; index < 8; index += 1)
          put(`session-trust-user.${String(index)}@payments.example`, trusted('trustedToken'));
        for (let index = 0; index < 4; index += 1) {
          const magic = { token: link('token'), refreshToken: link('refreshToken') };
          put(`session-${String(index).repeat(64)}`, JSON.stringify(magic));
          // The longest state, as of base64url of 256 bits.
          put(`oauth-${String(index).repeat(43)}`, 'microsoft');
        }
        put('username', ada.username);
        put('device', String(parseJson(device.text)?.['deviceToken']));
        put('lease', '0'.repeat(17));
        put('language', 'zh-Hant-TW');
      });
    const tokens = { token: session('token'), refresh: session('refresh') };
    expect(inBrowser((jar, prefix) => expect(writeSession(jar, prefix, tokens)).toBe(true))).toBeLessThan(
      6000,
    );
    const ofSetup = JSON.stringify({ mfaToken: setup('mfaJWT') });
    expect(inBrowser((jar, prefix) => jar.write(`${prefix}-session-setup`, ofSetup))).toBeLessThan(6000);
  });

  test('says why a user cannot be signed in', async () => {
    await expect(environment.signInAs('nobody')).rejects.toThrow("This environment has no account 'nobody'.");
    await expect(environment.signInAs('locked@payments.example')).rejects.toThrow(
      'Too many failed login attempts',
    );
  });

  test('faults and the journal concern the calls of pages, not those of signInAs', async () => {
    await environment.setFault({ fault: { kind: 'answer', status: 503, body: {} } });
    expect(await environment.signInAs(zoe)).toHaveLength(2);
    expect(await environment.journal()).toStrictEqual([]);
    expect((await call('/auth/v1/refresh', { refresh: 'x' })).status).toBe(503);
  });

  test('a session expires when the clock is advanced, and reset sets the clock back', async () => {
    const refresh = await refreshTokenOf('ada@payments.example');
    const later = await environment.clock.advance(9 * hour);
    expect(later - Date.now()).toBeGreaterThan(8.9 * hour);
    expect((await call('/auth/v1/refresh', { refresh })).status).toBe(401);
    expect(await environment.signInAs('authenticator@payments.example')).toHaveLength(2);
    await environment.signInAs('text-message@payments.example');
    expect((await environment.outbox())[0]?.at).toBeGreaterThanOrEqual(later);

    await environment.reset();
    expect(Math.abs((await environment.clock.advance(0)) - Date.now())).toBeLessThan(hour);
    const again = await refreshTokenOf('ada@payments.example');
    expect((await call('/auth/v1/refresh', { refresh: again })).status).toBe(200);
  });

  test('a provider follows the clock', async () => {
    await environment.clock.advance(9 * hour);
    const username = 'google@payments.example';
    const { code } = await codeFor('google', environment.port, username);
    expect((await call('/auth/v1/token', { username, method: 'google', code })).status).toBe(200);
  });

  test('an application of the team may call the service and embed the page, and the page redirects there', async () => {
    const refresh = await refreshTokenOf(zoe.username);
    const answered = await call('/auth/v1/refresh', { refresh }, { Origin: orders });
    expect(answered.headers['access-control-allow-origin']).toBe(orders);
    const page = await ask(`${environment.origins.app}/login`, { headers: navigation });
    expect(page.headers['content-security-policy']).toMatch(new RegExp(`frame-ancestors [^;]*${orders}`));
    expect(page.text).toContain(`:${environment.port}","orders.payments.localhost:3000"]`);
  });

  test('rejects an invalid account before it starts', async () => {
    const invalid = { ...zoe, personas: 'orders' };
    await expect(createLocalEnvironment({ accounts: [invalid as never] })).rejects.toThrow('Invalid type');
  });
});

describe('an environment in front of a service of a team', () => {
  let listening: Listening;
  let service: Service;
  let serviceUrl: string;
  let environment: PageEnvironment;
  beforeAll(async () => {
    listening = await listen(
      http.createServer((request, response) => {
        service.handle(request, response);
      }),
      0,
    );
    serviceUrl = `http://127.0.0.1:${listening.port}`;
    environment = await createLocalEnvironment({ serviceUrl, distFolder });
    const { origins, registrations, port } = environment;
    service = await createService({
      database: { url: await newDatabase() },
      issuer: serviceUrl,
      allowedOrigins: [origins.app],
      encryptionKey: Buffer.alloc(32, 'key').toString('base64'),
      links: { signOnUrl: origins.app, shortLinkUrl: origins.shortLinks },
      providers: {
        google: registrations.google,
        redirectUri: redirectUri(port),
        fetch: loopbackFetch(port),
      },
    });
  });
  afterAll(async () => {
    await environment.close();
    await listening.close();
    await service.close();
  });

  test('has the page call that service', async () => {
    const page = await ask(`${environment.origins.app}/login`, { headers: navigation });
    expect(page.text).toContain(`"serviceUrl":"${serviceUrl}"`);
    expect(page.headers['content-security-policy']).toMatch(new RegExp(`connect-src [^;]*${serviceUrl}`));
  });

  test('has providers that sign in users of that service, and can misbehave', async () => {
    const names = { firstName: 'Ada', lastName: 'Park' };
    const ada = account('ada@payments.example', {}, { ...names, methods: [{ method: 'google' }] });
    await service.directory.accounts.ensure(ada);
    const { code } = await codeFor('google', environment.port, 'ada@payments.example');
    const credentials = { username: 'ada@payments.example', method: 'google', code };
    const signedIn = await post(`${serviceUrl}/auth/v1/token`, credentials);
    expect([signedIn.status, signedIn.text]).toStrictEqual([200, expect.stringContaining('"refresh"')]);
    // A demo application verifies the token with the keys of that service.
    const { token } = JSON.parse(signedIn.text) as { readonly token: string };
    const me = await ask(`${environment.origins.ledger}/me`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    expect([me.status, me.text]).toStrictEqual([200, expect.stringContaining('"name":"Ada"')]);
    await environment.setProvider({ provider: 'google', trouble: 'down' });
    await expect(ask(environment.origins.google)).rejects.toThrow(/hang up|ECONNRESET/);
  });

  test('has no host of the bundled service, and no list of accounts', async () => {
    for (const host of ['api', 'outbox'])
      expect((await ask(`http://${host}.payments.localhost:${environment.port}/`)).status).toBe(421);
    const start = await ask(`${environment.origins.start}/`, { headers: navigation });
    expect(start.text).toContain('in front of your service');
    expect(start.text).not.toContain('ada@payments.example');
  });

  test('what needs the bundled service is absent', () => {
    // @ts-expect-error also of the types
    expect(environment.signInAs).toBeUndefined();
    // @ts-expect-error also of the types
    expect(environment.outbox).toBeUndefined();
    // @ts-expect-error also of the types
    expect(environment.setFault).toBeUndefined();
  });
});
