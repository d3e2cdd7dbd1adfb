import { decodeJwt } from 'jose';
import { controlClient, type ControlClient } from '../src/control/client.ts';
import { originOf } from '../src/hosts.ts';
import { microsoftTenantId, type ProviderName } from '../src/registration.ts';
import type { RunningEnvironment } from '../src/localEnvironment.ts';
import { ask, post } from './support/ask.ts';
import { pageOf, queryOf } from './support/providerBrowser.ts';
import { authorizationRequest, browserOn, codeFor, signInAt } from './support/providerFlow.ts';
import { type RunningProviders, startProviders } from './support/startProviders.ts';
import { startQuickEnvironment } from './support/startQuickEnvironment.ts';

describe('the providers of the local environment', () => {
  const googleOnly = 'google@payments.example';
  const allMethods = 'all-methods@payments.example';
  const both: readonly ProviderName[] = ['google', 'microsoft'];

  let running: RunningProviders;
  beforeAll(async () => {
    running = await startProviders();
  });
  beforeEach(() => {
    running.behaviours.reset();
  });
  afterAll(() => running.close());

  /** The ID token for a code, unverified. */
  async function idTokenOf(
    provider: ProviderName,
    { code, codeVerifier }: { code: string; codeVerifier: string },
  ): Promise<ReturnType<typeof decodeJwt>> {
    const client = running.options[provider];
    const token = provider === 'google' ? '/token' : `/${microsoftTenantId}/oauth2/v2.0/token`;
    const answered = await ask(originOf(provider, running.port) + token, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code,
        redirect_uri: running.options.redirectUri,
        client_id: client?.clientId ?? '',
        client_secret: client?.clientSecret ?? '',
        ...(provider === 'microsoft' ? { code_verifier: codeVerifier } : {}),
      }).toString(),
    });
    expect([answered.status, answered.text]).toStrictEqual([200, expect.stringContaining('id_token')]);
    return decodeJwt(/"id_token":"([^"]+)"/.exec(answered.text)?.[1] ?? '');
  }
  test('the Microsoft-type provider has one tenant; any other address is not found', async () => {
    const origin = originOf('microsoft', running.port);
    const { address } = authorizationRequest('microsoft', running.port);
    const other = address.replace(microsoftTenantId, '11111111-2222-4333-8444-555555555555');
    for (const target of [other, `${origin}/.well-known/openid-configuration`]) {
      expect((await ask(target)).status).toBe(404);
    }
  });

  test.each(both)(
    '%s signs a user in, asks for consent, and returns code, state and issuer',
    async (provider) => {
      const browser = browserOn(running.port);
      const { address, state } = authorizationRequest(provider, running.port, { login_hint: googleOnly });
      const signIn = pageOf(await browser.go(address));
      expect(signIn.text).toMatch(new RegExp(`name="email"[^>]*value="${googleOnly}"`));
      const consent = pageOf(
        await browser.press(signIn, 'sign-in', { email: googleOnly, password: 'Front-door7' }),
      );
      expect(consent.text).toContain(`<strong>${googleOnly}</strong>`);
      const query = queryOf(await browser.press(consent, 'allow'));
      expect(Object.keys(query).sort()).toStrictEqual(['code', 'iss', 'state']);
      expect(query['state']).toBe(state);
    },
  );

  test.each(both)(
    '%s asks for the user when another one is expected, and accepts the other',
    async (provider) => {
      const browser = browserOn(running.port);
      await signInAt(browser, authorizationRequest(provider, running.port).address, googleOnly);
      const { address, codeVerifier } = authorizationRequest(provider, running.port, {
        login_hint: allMethods,
      });
      expect(pageOf(await browser.go(address)).text).toContain('<h1>Sign in</h1>');
      const { code = '' } = queryOf(await signInAt(browser, address, allMethods));
      expect(await idTokenOf(provider, { code, codeVerifier })).toMatchObject({ email: allMethods });
    },
  );

  test('the consent page lets the user switch accounts', async () => {
    const browser = browserOn(running.port);
    await signInAt(browser, authorizationRequest('google', running.port).address, googleOnly);
    const { address, codeVerifier } = authorizationRequest('google', running.port);
    const other = pageOf(await browser.press(pageOf(await browser.go(address)), 'other'));
    const consent = pageOf(
      await browser.press(other, 'sign-in', { email: allMethods, password: 'Front-door7' }),
    );
    const { code = '' } = queryOf(await browser.press(consent, 'allow'));
    expect(await idTokenOf('google', { code, codeVerifier })).toMatchObject({ email: allMethods });
  });

  test('a wrong password is rejected, and the user can cancel', async () => {
    const browser = browserOn(running.port);
    const page = pageOf(await browser.go(authorizationRequest('google', running.port).address));
    const refused = pageOf(await browser.press(page, 'sign-in', { email: googleOnly, password: 'wrong' }));
    expect([refused.status, refused.text]).toStrictEqual([
      401,
      expect.stringContaining('nobody here with this e-mail and password'),
    ]);
    expect(queryOf(await browser.press(refused, 'cancel'))).toMatchObject({ error: 'access_denied' });
  });

  test('the Microsoft-type provider rejects a request without PKCE', async () => {
    const { address } = authorizationRequest('microsoft', running.port, {
      code_challenge: null,
      code_challenge_method: null,
    });
    expect(queryOf(await browserOn(running.port).go(address))).toMatchObject({ error: 'invalid_request' });
  });

  test('an unregistered redirect URI gets an error page, with the input as text', async () => {
    const { address } = authorizationRequest('google', running.port, {
      redirect_uri: 'http://evil.localhost/"><script>',
    });
    const page = pageOf(await browserOn(running.port).go(address));
    expect([page.status, page.text]).toStrictEqual([400, expect.stringContaining('invalid_redirect_uri')]);
    expect(page.text).not.toContain('<script');
  });

  test('an interaction that has expired, or belongs to another browser, gets an error page', async () => {
    const browser = browserOn(running.port);
    const page = pageOf(await browser.go(authorizationRequest('google', running.port).address));
    const otherBrowser = pageOf(await browserOn(running.port).go(page.address));
    expect([otherBrowser.status, otherBrowser.text]).toStrictEqual([
      400,
      expect.stringContaining('Close this window and start again.'),
    ]);
  });

  test('the pages run no script, and their forms submit to themselves and the application only', async () => {
    const page = pageOf(
      await browserOn(running.port).go(authorizationRequest('google', running.port).address),
    );
    const policy = String(page.headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('script-src');
    expect(policy).toContain(`form-action 'self' ${originOf('app', running.port)};`);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(page.text).not.toMatch(/<script|<style|\sstyle=|\son[a-z]+=/i);
    expect(page.headers).not.toHaveProperty('cross-origin-opener-policy');
    const sheet = await ask(`${originOf('google', running.port)}/local/page.css`);
    expect([sheet.status, sheet.headers['content-type']]).toStrictEqual([200, 'text/css; charset=utf-8']);
  });
});

