import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect as connectHttp2, createServer as createHttp2Server } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { issuer, type TestService } from '../support/testService.ts';
import { newDatabase } from '../support/postgres.ts';
import {
  Application,
  broughtBy,
  Browser,
  read,
  reports,
  secret,
  startProvider,
  tokensIn,
} from './application.ts';
import { newKey, proof, type Key } from './clientKeys.ts';

describe('clients with more security', () => {
  let service: TestService;
  let browser: Browser;

  beforeAll(async () => {
    service = await startProvider([
      { ...reports, url: undefined },
      { ...reports, id: 'pushes', url: undefined, par: true },
      { ...reports, id: 'binds', url: undefined, dpop: true },
    ]);
    await service.write();
    browser = new Browser(service);
    await browser.signIn();
  });
  afterAll(() => service.close());

  it('push their requests, which work once and are required of those that say so', async () => {
    const application = new Application(service, 'pushes');
    expect(broughtBy(await browser.get(application.address()))).toMatchObject({ error: 'invalid_request' });
    const pushed = await application.push();
    expect([pushed.status, pushed.body]).toEqual([
      201,
      { expires_in: 60, request_uri: expect.any(String) as unknown },
    ]);
    const address = application.pushedAddress(pushed);
    const code = broughtBy(await browser.get(address))['code'] ?? '';
    const tokens = (await application.exchange(code)).body;
    expect(tokens).toHaveProperty('refresh_token');
    expect((await browser.get(address)).location).not.toContain('code=');
  });

  it('push no request of another client, and none without authentication', async () => {
    expect((await new Application(service, 'reports', 'wrong').push()).status).toBe(401);
    const application = new Application(service, 'pushes');
    const address = application.pushedAddress(await application.push(), 'reports');
    expect((await browser.get(address)).location).not.toContain('code=');
  });

  it('bind their tokens to a key, and must where they say so', async () => {
    const application = new Application(service, 'binds');
    expect((await application.exchange(await application.code(browser))).status).toBe(400);
    const own = await newKey();
    const DPoP = await proof(own, 'POST', '/oidc/token');
    const code = await application.code(browser);
    const { body } = await application.exchange(code, {}, { DPoP });
    expect(body).toMatchObject({ token_type: 'DPoP' });
    const { access, refresh } = tokensIn(body);

    const userinfo = async (headers: Record<string, string>) =>
      (await read(await fetch(`${service.url}/oidc/userinfo`, { headers }))).status;
    const at = (key_: Key) => proof(key_, 'GET', '/oidc/userinfo', access);
    expect(await userinfo({ Authorization: `DPoP ${access}`, DPoP: await at(own) })).toBe(200);
    expect(await userinfo({ Authorization: `DPoP ${access}`, DPoP: await at(await newKey()) })).toBe(401);
    expect(await userinfo({ Authorization: `Bearer ${access}` })).toBe(401);

    const form = { grant_type: 'refresh_token', refresh_token: refresh };
    const again = { DPoP: await proof(own, 'POST', '/oidc/token') };
    expect((await application.post('/oidc/token', form, again)).status).toBe(200);
    expect((await application.exchange(await application.code(browser), {}, again)).body).toMatchObject({
      error: 'invalid_grant',
    });
  });
});

describe('several processes', () => {
  it('share requests, codes, tokens and keys, and the end of a session', async () => {
    const database = { url: await newDatabase() };
    await using one = await startProvider([reports], { database });
    await using other = await startProvider([reports], { database });
    await one.write();
    const browser = new Browser(one);
    const begun = await browser.get(new Application(one).address());
    await browser.signIn();
    const elsewhere = new Browser(other);
    for (const [name, value] of browser.cookies) elsewhere.cookies.set(name, value);
    const back = new URL(begun.location).searchParams.get('url') ?? '';
    expect(broughtBy(await elsewhere.get(back))).toHaveProperty('code');
    const [here, there] = [new Application(one), new Application(other)];
    const code = await here.code(browser);
    const form = { code_verifier: here.verifier };
    const { body } = await there.exchange(code, form);
    const { access, refresh } = tokensIn(body);
    expect(await here.isActive(access)).toBe(true);
    expect((await here.exchange(code)).body).toMatchObject({ error: 'invalid_grant' });
    expect(await there.isActive(access)).toBe(false);
    expect((await there.refresh(refresh)).body).toMatchObject({ error: 'invalid_grant' });

    const next = tokensIn((await there.exchange(await here.code(browser), form)).body);
    await one.directory.accounts.endSessions('ada@example.com');
    expect(await there.isActive(next.access)).toBe(false);
  });

  it('sign with the new key after one was revoked, and refuse what it has signed', async () => {
    await using service = await startProvider();
    await service.write();
    const browser = new Browser(service);
    await browser.signIn();
    const application = new Application(service);
    const { id } = await application.tokens(browser);
    const [key] = await service.directory.keys.list();
    await service.directory.keys.revoke(key?.kid ?? '');
    const kids = async () =>
      ((await service.get('/.well-known/jwks.json')).body['keys'] as { kid: string; alg: string }[]).map(
        ({ kid, alg }) => [kid, alg],
      );
    const until = Date.now() + 10_000;
    while (Date.now() < until && (await kids()).some(([kid]) => kid === key?.kid))
      await new Promise((resolve) => setTimeout(resolve, 50));
    expect((await kids()).map(([, alg]) => alg)).toEqual(['ES256', 'RS256']);
    const hint = { id_token_hint: id, prompt: 'none' };
    expect(broughtBy(await browser.get(application.address(hint)))).toMatchObject({
      error: 'invalid_request',
    });
    await browser.signIn();
    expect(await application.isActive((await application.tokens(browser)).access)).toBe(true);
  });
});

