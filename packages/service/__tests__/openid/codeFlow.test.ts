import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify, type JSONWebKeySet } from 'jose';
import { newDatabase, withClient } from '../support/postgres.ts';
import { ada, issuer, loginOrigin, type TestService } from '../support/testService.ts';
import {
  Application,
  broughtBy,
  Browser,
  callback,
  reports,
  startProvider,
  tokensIn,
} from './application.ts';

describe('the code flow', () => {
  let service: TestService;
  let browser: Browser;
  let application: Application;
  let uid: string;

  beforeAll(async () => {
    service = await startProvider([
      reports,
      { ...reports, id: 'other', url: undefined },
      { ...reports, id: 'ledger', url: 'https://ledger.example.com' },
      { ...reports, id: 'little', url: undefined, scopes: ['profile'] },
      { ...reports, id: 'old', idTokenAlgorithm: 'RS256' },
      {
        id: 'mobile',
        url: undefined,
        redirectUris: ['http://127.0.0.1/callback', 'com.example.app:/callback'],
      },
    ]);
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    await service.directory.resetAll();
    ({ uid } = await service.write());
    browser = new Browser(service);
    application = new Application(service);
  });

  const keySet = async () => {
    const { keys } = (await service.get('/.well-known/jwks.json')).body;
    return createLocalJWKSet({ keys } as JSONWebKeySet);
  };

  it('is described at the issuer', async () => {
    const { body } = await service.get('/.well-known/openid-configuration');
    expect(body).toMatchObject({
      issuer,
      authorization_endpoint: `${issuer}/oidc/auth`,
      token_endpoint: `${issuer}/oidc/token`,
      jwks_uri: `${issuer}/.well-known/jwks.json`,
      end_session_endpoint: `${issuer}/oidc/logout`,
      pushed_authorization_request_endpoint: `${issuer}/oidc/request`,
      response_types_supported: ['code'],
      response_modes_supported: ['query', 'form_post'],
      code_challenge_methods_supported: ['S256'],
      id_token_signing_alg_values_supported: ['ES256', 'RS256'],
      acr_values_supported: ['urn:vestibule:1', 'urn:vestibule:2'],
      backchannel_logout_supported: true,
      authorization_response_iss_parameter_supported: true,
    });
  });

  it('sends a browser with a session on without a page, and without a cookie', async () => {
    await browser.signIn();
    const response = await browser.get(application.address());
    expect(response.status).toBe(303);
    expect(response.location).toMatch(/^https:\/\/reports\.example\.com\/callback\?/);
    expect(broughtBy(response)).toMatchObject({ state: 'state-1', iss: issuer });
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^payments-test-openid-session=[\w-]+; path=\/; samesite=none; httponly; expires=/,
      ),
    ]);
  });

  it('gives an ID token with the claims of the scopes, of the session', async () => {
    const bearer = await browser.signIn();
    const { id, access } = await application.tokens(browser);
    const { payload } = await jwtVerify(id, await keySet(), { issuer, audience: 'reports' });
    expect(payload).toMatchObject({
      sub: uid,
      sid: decodeJwt(bearer)['sid'],
      nonce: 'nonce-1',
      acr: 'urn:vestibule:1',
      amr: ['pwd'],
      name: 'Ada Lovelace',
      given_name: 'Ada',
      preferred_username: ada,
      locale: 'en',
      email: ada,
      email_verified: true,
      applications: ['ledger'],
    });
    expect(payload['auth_time']).toBe(decodeJwt(bearer).iat);
    expect((await application.userinfo(access)).body).toMatchObject({
      sub: uid,
      email: ada,
      applications: ['ledger'],
    });
  });

  it('gives an opaque access token, and a JWT of five minutes for the address of the client', async () => {
    await browser.signIn();
    const { access } = await application.tokens(browser);
    expect(access).toMatch(/^[\w-]{44}$/);
    const { body } = await application.post('/oidc/introspection', { token: access });
    expect(body).toMatchObject({ active: true, client_id: 'reports', sub: uid });

    const resource = 'https://reports.example.com';
    const bound = await application.tokens(browser, { resource });
    expect(decodeProtectedHeader(bound.access)).toMatchObject({ typ: 'at+jwt', alg: 'ES256' });
    const { payload } = await jwtVerify(bound.access, await keySet(), { issuer, audience: resource });
    expect(payload).toMatchObject({ client_id: 'reports', sub: uid });
    expect(Number(payload.exp) - Number(payload.iat)).toBe(300);
    const foreign = await browser.get(application.address({ resource: 'https://other.example.com' }));
    expect(broughtBy(foreign)).toMatchObject({ error: 'invalid_target' });
  });

  it('gives no claims of scopes that were not asked for', async () => {
    await browser.signIn();
    const { claims, access } = await application.tokens(browser, { scope: 'openid' });
    expect(Object.keys(claims).sort()).toEqual(
      ['acr', 'amr', 'aud', 'auth_time', 'exp', 'iat', 'iss', 'nonce', 'sid', 'sub'].sort(),
    );
    expect((await application.userinfo(access)).body).toEqual({ sub: uid });
  });

  it('signs ID tokens by RS256 for a client that asks for it', async () => {
    await browser.signIn();
    const { id } = await new Application(service, 'old').tokens(browser);
    expect(decodeProtectedHeader(id)).toMatchObject({ alg: 'RS256' });
    await expect(jwtVerify(id, await keySet(), { issuer, audience: 'old' })).resolves.toBeDefined();
  });

  it('posts the response with response_mode form_post', async () => {
    await browser.signIn();
    const { status, text, headers } = await browser.get(application.address({ response_mode: 'form_post' }));
    expect(status).toBe(200);
    expect(text).toMatch(/<form method="post" action="https:\/\/reports\.example\.com\/callback">/);
    expect(text).toMatch(/name="code" value="[\w-]+"/);
    expect(headers.get('content-security-policy')).toMatch(/script-src 'sha256-/);
  });

  it('lets the pages of an application call from its own origins only', async () => {
    const preflight = (origin: string, path: string) =>
      fetch(service.url + path, {
        method: 'OPTIONS',
        headers: { Origin: origin, 'Access-Control-Request-Method': 'POST' },
      });
    const allowed = await preflight('https://reports.example.com', '/oidc/token');
    expect([allowed.status, allowed.headers.get('access-control-allow-origin')]).toEqual([
      204,
      'https://reports.example.com',
    ]);
    await browser.signIn();
    const { access } = await application.tokens(browser);
    const from = (origin: string) =>
      fetch(`${service.url}/oidc/userinfo`, {
        headers: { Origin: origin, Authorization: `Bearer ${access}` },
      });
    const own = await from('https://reports.example.com');
    expect([own.status, own.headers.get('access-control-allow-origin')]).toEqual([
      200,
      'https://reports.example.com',
    ]);
    const other = await from('https://evil.example.com');
    expect([other.status, other.headers.get('access-control-allow-origin')]).toEqual([400, null]);
    expect(allowed.headers.get('access-control-allow-credentials')).toBeNull();
  });

  it('takes a request by POST', async () => {
    await browser.signIn();
    const form = new URLSearchParams(application.address().split('?')[1]);
    expect(broughtBy(await browser.request('POST', '/oidc/auth', form))).toHaveProperty('code');
  });

  it('records who signed in where', async () => {
    await browser.signIn();
    await application.tokens(browser);
    await application.tokens(browser);
    const entries = [];
    for await (const entry of service.directory.auditLog.read({ event: 'openid-sign-in' }))
      entries.push(entry);
    expect(entries).toEqual([
      expect.objectContaining({
        ...{ uid, method: 'reports', outcome: 'success' },
        ...{ network: '127.0.0.1', device: 'node' },
      }),
    ]);
    const metrics = await service.service.metrics.metrics();
    expect(metrics).toContain(
      'vestibule_request_duration_seconds_count{operation="openidToken",status="200"}',
    );
  });

  it('keeps the refresh token of a client with a secret', async () => {
    await browser.signIn();
    const first = await application.tokens(browser);
    const renewed = await Promise.all([1, 2, 3].map(() => application.refresh(first.refresh)));
    for (const { status, body } of renewed) {
      expect([status, body['refresh_token']]).toEqual([200, first.refresh]);
      expect(tokensIn(body).claims).toMatchObject({ sub: uid, sid: first.claims['sid'] });
      expect(await application.isActive(tokensIn(body).access)).toBe(true);
    }
  });

  it('rotates refresh tokens of a public client, and ends its grant when a former one comes after 30 seconds', async () => {
    const bearer = await browser.signIn();
    const mobile = new Application(service, 'mobile', null);
    const redirect_uri = 'com.example.app:/callback';
    const asked = await browser.get(mobile.address({ redirect_uri, scope: 'openid offline_access' }));
    const { code = '' } = broughtBy(await browser.agree(asked, bearer));
    const first = tokensIn((await mobile.exchange(code, { redirect_uri })).body);
    // Two tabs at once, and a response that was lost.
    const renewed = await Promise.all([1, 2, 3].map(() => mobile.refresh(first.refresh)));
    const next = renewed.map(({ body }) => tokensIn(body));
    expect(new Set([first, ...next].map(({ refresh }) => refresh)).size).toBe(4);
    for (const { access } of next) expect((await mobile.userinfo(access)).status).toBe(200);
    const [second, third] = next;

    const now = Date.now();
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => now + 31_000);
    try {
      expect((await mobile.refresh(first.refresh)).body).toMatchObject({ error: 'invalid_grant' });
      const recorded = (): boolean => service.log.text().includes('"openid-token-reuse"');
      while (!recorded()) await new Promise((resolve) => setTimeout(resolve, 10));
      for (const one of [second, third])
        expect((await mobile.refresh(one?.refresh ?? '')).body).toMatchObject({ error: 'invalid_grant' });
      expect((await mobile.userinfo(second?.access ?? '')).status).toBe(401);
    } finally {
      clock.mockRestore();
    }
  });

  it('gives no refresh token without offline_access', async () => {
    await browser.signIn();
    const response = await application.exchange(await application.code(browser, { scope: 'openid email' }));
    expect(response.body).not.toHaveProperty('refresh_token');
  });

  it('refuses a code that was used, and ends the tokens that it gave', async () => {
    await browser.signIn();
    const code = await application.code(browser);
    const tokens = tokensIn((await application.exchange(code)).body);
    expect((await application.exchange(code)).body).toMatchObject({ error: 'invalid_grant' });
    expect(await application.isActive(tokens.access)).toBe(false);
    expect((await application.refresh(tokens.refresh)).body).toMatchObject({ error: 'invalid_grant' });
    const entries = [];
    for await (const entry of service.directory.auditLog.read({ event: 'openid-token-reuse' }))
      entries.push(entry);
    expect(entries[0]).toMatchObject({ method: 'reports', network: '127.0.0.1', device: 'node' });
  });

  it.each<[string, (code: string, other: Application) => ReturnType<Application['exchange']>]>([
    ['of another client', (code, other) => other.exchange(code)],
    ['with another verifier', (code) => application.exchange(code, { code_verifier: 'x'.repeat(43) })],
    ['without a verifier', (code) => application.exchange(code, { code_verifier: '' })],
    ['with another redirect address', (code) => application.exchange(code, { redirect_uri: `${callback}/` })],
  ])('refuses a code %s', async (_what, exchange) => {
    await browser.signIn();
    const other = new Application(service, 'other');
    const { status, body } = await exchange(await application.code(browser), other);
    expect([status, body['error']]).toEqual([400, 'invalid_grant']);
  });

  it('refuses a code after a minute', async () => {
    await browser.signIn();
    const code = await application.code(browser);
    const now = Date.now();
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => now + 61_000);
    try {
      expect((await application.exchange(code)).body).toMatchObject({ error: 'invalid_grant' });
    } finally {
      clock.mockRestore();
    }
  });

  it.each([
    ['without PKCE', { code_challenge: undefined, code_challenge_method: undefined }],
    ['with PKCE plain', { code_challenge_method: 'plain' }],
    ['with another response type', { response_type: 'code id_token' }],
    ['with the response type of the implicit flow', { response_type: 'id_token token' }],
    ['with a response in the fragment', { response_mode: 'fragment' }],
    ['with a request object', { request: 'eyJhbGciOiJub25lIn0.e30.' }],
    ['with a prompt that does not exist', { prompt: 'create' }],
  ])('tells the application of a request %s', async (_what, changes) => {
    await browser.signIn();
    const response = await browser.get(application.address(changes));
    expect(response.location).not.toContain('code=');
    expect(response.location).toMatch(/^https:\/\/reports\.example\.com\/callback.*[?#&]error=/);
  });

  it('refuses a scope that the client may not ask for', async () => {
    await browser.signIn();
    const response = await browser.get(new Application(service, 'little').address({ scope: 'openid email' }));
    expect(broughtBy(response)).toMatchObject({ error: 'invalid_scope' });
  });

  it.each([
    ['of an unknown client', { client_id: 'unknown' }],
    ['without a client', { client_id: undefined }],
    ['without a redirect address', { redirect_uri: undefined }],
    ...[
      'https://evil.example.com/callback',
      `${callback}/../evil`,
      `${callback}?next=evil`,
      `${callback}#fragment`,
      `${callback}%2f..`,
      'https://reports.example.com.evil.example.com/callback',
      'https://reports.example.com@evil.example.com/callback',
      'https://reports.example.com\\@evil.example.com/callback',
      'HTTPS://reports.example.com/callback',
      'https://REPORTS.example.com/callback',
      'https://reports.example.com:443/callback',
      'http://reports.example.com/callback',
      '//reports.example.com/callback',
      'javascript:alert(1)',
      'data:text/html,x',
      `${callback}/`,
      ` ${callback}`,
      `${callback}%00`,
      'https://reports.example.com/%63allback',
      'https://reports.example.com//callback',
      'https://reports.example.com./callback',
      'https://reports.example.com:8443/callback',
      'https://evil.reports.example.com/callback',
      'https://rеports.example.com/callback',
      'https://*.example.com/callback',
      'http://127.0.0.1/callback',
    ].map((address): [string, Record<string, string | undefined>] => [
      `to ${address}`,
      { redirect_uri: address },
    ]),
  ])('shows our page for a request %s', async (_what, changes: Record<string, string | undefined>) => {
    await browser.signIn();
    const response = await browser.get(application.address(changes));
    expect([response.status, response.location]).toEqual([303, `${loginOrigin}/unauthorized`]);
  });

  it('records such requests with the known client, and counts the others', async () => {
    await browser.get(application.address({ client_id: 'unknown' }));
    await browser.get(application.address({ redirect_uri: 'https://evil.example.com/' }));
    await browser.get(application.address({ prompt: 'none' }));
    const entries = [];
    for await (const entry of service.directory.auditLog.read({ event: 'openid-sign-in' }))
      entries.push(entry);
    const refusal = { outcome: 'failure', uid: null, network: '127.0.0.1', device: 'node' };
    expect(entries).toEqual([
      expect.objectContaining({ ...refusal, method: null, reason: 'invalid_client' }),
      expect.objectContaining({ ...refusal, method: 'reports', reason: 'invalid_redirect_uri' }),
    ]);
    const metrics = await service.service.metrics.metrics();
    for (const [method, outcome] of [
      ['', 'invalid_client'],
      ['reports', 'invalid_redirect_uri'],
      ['reports', 'login_required'],
    ])
      expect(metrics).toContain(
        `vestibule_events_total{event="openid-sign-in",method="${method ?? ''}",outcome="${outcome ?? ''}"}`,
      );
  });

  it.each(['client_id', 'redirect_uri', 'state', 'code_challenge', 'response_type'])(
    'gives no code where %s comes twice',
    async (name) => {
      await browser.signIn();
      const value = name === 'redirect_uri' ? 'https://evil.example.com/callback' : 'other';
      const address = `${application.address()}&${new URLSearchParams({ [name]: value }).toString()}`;
      const { location } = await browser.get(address);
      expect(location).not.toMatch(/[?&]code=/);
      expect(location).not.toContain('evil.example.com');
    },
  );

  it('fetches no address of a request: request_uri is refused', async () => {
    const asked: unknown[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url);
      response.end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    await browser.signIn();
    const request_uri = `http://127.0.0.1:${(server.address() as AddressInfo).port}/request`;
    const { location } = await browser.get(application.address({ request_uri }));
    server.close();
    expect(location).toMatch(/error=request_uri_not_supported|\/unauthorized$/);
    expect(asked).toEqual([]);
  });

  it('gives nothing for the parameter claims that the scopes do not give', async () => {
    await browser.signIn();
    const wanted = { email: { essential: true }, applications: null, sub: { value: 'someone-else' } };
    const claims = JSON.stringify({ id_token: wanted, userinfo: wanted });
    const tokens = await application.tokens(browser, { scope: 'openid', claims });
    expect(tokens.claims).not.toHaveProperty('email');
    expect(tokens.claims.sub).toBe(uid);
    expect((await application.userinfo(tokens.access)).body).toEqual({ sub: uid });
  });

  it('lets a device choose the port of its loopback address, and nothing else', async () => {
    const bearer = await browser.signIn();
    const mobile = new Application(service, 'mobile', null);
    const to = (redirect_uri: string) => browser.get(mobile.address({ redirect_uri, scope: 'openid' }));
    for (const address of ['http://127.0.0.1:51004/callback', 'com.example.app:/callback'])
      expect((await browser.agree(await to(address), bearer)).location).toContain(`${address}?code=`);
    for (const address of [
      'http://127.0.0.1:51004/other',
      'http://localhost:51004/callback',
      'http://127.0.0.2/callback',
    ])
      expect((await to(address)).location).toBe(`${loginOrigin}/unauthorized`);
  });

  it('refuses a wrong secret, and none', async () => {
    await browser.signIn();
    const code = await application.code(browser);
    for (const wrong of [
      new Application(service, 'reports', 'wrong'),
      new Application(service, 'reports', null),
    ])
      expect((await wrong.exchange(code)).body).toMatchObject({ error: 'invalid_client' });
    expect(service.log.text()).not.toContain(code);
  });

  it.each(['token', 'introspection', 'revocation', 'request'])(
    'refuses a call of /oidc/%s without the secret of the client, or with another',
    async (endpoint) => {
      for (const wrong of [null, 'wrong']) {
        const { status, body } = await new Application(service, 'reports', wrong).post(`/oidc/${endpoint}`, {
          grant_type: 'refresh_token',
          token: 'x',
        });
        expect([status, body['error']]).toEqual([401, 'invalid_client']);
      }
    },
  );

  it.each([
    'password',
    'client_credentials',
    'urn:ietf:params:oauth:grant-type:device_code',
    'urn:ietf:params:oauth:grant-type:token-exchange',
    'urn:ietf:params:oauth:grant-type:jwt-bearer',
  ])('offers no grant %s', async (grant_type) => {
    const { body } = await service.get('/.well-known/openid-configuration');
    expect(body['grant_types_supported']).toEqual(['authorization_code', 'refresh_token']);
    const form = { grant_type, username: ada, password: 'Correct-horse7', scope: 'openid' };
    const response = await application.post('/oidc/token', form);
    expect([response.status, response.body['error']]).toEqual([400, 'unsupported_grant_type']);
  });

  it('renews no token of a client without offline_access', async () => {
    const { status, body } = await new Application(service, 'little').refresh('x');
    expect([status, body]).toMatchObject([
      400,
      { error_description: 'requested grant type is not allowed for this client' },
    ]);
  });

  it('takes a token for its own address, and for no other application', async () => {
    await browser.signIn();
    const code = await application.code(browser, { resource: 'https://reports.example.com' });
    const { access } = tokensIn((await application.exchange(code)).body);
    expect(decodeJwt(access)).toMatchObject({ aud: 'https://reports.example.com' });
    for (const resource of ['https://ledger.example.com', 'https://unknown.example.com'])
      expect(broughtBy(await browser.get(application.address({ resource })))).toMatchObject({
        error: 'invalid_target',
      });
  });

  it('revokes tokens of the client itself only', async () => {
    await browser.signIn();
    const { refresh, access } = await application.tokens(browser);
    const other = new Application(service, 'other');
    await other.post('/oidc/revocation', { token: access });
    expect(await application.isActive(access)).toBe(true);
    expect(await other.isActive(access)).toBe(false);
    expect((await other.refresh(refresh)).body).toMatchObject({ error: 'invalid_grant' });
    expect((await application.post('/oidc/revocation', { token: refresh })).status).toBe(200);
    expect(await application.isActive(access)).toBe(false);
    expect((await application.refresh(refresh)).body).toMatchObject({ error: 'invalid_grant' });
  });

  it('knows a user without a session, and one whose account was disabled, no more', async () => {
    expect((await browser.get(application.address())).location).toMatch(`${loginOrigin}/login?url=`);
    await browser.signIn();
    await service.directory.accounts.disable(ada);
    expect((await browser.get(application.address())).location).toMatch(`${loginOrigin}/login?url=`);
  });
});

test('a process without the RSA keys of the others uses no code up', async () => {
  const database = { url: await newDatabase() };
  await using first = await startProvider([reports], { database });
  await first.write();
  const user = new Browser(first);
  await user.signIn();
  const asked = new Application(first);
  const code = await asked.code(user);
  await withClient(database.url, async (client) => {
    const { rows } = await client.query<{ rsa_key: string }>('select rsa_key from signing_keys');
    await client.query("update signing_keys set rsa_key = 'v1.of-another-key'");
    await using without = await startProvider([reports], { database });
    const application = Object.assign(new Application(without), { verifier: asked.verifier });
    expect((await application.exchange(code)).status).toBe(503);
    await client.query('update signing_keys set rsa_key = $1', [rows[0]?.rsa_key]);
  });
  expect((await asked.exchange(code)).status).toBe(200);
});
