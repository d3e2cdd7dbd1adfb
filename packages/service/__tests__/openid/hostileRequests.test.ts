import { request as sendHttp } from 'node:http';
import { sql } from 'kysely';
import { openIdTables } from '../../src/openid/tables.ts';
import type { Tables } from '../../src/core/database/tables.ts';
import { openId } from '../../src/openid/capability.ts';
import { connect, type Database } from '../../src/platform/database/connect.ts';
import { silentLogger } from '../../src/platform/settings/options.ts';
import { optionsOf } from '../support/extensions.ts';
import { newDatabase } from '../support/postgres.ts';
import { issuer, loginOrigin, type TestService } from '../support/testService.ts';
import {
  Application,
  broughtBy,
  Browser,
  callback,
  read,
  reports,
  secret,
  startProvider,
} from './application.ts';

const formType = 'application/x-www-form-urlencoded';
const basic = (credentials: string): string => `Basic ${Buffer.from(credentials).toString('base64')}`;
const own = { Authorization: basic(`reports:${secret}`) };

/** The endpoints, with a body that they accept from the client. */
const posts: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '/oidc/auth': { client_id: 'reports', response_type: 'code', redirect_uri: callback, state: 'x' },
  '/oidc/request': {
    response_type: 'code',
    redirect_uri: callback,
    state: 'x',
    code_challenge: 'x'.repeat(43),
  },
  '/oidc/token': { grant_type: 'authorization_code', code: 'x', redirect_uri: callback, code_verifier: 'x' },
  '/oidc/introspection': { token: 'x' },
  '/oidc/revocation': { token: 'x' },
  '/oidc/userinfo': { access_token: 'x' },
  '/oidc/logout': { client_id: 'reports', state: 'x' },
};
const formOf = (path: string, changes: Readonly<Record<string, string>> = {}): string =>
  new URLSearchParams({ ...posts[path], ...changes }).toString();

/** What is sent to each endpoint, as it is. */
const hostile: Readonly<
  Record<string, (path: string) => Omit<RequestInit, 'method'> & { readonly method?: string }>
> = {
  'a body of 60 kB': (path) => ({ body: formOf(path, { state: 'x'.repeat(60_000) }) }),
  'a body of 2 MB': (path) => ({ body: formOf(path, { token: 'x'.repeat(2_000_000) }) }),
  'NUL in a parameter': (path) => ({ body: `${formOf(path)}&state2=%00` }),
  'NUL in every parameter': (path) => ({ body: formOf(path).replace(/=[^&]*/g, '=a%00b') }),
  'NUL in a name': (path) => ({ body: `${formOf(path)}&%00=1` }),
  'NUL in another encoding': (path) => ({
    body: Buffer.from(formOf(path, { token: '\0' }), 'utf16le'),
    headers: { 'Content-Type': `${formType}; charset=utf-16le` },
  }),
  'an unknown encoding': (path) => ({
    body: formOf(path),
    headers: { 'Content-Type': `${formType}; charset=nonsense` },
  }),
  'bytes that are no UTF-8': (path) => ({ body: `${formOf(path)}&state=%ED%A0%80%ff%C0%80&nonce=%zz` }),
  'each parameter twice': (path) => ({ body: `${formOf(path)}&${formOf(path)}` }),
  'credentials twice': (path) => ({ body: formOf(path, { client_id: 'reports', client_secret: secret }) }),
  JSON: (path) => ({ body: JSON.stringify(posts[path]), headers: { 'Content-Type': 'application/json' } }),
  'several parts': (path) => ({
    body: `--x\r\ncontent-disposition: form-data; name="token"\r\n\r\n${formOf(path)}\r\n--x--`,
    headers: { 'Content-Type': 'multipart/form-data; boundary=x' },
  }),
  'no content type that can be read': (path) => ({ body: formOf(path), headers: { 'Content-Type': ';;;' } }),
  nothing: () => ({ body: '' }),
  'credentials that are no base64': (path) => ({
    body: formOf(path),
    headers: { Authorization: 'Basic %%%' },
  }),
  'credentials without a secret': (path) => ({
    body: formOf(path),
    headers: { Authorization: basic('reports') },
  }),
  'credentials with NUL': (path) => ({
    body: formOf(path),
    headers: { Authorization: basic('reports%00:%00\0') },
  }),
  'credentials with a malformed escape': (path) => ({
    body: formOf(path),
    headers: { Authorization: basic('reports:%E0%A4%A') },
  }),
  'another scheme': (path) => ({ body: formOf(path), headers: { Authorization: 'DPoP x' } }),
  'a proof that is no JWT': (path) => ({ body: formOf(path), headers: { DPoP: 'x.y.z' } }),
  'tokens that are no JWTs': (path) => ({
    body: formOf(path, { id_token_hint: 'x.y.z', request: '{}', client_assertion: 'a.b.c', token: '..' }),
  }),
  'cookies with NUL': (path) => ({
    body: formOf(path),
    headers: {
      Cookie: `payments-test-session=${encodeURIComponent('{"authenticated":{"token":"\\u0000","refresh":"\\u0000"}}')}; payments-test-openid=%00`,
    },
  }),
  'parameters named as properties': (path) => ({
    body: `${formOf(path)}&__proto__=1&constructor=2&hasOwnProperty=3`,
  }),
};