describe('providers troubles', () => {
  const googleOnly = 'google@payments.example';
  const both: readonly ProviderName[] = ['google', 'microsoft'];

  let environment: RunningEnvironment;
  let control: ControlClient;
  beforeAll(async () => {
    environment = await startQuickEnvironment({ journal: true });
    control = controlClient(environment.port);
  }, 60_000);
  beforeEach(() => control.reset());
  afterAll(() => environment.close());

  const open = (provider: ProviderName) => ask(authorizationRequest(provider, environment.port).address);

  describe('an environment', () => {
    test('signs in the account with a plus-suffix under its mailbox', async () => {
      const { code } = await codeFor('google', environment.port, 'plus@payments.example');
      const body = { username: 'plus+suffix@payments.example', method: 'google', code };
      const answered = await post(`${originOf('api', environment.port)}/auth/v1/token`, body);
      expect(answered.status).toBe(200);
    });
  });

  describe('a misbehaving provider', () => {
    test.each(both)(
      '%s refuses consent: the application gets the error and its state, and no code',
      async (provider) => {
        await control.setProvider({ provider, trouble: 'refuse' });
        const { address, state } = authorizationRequest(provider, environment.port);
        const query = queryOf(await signInAt(browserOn(environment.port), address, googleOnly));
        expect(query).toMatchObject({ error: 'access_denied', state });
        expect(query).not.toHaveProperty('code');
      },
    );

    test('reports two troubles at once', async () => {
      await control.setProvider({ provider: 'google', openerPolicy: 'same-origin' });
      await control.setProvider({ provider: 'google', trouble: 'refuse' });
      const { text } = await ask(`${originOf('control', environment.port)}/providers`);
      expect(JSON.parse(text)).toStrictEqual({
        google: { trouble: 'refuse', openerPolicy: 'same-origin' },
        microsoft: { trouble: 'none', openerPolicy: 'unsafe-none' },
      });
    });
  });

  describe('the switches of the start page', () => {
    const start = (): string => originOf('start', environment.port);
    const send = (fields: Record<string, string>, origin: string) =>
      ask(`${start()}/providers`, {
        method: 'POST',
        headers: { Origin: origin, 'Content-Type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(fields).toString(),
      });
    const down = { provider: 'microsoft', trouble: 'down', openerPolicy: 'unsafe-none' };

    test('show the settings and change them', async () => {
      expect((await ask(start())).text).toContain('<option value="none" selected>');
      const answered = await send(down, start());
      expect([answered.status, answered.headers.location]).toStrictEqual([303, '/#providers']);
      expect((await ask(start())).text).toContain('<option value="down" selected>');
      await expect(open('microsoft')).rejects.toThrow(/socket hang up|ECONNRESET/);
    });

    test('reject a form of another page, and an invalid value', async () => {
      expect((await send(down, originOf('unlisted', environment.port))).status).toBe(403);
      expect((await send({ ...down, trouble: 'melt' }, start())).status).toBe(400);
      expect((await open('microsoft')).status).toBe(303);
    });
  });
});
