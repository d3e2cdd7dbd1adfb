import { itWith, optionsOf } from '../support/extensions.ts';
import { ada, loginOrigin, text, type TestService } from '../support/testService.ts';
import { app, sms } from '../support/secondStep.ts';
import {
  Application,
  broughtBy,
  Browser,
  callback,
  reports,
  sessionCookie,
  startProvider,
  tokensIn,
  type Response_,
} from './application.ts';

const partner = { ...reports, id: 'partner', name: 'Partner portal', url: undefined, consent: true };
/** An address on a host that receives the session. */
const family = 'http://api.payments.localhost:3000/callback';

describe('requests that need the user', () => {
  let service: TestService;
  let browser: Browser;
  let application: Application;

  beforeAll(async () => {
    service = await startProvider([
      { ...reports, logo: 'https://reports.example.com/logo.svg' },
      partner,
      { ...reports, id: 'ledger-only', url: undefined, persona: 'ledger' },
      { ...reports, id: 'payroll-only', url: undefined, persona: 'payroll' },
      { ...reports, id: 'strong', url: undefined, acr: 'urn:vestibule:2' },
      {
        ...{ id: 'device', url: undefined, consent: true },
        redirectUris: ['http://127.0.0.1/callback', 'com.example.app://api.payments.localhost/callback'],
      },
      { id: 'page', url: undefined, redirectUris: [callback, family, 'http://localhost:3000/callback'] },
    ]);
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    jest.restoreAllMocks();
    await service.directory.resetAll();
    await service.write();
    browser = new Browser(service);
    application = new Application(service);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  const idIn = ({ location }: Pick<Response_, 'location'>): string => {
    const [, id] = /\/(?:continue|interaction)\/([^/?]+)$/.exec(location) ?? [];
    if (id === undefined) throw new Error(`${location} is not the page to continue`);
    return id;
  };
  const details = (id: string, bearer: string) => service.get(`/auth/v1/openid/requests/${id}`, { bearer });
  const answer = (id: string, bearer: string, body: object) =>
    service.post(`/auth/v1/openid/requests/${id}`, body, { bearer });
  const wait = (seconds: number): void => {
    const now = Date.now();
    jest.spyOn(Date, 'now').mockImplementation(() => now + seconds * 1000);
  };

  it('lead to /login, with hints, and from there back to the application', async () => {
    const hints = { login_hint: ada, ui_locales: 'de fr' };
    const { location } = await browser.get(application.address(hints));
    const login = new URL(location);
    expect(login.origin + login.pathname).toBe(`${loginOrigin}/login`);
    expect(login.searchParams.get('login_hint')).toBe(ada);
    expect(login.searchParams.get('ui_locales')).toBe('de fr');
    const back = login.searchParams.get('url') ?? '';
    expect(back).toMatch(/^http:\/\/api\.payments\.localhost\/oidc\/interaction\/[\w-]+~reports$/);
    await browser.signIn();
    const code = broughtBy(await browser.get(back))['code'] ?? '';
    expect((await application.exchange(code)).status).toBe(200);
  });

  it('go on in the browser that has begun them only, and once', async () => {
    const back = new URL((await browser.get(application.address())).location).searchParams.get('url') ?? '';
    const other = new Browser(service);
    await other.signIn();
    const over = `${loginOrigin}/continue/${idIn({ location: back })}`;
    expect((await other.get(back)).location).toBe(`${loginOrigin}/continue/over~reports`);
    const bearer = await browser.signIn();
    expect((await browser.get(back)).location).toContain('code=');
    expect((await browser.get(back)).location).toBe(over);
    expect(await details(idIn({ location: back }), bearer)).toMatchObject({
      status: 404,
      body: {
        error: {
          code: 'request_over',
          message: 'This request is over.',
          application: { name: 'Reports', url: 'https://reports.example.com' },
        },
      },
    });
  });

  it('of several tabs go on independently', async () => {
    const [one = '', two = ''] = await Promise.all(
      ['one', 'two'].map(
        async (state) =>
          new URL((await browser.get(application.address({ state }))).location).searchParams.get('url') ?? '',
      ),
    );
    await browser.signIn();
    expect(broughtBy(await browser.get(two))).toMatchObject({ state: 'two' });
    expect(broughtBy(await browser.get(one))).toMatchObject({ state: 'one' });
  });

  it('are refused with prompt=none, and not where nothing is needed', async () => {
    const none = { prompt: 'none' };
    expect(broughtBy(await browser.get(application.address(none)))).toMatchObject({
      ...{ error: 'login_required', state: 'state-1', iss: 'http://api.payments.localhost' },
    });
    await browser.signIn();
    expect(broughtBy(await browser.get(application.address(none)))).toHaveProperty('code');
    const other = new Application(service, 'partner');
    expect(broughtBy(await browser.get(other.address(none)))).toMatchObject({ error: 'consent_required' });
    const step = { ...none, acr_values: 'urn:vestibule:2' };
    expect(broughtBy(await browser.get(application.address(step)))).toMatchObject({
      error: 'login_required',
    });
  });

  it.each([
    ['prompt=login', { prompt: 'login' }, 0],
    ['max_age', { max_age: '60' }, 61],
    ['max_age=0', { max_age: '0' }, 0],
    ['acr_values', { acr_values: 'urn:vestibule:2 urn:vestibule:1' }, 0],
  ])('ask for a proof of identity: %s', async (_what, changes, seconds) => {
    const bearer = await browser.signIn();
    const before = await application.tokens(browser);
    wait(seconds);
    const id = idIn(await browser.get(application.address(changes)));
    expect((await details(id, bearer)).body).toEqual({
      application: {
        name: 'Reports',
        url: 'https://reports.example.com',
        logo: 'https://reports.example.com/logo.svg',
      },
      needs: ['identity'],
      secondStep: null,
      scopes: ['profile', 'email', 'applications', 'offline_access'],
    });
    expect((await answer(id, bearer, { allow: true })).body).toMatchObject({
      error: { code: 'invalid_verification' },
    });
    wait(seconds + 5);
    const authVerificationToken = await service.verified(bearer);
    const { redirectUrl } = (await answer(id, bearer, { allow: true, authVerificationToken })).body;
    expect(redirectUrl).toBe(`http://api.payments.localhost/oidc/interaction/${id}`);
    const code = broughtBy(await browser.get(String(redirectUrl)))['code'] ?? '';
    const after = (await application.exchange(code)).body;
    const claims = JSON.parse(
      Buffer.from(String(after['id_token']).split('.')[1] ?? '', 'base64url').toString(),
    ) as { auth_time: number; acr: string };
    expect(claims.auth_time).toBeGreaterThan(Number(before.claims['auth_time']));
    // A password alone is one factor: the application sees it.
    expect(claims.acr).toBe('urn:vestibule:1');
    expect((await answer(id, bearer, { allow: true, authVerificationToken })).status).toBe(404);
  });

  it('use up the proof of identity', async () => {
    const bearer = await browser.signIn();
    const authVerificationToken = await service.verified(bearer);
    const proveWith = async () => {
      const id = idIn(await browser.get(application.address({ prompt: 'login' })));
      return (await answer(id, bearer, { allow: true, authVerificationToken })).status;
    };
    expect([await proveWith(), await proveWith()]).toEqual([200, 401]);
  });

  it('accept a sign-in for prompt=login and max_age', async () => {
    const { location } = await browser.get(application.address({ prompt: 'login', max_age: '60' }));
    wait(2);
    await browser.signIn();
    const back = new URL(location).searchParams.get('url') ?? '';
    expect(broughtBy(await browser.get(back))).toHaveProperty('code');
  });

  it.each([
    ['an authenticator app', { mfa: app }, ['pwd', 'otp', 'mfa']],
    ['a text message', { mfa: sms }, ['pwd', 'sms', 'mfa']],
  ])('know a second step by %s', async (_what, changes, amr) => {
    await service.write(changes);
    const challenge = text(await service.signIn(), 'authVerificationToken');
    const code = changes.mfa === app ? await service.codeOfApp() : service.outbox.newestCode();
    const session = await service.enterCode(challenge, code);
    browser.keep({ token: text(session, 'token'), refresh: text(session, 'refresh') });
    const strong = new Application(service, 'strong');
    const { claims } = await strong.tokens(browser, { acr_values: 'urn:vestibule:2' });
    expect(claims).toMatchObject({ acr: 'urn:vestibule:2', amr });
  });

  it('know the second step of a trusted device, and none of a magic link', async () => {
    await service.write({ mfa: app });
    const trustedJWT = await service.directory.accounts.trustDevice(ada);
    const session = await service.signIn({ trustedJWT });
    browser.keep({ token: text(session, 'token'), refresh: text(session, 'refresh') });
    expect((await application.tokens(browser)).claims).toMatchObject({
      ...{ acr: 'urn:vestibule:2', amr: ['pwd', 'mfa'] },
    });

    await service.write();
    const link = await service.directory.links.magic(ada, 'ledger');
    const { body } = await service.exchange(link.id);
    browser.keep({ token: String(body['token']), refresh: String(body['refreshToken']) });
    const { claims } = await application.tokens(browser);
    expect(claims['acr']).toBe('urn:vestibule:1');
    expect(claims).not.toHaveProperty('amr');
  });

  it('of a client that requires two factors end with an error if the proof has one', async () => {
    const bearer = await browser.signIn();
    const strong = new Application(service, 'strong');
    const id = idIn(await browser.get(strong.address()));
    const authVerificationToken = await service.verified(bearer);
    const { redirectUrl } = (await answer(id, bearer, { allow: true, authVerificationToken })).body;
    expect(broughtBy(await browser.get(String(redirectUrl)))).toMatchObject({
      error: 'unmet_authentication_requirements',
    });
  });

  it('ask for consent once, for the scopes that are new', async () => {
    const bearer = await browser.signIn();
    const portal = new Application(service, 'partner');
    const id = idIn(await browser.get(portal.address({ scope: 'openid email' })));
    expect((await details(id, bearer)).body).toEqual({
      application: { name: 'Partner portal', url: null, logo: null },
      needs: ['consent'],
      secondStep: null,
      scopes: ['email'],
    });
    const { redirectUrl } = (await answer(id, bearer, { allow: true })).body;
    const code = broughtBy(await browser.get(String(redirectUrl)))['code'] ?? '';
    expect((await portal.exchange(code)).status).toBe(200);
    expect(broughtBy(await browser.get(portal.address({ scope: 'openid email' })))).toHaveProperty('code');
    const next = new Browser(service);
    await next.signIn();
    expect(broughtBy(await next.get(portal.address({ scope: 'openid email' })))).toHaveProperty('code');
    idIn(await browser.get(portal.address({ scope: 'openid email profile' })));
    idIn(await browser.get(portal.address({ scope: 'openid email', prompt: 'consent' })));
  });

  it.each([
    ['device', 'http://127.0.0.1:51004/callback'],
    ['device', 'com.example.app://api.payments.localhost/callback'],
    ['page', 'http://localhost:3000/callback'],
  ])(
    'ask for consent each time if the client (%s) has no secret and another program can claim %s',
    async (client, redirect_uri) => {
      const bearer = await browser.signIn();
      const device = new Application(service, client, null);
      for (let time = 0; time < 2; time++) {
        const response = await browser.get(device.address({ redirect_uri }));
        expect((await details(idIn(response), bearer)).body['needs']).toEqual(['consent']);
        const { code = '' } = broughtBy(await browser.agree(response, bearer));
        expect((await device.exchange(code, { redirect_uri })).status).toBe(200);
        const silent = await browser.get(device.address({ redirect_uri, prompt: 'none' }));
        expect(broughtBy(silent)).toMatchObject({ error: 'consent_required' });
      }
    },
  );

  it.each([callback, family])(
    'need no consent if a client without a secret has an address of its own: %s',
    async (redirect_uri) => {
      await browser.signIn();
      const page = new Application(service, 'page', null);
      expect(broughtBy(await browser.get(page.address({ redirect_uri })))).toHaveProperty('code');
    },
  );

  it('give nothing before the consent, and nothing after a refusal', async () => {
    const bearer = await browser.signIn();
    const portal = new Application(service, 'partner');
    const response = await browser.get(portal.address());
    const id = idIn(response);
    expect((await browser.get(`/oidc/auth/${id}`)).location).not.toContain('code=');
    const again = idIn(await browser.get(portal.address()));
    const { redirectUrl } = (await answer(again, bearer, { allow: false })).body;
    expect(broughtBy(await browser.get(String(redirectUrl)))).toMatchObject({
      ...{ error: 'access_denied', state: 'state-1' },
    });
  });

  it('need both at once', async () => {
    const bearer = await browser.signIn();
    const portal = new Application(service, 'partner');
    const id = idIn(await browser.get(portal.address({ prompt: 'login' })));
    expect((await details(id, bearer)).body['needs']).toEqual(['identity', 'consent']);
    const authVerificationToken = await service.verified(bearer);
    const { redirectUrl } = (await answer(id, bearer, { allow: true, authVerificationToken })).body;
    expect(broughtBy(await browser.get(String(redirectUrl)))).toHaveProperty('code');
  });

  it('are 404 for another session while theirs is open, for everybody when unknown or expired', async () => {
    const bearer = await browser.signIn();
    const id = idIn(await browser.get(application.address({ prompt: 'login' })));
    const other = await new Browser(service).signIn();
    for (const [one, by] of [
      [id, other],
      ['unknown', bearer],
    ] as const) {
      expect((await details(one, by)).status).toBe(404);
      expect((await answer(one, by, { allow: false })).status).toBe(404);
    }
    expect((await details(id, bearer)).status).toBe(200);
    wait(1801);
    await browser.signIn();
    expect((await details(id, await browser.signIn())).status).toBe(404);
  });

  it("go on with another account of the browser after 'Use Another Account'", async () => {
    const bearer = await browser.signIn();
    const portal = new Application(service, 'partner');
    const id = idIn(await browser.get(portal.address()));
    const grace = 'grace@example.com';
    const { uid } = await service.write({ username: grace, email: grace });
    await service.post(
      '/auth/v1/sessions/end',
      { others: true },
      { bearer: text(await service.signIn(), 'token') },
    );
    expect((await details(id, bearer)).status).toBe(401);
    const next = await browser.signIn(grace);
    expect((await details(id, next)).body).toMatchObject({ needs: ['consent'] });
    const { redirectUrl } = (await answer(id, next, { allow: true })).body;
    const code = broughtBy(await browser.get(String(redirectUrl)))['code'] ?? '';
    const { access_token: access } = (await portal.exchange(code)).body;
    expect((await portal.userinfo(String(access))).body).toMatchObject({ sub: uid });
  });

  it('are refused, and recorded, for a person without the persona of the client', async () => {
    await browser.signIn();
    const get = async (client: string) =>
      broughtBy(await browser.get(new Application(service, client).address()));
    expect(await get('ledger-only')).toHaveProperty('code');
    expect(await get('payroll-only')).toMatchObject({ error: 'access_denied' });
    const refusals = [];
    for await (const entry of service.directory.auditLog.read({ event: 'openid-sign-in', username: ada }))
      if (entry.outcome === 'failure') refusals.push(entry);
    expect(refusals).toEqual([
      expect.objectContaining({ method: 'payroll-only', reason: 'access_denied', network: '127.0.0.1' }),
    ]);
  });

  it('that began without the cookie of an older session need a fresh proof all the same', async () => {
    await browser.signIn();
    const cookie = browser.cookies.get(sessionCookie) ?? '';
    for (const wish of [{ prompt: 'login' }, { acr_values: 'urn:vestibule:2' }]) {
      // The form of another site is posted without this cookie.
      browser.cookies.delete(sessionCookie);
      const { location } = await browser.get(application.address(wish));
      browser.cookies.set(sessionCookie, cookie);
      const back = new URL(location).searchParams.get('url') ?? '';
      expect((await browser.get(back)).location).toMatch(/\/continue\/[^/]+$/);
    }
  });

  it('of a user who has lost the persona of the application end: no tokens, and no claims', async () => {
    const ledger = new Application(service, 'ledger-only');
    await browser.signIn();
    const { refresh, access } = await ledger.tokens(browser);
    await service.write({ personas: {} });
    expect((await ledger.refresh(refresh)).body).toMatchObject({ error: 'invalid_grant' });
    expect((await service.get('/oidc/userinfo', { bearer: access })).status).toBe(401);
  });

  it('are refused for another user than that of id_token_hint', async () => {
    await browser.signIn();
    const { id, access } = await application.tokens(browser);
    expect(broughtBy(await browser.get(application.address({ id_token_hint: id })))).toHaveProperty('code');
    expect(broughtBy(await browser.get(application.address({ id_token_hint: access })))).toMatchObject({
      error: 'invalid_request',
    });
    const grace = 'grace@example.com';
    await service.write({ username: grace, email: grace });
    await browser.signIn(grace);
    expect(broughtBy(await browser.get(application.address({ id_token_hint: id })))).toMatchObject({
      error: 'login_required',
    });
  });

  it.each([
    [
      'twice with two values',
      (value: string) => `payments-test-session=${value}; payments-test-session=other`,
    ],
    ['as plain text', () => 'payments-test-session=abc'],
    ['as malformed encoding', () => 'payments-test-session=%E0%A4%A'],
    ['under another name', (value: string) => `payments-other-session=${value}`],
  ])('do not accept a cookie of the session %s', async (_what, cookie) => {
    await browser.signIn();
    const header = cookie(browser.cookies.get(sessionCookie) ?? '');
    const response = await fetch(service.url + application.address(), {
      redirect: 'manual',
      headers: { Cookie: header },
    });
    expect(response.headers.get('location')).toContain('/oidc/interaction/');
  });
});

itWith('passkeys')('a passkey at verify identity raises the level of the session', async () => {
  const { passkeyAuthenticator } = await import('../support/passkeyAuthenticator.ts');
  await using service = await startProvider(undefined, optionsOf('passkeys'));
  await service.write();
  const browser = new Browser(service);
  const bearer = await browser.signIn();
  const device = passkeyAuthenticator(loginOrigin);
  const call = async (name: string, body: object) =>
    (await service.post(`/auth/v1/passkeys/${name}`, body, { bearer })).body as Record<string, never>;
  const added = await call('add/options', { authVerificationToken: await service.verified(bearer) });
  const { key, credential } = device.create(added['publicKey'] as never);
  await call('add', { challengeToken: added['challengeToken'], credential });

  const application = new Application(service);
  expect((await application.tokens(browser)).claims).toMatchObject({ acr: 'urn:vestibule:1', amr: ['pwd'] });
  const { location } = await browser.get(application.address({ acr_values: 'urn:vestibule:2' }));
  const id = /\/continue\/([^/?]+)$/.exec(location)?.[1] ?? '';
  const options = await call('verify/options', {});
  const { authVerificationToken } = await call('verify', {
    challengeToken: options['challengeToken'],
    credential: device.get(key, options['publicKey'] as never),
  });
  const answer = { allow: true, authVerificationToken };
  const { redirectUrl } = (await service.post(`/auth/v1/openid/requests/${id}`, answer, { bearer })).body;
  const { code = '' } = broughtBy(await browser.get(String(redirectUrl)));
  const raised = { acr: 'urn:vestibule:2', amr: ['pop', 'user', 'mfa'] };
  expect(tokensIn((await application.exchange(code)).body).claims).toMatchObject(raised);
  // The level is that of the session from now on.
  expect((await application.tokens(browser, { acr_values: 'urn:vestibule:2' })).claims).toMatchObject(raised);
});
