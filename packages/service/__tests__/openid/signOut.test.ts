import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify, type JSONWebKeySet } from 'jose';
import { newDatabase, withClient } from '../support/postgres.ts';
import { ada, issuer, loginOrigin, text, type TestService } from '../support/testService.ts';
import {
  Application,
  Browser,
  createListener,
  reports,
  sessionCookie,
  startProvider,
  type Tokens,
} from './application.ts';

const bye = 'https://reports.example.com/bye';

describe('a sign-out', () => {
  const listener = createListener();
  let service: TestService;
  let browser: Browser;
  let application: Application;
  let bearer: string;
  let tokens: Tokens;

  beforeAll(async () => {
    service = await startProvider(
      [
        { ...reports, backchannelLogoutUri: await listener.start() },
        { ...reports, id: 'other', url: undefined, postLogoutRedirectUris: [] },
      ],
      { languages: ['en', 'de', 'fr', 'ar'] },
    );
  });
  afterAll(async () => {
    await service.close();
    await listener.stop();
  });
  beforeEach(async () => {
    listener.respond(200);
    await service.directory.resetAll();
    await service.write();
    browser = new Browser(service);
    application = new Application(service);
    bearer = await browser.signIn();
    tokens = await application.tokens(browser);
    listener.tokens.length = 0;
  });

  const isOpen = async () => (await service.get('/auth/v1/sessions', { bearer })).status === 200;
  const logout = (parameters: Readonly<Record<string, string>>, by = browser) =>
    by.get(`/oidc/logout?${new URLSearchParams(parameters).toString()}`);

  it('with an id_token_hint ends the session without a question, and goes on', async () => {
    const { status, location } = await logout({
      ...{ id_token_hint: tokens.id, post_logout_redirect_uri: bye, state: 's 1' },
    });
    expect([status, location]).toEqual([303, `${bye}?state=s+1`]);
    expect(await isOpen()).toBe(false);
    expect(browser.cookies.has(sessionCookie)).toBe(false);
    expect(await application.isActive(tokens.access)).toBe(false);
    await listener.until(1);
  });

  it('ends nothing without the cookie of its session', async () => {
    const later = new Browser(service);
    const asked = { id_token_hint: tokens.id, post_logout_redirect_uri: bye };
    expect((await logout(asked, later)).location).toBe(bye);
    expect(await isOpen()).toBe(true);
    await later.signIn();
    expect((await logout(asked, later)).status).toBe(200);
    expect(await isOpen()).toBe(true);
  });

  it('counts an empty parameter as absent', async () => {
    const empty = { client_id: '', post_logout_redirect_uri: '', state: '' };
    expect((await logout({ id_token_hint: tokens.id, ...empty })).location).toBe(`${loginOrigin}/login`);
    expect(await isOpen()).toBe(false);
  });

  it('without a hint asks, and ends the session when the question is answered', async () => {
    const asked = await logout({ client_id: 'reports', post_logout_redirect_uri: bye, state: '<x">' });
    expect(asked.status).toBe(200);
    expect(asked.text).toContain('Do you want to sign out?');
    expect(asked.text).not.toContain('<x">');
    expect(asked.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(await isOpen()).toBe(true);
    const fields = [...asked.text.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(
      ([, name = '', value = '']): [string, string] => [
        name,
        value.replace(/&#(\d+);/g, (_all, code: string) => String.fromCharCode(Number(code))),
      ],
    );
    const done = await browser.request('POST', '/oidc/logout', new URLSearchParams(fields));
    expect([done.status, done.location]).toEqual([303, `${bye}?state=%3Cx%22%3E`]);
    expect(await isOpen()).toBe(false);
  });

  it.each<[string, object, string]>([
    ['of their choice', { Cookie: 'payments-test-language=de' }, 'ui_locales=fr'],
    ['that the application asks for', { 'Accept-Language': 'ar' }, 'ui_locales=xx%20de-AT'],
    ['of their browser', { 'Accept-Language': 'sv,de;q=0.5' }, ''],
  ])('asks readers in the language %s', async (_what, headers: { Cookie?: string }, query) => {
    const session = `payments-test-session=${browser.cookies.get(sessionCookie) ?? ''}`;
    const response = await fetch(`${service.url}/oidc/logout?${query}`, {
      headers: { ...headers, Cookie: [session, headers.Cookie].filter(Boolean).join('; ') },
    });
    const page = await response.text();
    expect(page).toContain('<html lang="de">');
    expect(page).toContain('Möchten Sie sich abmelden?');
    expect(response.headers.get('Content-Language')).toBe('de');
    expect(response.headers.get('Vary')).toContain('Accept-Language');
  });

  it('asks readers in Arabic from right to left, and in English without a wish', async () => {
    expect((await logout({ ui_locales: 'ar' })).text).toContain('<html lang="ar" dir="rtl">');
    expect((await logout({})).text).toContain('<html lang="en">');
  });

  it('reads eight languages of a request, because thousands would stop the process for seconds', async () => {
    const asked = (count: number) => ({ ui_locales: `${'xx '.repeat(count)}de` });
    expect((await logout(asked(7))).text).toContain('<html lang="de">');
    expect((await logout(asked(8))).text).toContain('<html lang="en">');
    expect((await logout({ ui_locales: `${'x'.repeat(200)} de` })).text).toContain('<html lang="en">');
  });

  it('is recorded with the network and the device', async () => {
    await logout({ id_token_hint: tokens.id });
    const entries = [];
    for await (const entry of service.directory.auditLog.read({ event: 'openid-sign-out' }))
      entries.push(entry);
    expect(entries).toEqual([
      expect.objectContaining({ outcome: 'success', network: '127.0.0.1', device: 'node' }),
    ]);
  });

  it('cannot be forged by another page', async () => {
    const forged = [
      {},
      { question: 'x' },
      { question: bearer },
      { question: tokens.id },
      { id_token_hint: 'x.y.z' },
    ];
    for (const form of forged) await browser.request('POST', '/oidc/logout', new URLSearchParams(form));
    const other = new Browser(service);
    await other.signIn();
    const asked = await logout({}, other);
    const question = /name="question" value="([^"]+)"/.exec(asked.text)?.[1] ?? '';
    await browser.request('POST', '/oidc/logout', new URLSearchParams({ question }));
    expect(await isOpen()).toBe(true);
  });

  it.each<[string, () => Readonly<Record<string, string>>]>([
    ['an address of nobody', () => ({ id_token_hint: tokens.id, post_logout_redirect_uri: `${bye}/` })],
    ['an address without a client', () => ({ post_logout_redirect_uri: bye })],
    ['the address of another client', () => ({ client_id: 'other', post_logout_redirect_uri: bye })],
    ['a hint of another client', () => ({ client_id: 'other', id_token_hint: tokens.id })],
    ['a hint that was changed', () => ({ id_token_hint: `${tokens.id.slice(0, -4)}AAAA` })],
    ['a session token as the hint', () => ({ id_token_hint: bearer })],
    ['an access token as the hint', () => ({ id_token_hint: tokens.access })],
    ['an unknown client', () => ({ client_id: 'unknown' })],
  ])('with %s asks, signs out then, and does not follow the address', async (_what, parameters) => {
    const asked = await logout(parameters());
    expect([asked.status, await isOpen()]).toEqual([200, true]);
    const question = /name="question" value="([^"]+)"/.exec(asked.text)?.[1] ?? '';
    const form = new URLSearchParams({ ...parameters(), question });
    expect((await browser.request('POST', '/oidc/logout', form)).location).toBe(`${loginOrigin}/login`);
    expect(await isOpen()).toBe(false);
  });

  it.each<[string, () => Promise<unknown>]>([
    [
      'on another device',
      async () => {
        const own = text(await service.signIn(), 'token');
        await service.post('/auth/v1/sessions/end', { others: true }, { bearer: own });
      },
    ],
    ['by `accounts disable`', () => service.directory.accounts.disable(ada)],
    ['by `accounts end-sessions`', () => service.directory.accounts.endSessions(ada)],
    ['by `accounts erase`', () => service.directory.accounts.remove(ada)],
  ])('%s is posted to the applications of the session within two seconds', async (_how, end) => {
    await end();
    await listener.until(1, 2_000);
    const [token = ''] = listener.tokens;
    expect(decodeProtectedHeader(token)).toMatchObject({ typ: 'logout+jwt' });
    const { keys } = (await service.get('/.well-known/jwks.json')).body;
    const { payload } = await jwtVerify(token, createLocalJWKSet({ keys } as JSONWebKeySet), {
      issuer,
      audience: 'reports',
    });
    expect(payload).toMatchObject({
      sub: tokens.claims.sub,
      sid: tokens.claims['sid'],
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
      jti: expect.any(String) as unknown,
    });
    expect(payload).not.toHaveProperty('nonce');
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(listener.tokens).toHaveLength(1);
  });

  it.each([500, 400])('is posted again until the application accepts it: %i', async (status) => {
    listener.respond(status);
    await service.directory.accounts.endSessions(ada);
    const waiting = async () => service.directory.messages.pending();
    const end = Date.now() + 5_000;
    while (!(await waiting()).some(({ lastError }) => lastError !== null) && Date.now() < end)
      await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await waiting()).toEqual([
      expect.objectContaining({
        channel: 'back-channel-logout',
        state: 'waiting',
        lastError: `http-${status}`,
      }),
    ]);
    listener.respond(200);
    await listener.until(1, 10_000);
    expect(decodeJwt(listener.tokens[0] ?? '')).toMatchObject({ sid: tokens.claims['sid'] });
  });

  it('is posted to an application that was down for an hour when it is back', async () => {
    await listener.stop();
    const [real, began] = [Date.now.bind(Date), Date.now()];
    let ahead = 0;
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => real() + ahead);
    const untilRefused = async (attempts: number): Promise<void> => {
      const refused = { channel: 'back-channel-logout', attempts, lastError: 'ECONNREFUSED' };
      const end = performance.now() + 8_000;
      let [message] = await service.directory.messages.pending();
      while (!(message?.attempts === attempts && message.lastError !== null) && performance.now() < end) {
        await new Promise((resolve) => setTimeout(resolve, 20));
        [message] = await service.directory.messages.pending();
      }
      expect(message).toMatchObject(refused);
    };
    try {
      await service.directory.accounts.endSessions(ada);
      await untilRefused(1);
      ahead = 3_600_000;
      await untilRefused(2);
      await listener.start();
      await listener.until(1, 15_000);
      expect(decodeJwt(listener.tokens[0] ?? '').iat).toBeGreaterThanOrEqual((began + ahead) / 1000 - 1);
    } finally {
      clock.mockRestore();
    }
  });

  it('of another session, and a session without applications, post nothing', async () => {
    await new Browser(service).signIn();
    const own = text(await service.signIn(), 'token');
    const ids = (
      (await service.get('/auth/v1/sessions', { bearer: own })).body['sessions'] as { id: string }[]
    )
      .map(({ id }) => id)
      .filter((id) => id !== tokens.claims['sid']);
    await service.post('/auth/v1/sessions/end', { ids }, { bearer: own });
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(listener.tokens).toEqual([]);
  });
});