describe('hostile requests', () => {
  let service: TestService;
  let database: Database<Tables>;

  beforeAll(async () => {
    const url = await newDatabase();
    service = await startProvider([reports, { id: 'public', url: undefined }], { database: { url } });
    database = await connect<Tables>({ url }, silentLogger);
    await service.write();
  });
  afterAll(async () => {
    await database.close();
    await service.close();
  });

  const send = async (path: string, { method = 'POST', headers, ...init }: RequestInit) =>
    read(
      await fetch(service.url + path, {
        method,
        redirect: 'manual',
        headers: { 'Content-Type': formType, ...own, ...(headers as Record<string, string> | undefined) },
        ...init,
      }),
    );
  const failures = () => service.log.entries().filter(({ level }) => level === 'error');
  const unauthorized = [303, `${loginOrigin}/unauthorized`];

  describe.each(Object.entries(hostile))('with %s', (_what, requestFor) => {
    it.each(Object.keys(posts))('are no fault of the service: POST %s', async (path) => {
      expect((await send(path, requestFor(path))).status).toBeLessThan(500);
      expect(failures()).toEqual([]);
    });
  });

  it.each(['/oidc/token', '/oidc/introspection', '/oidc/revocation', '/oidc/request', '/oidc/userinfo'])(
    'get 413 with a body over the limit, and 400 with NUL: %s',
    async (path) => {
      const long = await send(path, { body: formOf(path, { token: 'x'.repeat(60_000) }) });
      expect([long.status, long.body['error']]).toEqual([413, 'invalid_request']);
      const nul = await send(path, { body: formOf(path, { token: 'a\0b' }) });
      expect([nul.status, nul.body['error']]).toEqual([400, 'invalid_request']);
    },
  );

  it('get 413 also without the length of their body', async () => {
    const status = await new Promise((resolve, reject) => {
      const call = sendHttp(`${service.url}/oidc/token`, {
        method: 'POST',
        headers: { 'Content-Type': formType },
      });
      call.on('response', (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      call.on('error', reject);
      call.write('x'.repeat(40_000));
      call.end('x'.repeat(40_000));
    });
    expect(status).toBe(413);
  });

  const application = () => new Application(service);
  it.each([
    ['NUL in the state', { state: 'a\0b' }],
    ['NUL in the nonce', { nonce: '\0' }],
    ['NUL in ui_locales', { ui_locales: 'de\0' }],
    ['NUL in the client', { client_id: 'reports\0' }],
    ['a state of 3 kB', { state: 'x'.repeat(3000) }],
    ['a nonce of 3 kB', { nonce: 'x'.repeat(3000) }],
    ['a login_hint of 3 kB', { login_hint: 'x'.repeat(3000) }],
    [
      '9 kB altogether',
      Object.fromEntries(
        ['state', 'nonce', 'display', 'ui_locales', 'restored'].map((name) => [name, 'x'.repeat(1800)]),
      ),
    ],
  ])('to sign in show our page with %s', async (_what, changes: Readonly<Record<string, string>>) => {
    const address = application().address(changes);
    const byGet = await send(address, { method: 'GET' });
    expect([byGet.status, byGet.location]).toEqual(unauthorized);
    const withSlash = await send(address.replace('?', '/?'), { method: 'GET' });
    expect([withSlash.status, withSlash.location]).toEqual(unauthorized);
    const byPost = await send('/oidc/auth', { body: address.slice(address.indexOf('?') + 1) });
    expect([byPost.status, byPost.location]).toEqual(unauthorized);
    const pushed = await send('/oidc/request', { body: address.slice(address.indexOf('?') + 1) });
    expect([pushed.status, pushed.body['error']]).toEqual([400, 'invalid_request']);
    expect(service.log.text()).not.toContain('x'.repeat(1800));
  });

  it('to sign out show our page with NUL, a long body and a body that is no form', async () => {
    for (const init of [
      { body: 'state=%00' },
      { body: `state=${'x'.repeat(60_000)}` },
      { body: '{}', headers: { 'Content-Type': 'application/json' } },
    ]) {
      const { status, location } = await send('/oidc/logout', init);
      expect([status, location]).toEqual(unauthorized);
    }
    expect((await send('/oidc/logout?state=%00', { method: 'GET' })).location).toBe(unauthorized[1]);
  });

  it('that are as long as allowed go on', async () => {
    const state = 'x'.repeat(2048);
    const { location } = await send(application().address({ state }), { method: 'GET' });
    expect(location).toContain('/oidc/interaction/');
  });

  it('without a session wait for half an hour, and are removed then', async () => {
    const count = async () =>
      (
        await sql<{
          count: string;
        }>`select count(*) from openid_artifacts where model = 'Interaction' and expires_at > now() + interval '29 minutes' and expires_at <= now() + interval '30 minutes'`.execute(
          database.db,
        )
      ).rows[0]?.count;
    await openIdTables(database.db).deleteFrom('openid_artifacts').execute();
    const browser = new Browser(service);
    const { location } = await browser.get(application().address());
    expect(await count()).toBe('1');
    const back = new URL(location).searchParams.get('url') ?? '';
    const later = Date.now() + 1_801_000;
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => later);
    try {
      await browser.signIn();
      expect((await browser.get(back)).location).toContain(`${loginOrigin}/continue/`);
      const settings = { ...optionsOf('openid'), now: () => later };
      await openId.cleanUp({ db: database.db, settings } as never);
      expect(await count()).toBe('0');
    } finally {
      clock.mockRestore();
    }
  });

  it('are refused also while the refusal cannot be recorded', async () => {
    await sql`alter table audit_log rename to moved`.execute(database.db);
    try {
      const address = application().address({ redirect_uri: 'https://evil.example.com/' });
      const { status, location } = await send(address, { method: 'GET' });
      expect([status, location]).toEqual(unauthorized);
    } finally {
      await sql`alter table moved rename to audit_log`.execute(database.db);
    }
  });
});

describe('a flood of requests', () => {
  const unlimitedNetworks = ['198.51.100.0/24'];
  const limits = {
    requestsPerMinute: 100_000,
    secretChecksPerMinute: 20,
    unfinishedSignInsPerMinute: 20,
    unlimitedNetworks,
  };
  const trustedProxies = ['127.0.0.1'];
  /** All of it comes within a minute, on a slow machine too. */
  beforeEach(() => {
    jest.spyOn(Date, 'now').mockReturnValue(Date.now());
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });
  const from = (service: TestService, network: string, address: string, init: RequestInit = {}) =>
    fetch(service.url + address, {
      redirect: 'manual',
      ...init,
      headers: { 'X-Forwarded-For': network, ...(init.headers as Record<string, string> | undefined) },
    }).then(read);
  const storedIn = async ({ db }: Database<Tables>) =>
    Number((await sql<{ count: string }>`select count(*) from openid_artifacts`.execute(db)).rows[0]?.count);

  it('of a thousand that nobody goes on with stores few of them, and hinders nobody elsewhere', async () => {
    const url = await newDatabase();
    await using service = await startProvider([reports, { id: 'public', url: undefined }], {
      ...{ rateLimit: limits, trustedProxies, database: { url } },
    });
    const database = await connect<Tables>({ url }, silentLogger);
    await service.write();
    const application = new Application(service);
    const address = application.address();
    const locations: string[] = [];
    while (locations.length < 1000) {
      const some = Array.from({ length: 50 }, () => from(service, '203.0.113.1', address));
      locations.push(...(await Promise.all(some)).map(({ location }) => location));
    }
    expect(locations.filter((one) => one.startsWith(`${issuer}/oidc/interaction/`))).toHaveLength(20);
    expect(broughtBy({ location: locations.at(-1) ?? '' } as Awaited<ReturnType<typeof read>>)).toMatchObject(
      {
        ...{ error: 'temporarily_unavailable', state: 'state-1' },
      },
    );
    expect(await storedIn(database)).toBe(20);
    const office = Array.from({ length: 25 }, () => from(service, '198.51.100.7', address));
    for (const { location } of await Promise.all(office))
      expect(location).toContain(`${issuer}/oidc/interaction/`);

    const pushed = async (client: Application, network: string, headers: object) =>
      (
        await from(service, network, '/oidc/request', {
          method: 'POST',
          headers: { ...headers },
          body: new URLSearchParams(client.address().split('?')[1]),
        })
      ).status;
    const open = new Application(service, 'public', null);
    expect(await pushed(open, '203.0.113.1', {})).toBe(429);
    expect(await pushed(open, '203.0.113.2', {})).toBe(201);
    // The client itself is no stranger.
    expect(await pushed(application, '203.0.113.1', own)).toBe(201);

    const browser = new Browser(service);
    const { location } = await browser.get(application.address());
    await browser.signIn();
    const back = new URL(location).searchParams.get('url') ?? '';
    expect(broughtBy(await browser.get(back))).toHaveProperty('code');
    await database.close();
  });

  it('with one pushed request, presented again and again, counts each time', async () => {
    await using service = await startProvider([{ id: 'public', url: undefined }], {
      ...{ rateLimit: limits, trustedProxies },
    });
    const open = new Application(service, 'public', null);
    const body = new URLSearchParams(open.address().split('?')[1]);
    const pushed = await from(service, '203.0.113.1', '/oidc/request', { method: 'POST', body });
    const asked = new URLSearchParams({
      client_id: 'public',
      request_uri: String(pushed.body['request_uri']),
    });
    const locations: string[] = [];
    for (let count = 0; count < 25; count += 1)
      locations.push((await from(service, '203.0.113.1', `/oidc/auth?${asked.toString()}`)).location);
    // The pushed request is the first of twenty.
    expect(locations.filter((one) => one.startsWith(`${issuer}/oidc/interaction/`))).toHaveLength(19);
  });

  it('with guessed secrets is stopped for that client and network, and for no other', async () => {
    await using service = await startProvider([reports, { ...reports, id: 'other', url: undefined }], {
      ...{ rateLimit: limits, trustedProxies },
    });
    const introspect = (network: string, client: string, guess: string) =>
      from(service, network, '/oidc/introspection', {
        method: 'POST',
        headers: { Authorization: basic(`${client}:${guess}`) },
        body: new URLSearchParams({ token: 'x' }),
      });
    const statuses = [];
    for (let count = 0; count < 23; count += 1)
      statuses.push((await introspect('203.0.113.1', 'reports', `guess-${count}`)).status);
    expect(statuses).toEqual([...Array.from({ length: 21 }, () => 401), 429, 429]);
    const stopped = await introspect('203.0.113.1', 'reports', secret);
    expect([stopped.status, stopped.body['error']]).toEqual([429, 'temporarily_unavailable']);
    expect(Number(stopped.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await introspect('203.0.113.1', 'other', secret)).status).toBe(200);
    expect((await introspect('203.0.113.2', 'reports', secret)).status).toBe(200);

    const entries = [];
    for await (const { event, outcome, method, reason, network } of service.directory.auditLog.read({
      event: 'openid-client',
    }))
      entries.push({ event, outcome, method, reason, network });
    expect(entries).toHaveLength(20);
    expect(entries[0]).toEqual({
      ...{ event: 'openid-client', outcome: 'failure', method: 'reports', reason: 'invalid_client' },
      network: '203.0.113.1',
    });
    expect(await service.service.metrics.metrics()).toContain(
      'vestibule_events_total{event="openid-client",method="reports",outcome="invalid_client"} 21',
    );
    expect(service.log.text()).not.toContain('guess-1');
  });
});