test('a service over HTTP/2 has the addresses of its issuer', async () => {
  await using service = await startProvider();
  const server = createHttp2Server((request, response) => {
    service.service.handle(request as unknown as IncomingMessage, response as unknown as ServerResponse);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connectHttp2(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const call = async (path: string, body?: string) => {
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      'x-forwarded-host': 'evil.example.com',
    };
    const stream = client.request({
      ':path': path,
      ':method': body === undefined ? 'GET' : 'POST',
      ...headers,
    });
    stream.setEncoding('utf8').end(body);
    let text = '';
    for await (const chunk of stream as AsyncIterable<string>) text += chunk;
    return JSON.parse(text) as Readonly<Record<string, unknown>>;
  };
  expect(await call('/.well-known/openid-configuration')).toMatchObject({
    token_endpoint: `${issuer}/oidc/token`,
  });
  const introspection = new URLSearchParams({ client_id: 'reports', client_secret: secret, token: 'a.b.c' });
  expect(await call('/oidc/introspection', introspection.toString())).toEqual({ active: false });
  client.close();
  server.close();
});

test('the endpoints have the limits, the headers and the log of other calls', async () => {
  await using service = await startProvider([reports], { rateLimit: { requestsPerMinute: 6 } });
  await service.write();
  const browser = new Browser(service);
  await browser.signIn();
  const application = new Application(service);
  const response = await browser.get(application.address());
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'strict-transport-security': expect.stringContaining('max-age') as unknown,
  });
  const { code = '' } = broughtBy(response);
  const { access, refresh } = tokensIn((await application.exchange(code)).body);
  const log = service.log.text();
  expect(log).toContain('"call":"GET /oidc/auth"');
  expect(log).toContain('"call":"POST /oidc/token"');
  for (const told of [code, access, refresh, secret, application.verifier, 'state-1'])
    expect(log).not.toContain(told);
  const statuses = [];
  for (let count = 0; count < 5; count += 1) statuses.push((await browser.get(application.address())).status);
  expect(statuses.at(-1)).toBe(429);
});

describe('a service without openid', () => {
  it('has no route and no key of it', async () => {
    await using service = await startProvider([reports], { openid: undefined as never, rsaKeys: false });
    for (const path of ['/.well-known/openid-configuration', '/oidc/auth', '/oidc/userinfo', '/oidc/logout'])
      expect([path, (await service.get(path)).status]).toEqual([path, 404]);
    expect((await service.post('/oidc/token', {})).status).toBe(404);
    const { bearer } = await service.signedIn();
    expect((await service.get('/auth/v1/openid/requests/x', { bearer })).status).toBe(404);
    expect((await service.get('/.well-known/jwks.json')).body['keys']).toHaveLength(1);
  });

  it('is what a deployment has whose cookies do not reach the service', async () => {
    const openid = { cookiePrefix: 'p', cookieSameSite: 'Lax' } as const;
    const start = (more: object) => startProvider([reports], { openid: { ...openid, ...more } });
    await expect(start({})).rejects.toThrow(
      'cookies.domain (OPENID_COOKIE_DOMAIN) must be a parent of the host',
    );
    await expect(start({ cookieDomain: 'login.payments.localhost' })).rejects.toThrow('has to reach it');
  });
});