describe('the next process tells the application', () => {
  const listener = createListener();
  const passDay = (): void => {
    const now = Date.now.bind(Date);
    jest.spyOn(Date, 'now').mockImplementation(() => now() + 86_401_000);
  };
  let url: string;
  let options: Parameters<typeof startProvider>;
  let first: TestService;
  let sid: unknown;

  beforeEach(async () => {
    const clients = [{ ...reports, backchannelLogoutUri: await listener.start() }];
    url = await newDatabase();
    options = [clients, { database: { url } }];
    first = await startProvider(...options);
    await first.write();
    const browser = new Browser(first);
    await browser.signIn();
    ({ sid } = (await new Application(first).tokens(browser)).claims);
    listener.tokens.length = 0;
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await listener.stop();
  });

  const expectTold = async (): Promise<void> => {
    await listener.until(1, 10_000);
    expect(listener.tokens.map((token) => decodeJwt(token)['sid'])).toEqual([sid]);
  };

  it.each<[string, () => Promise<void> | void]>([
    ['whose row was removed', () => first.directory.resetAll()],
    ['that has expired', passDay],
  ])('of a session %s', async (_what, end) => {
    await end();
    await first.close();
    expect(listener.tokens).toEqual([]);
    await using _next = await startProvider(...options);
    await expectTold();
  });

  it('of a session that has expired, as soon as no other transaction locks its connection', async () => {
    await first.close();
    passDay();
    await withClient(url, async (client) => {
      await client.query('begin');
      await client.query(`select from openid_artifacts where model = 'Connection' for update`);
      await using _next = await startProvider(...options);
      await new Promise((resolve) => setTimeout(resolve, 500));
      expect(listener.tokens).toEqual([]);
      await client.query('commit');
      await expectTold();
    });
  });
});
