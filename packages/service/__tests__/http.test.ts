import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect as connectHttp2, constants, createServer as createHttp2Server } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import type { InjectOptions } from 'fastify';
import { operationsOf, readContract } from '@vestibule/contract/document';
import type { Tables } from '../src/core/database/tables.ts';
import type { ServiceOptions } from '../src/index.ts';
import { credentialsRefused } from '../src/core/errors.ts';
import { callerGone, ServiceError } from '../src/platform/errors.ts';
import { registerContractRoutes } from '../src/core/http/contractRoutes.ts';
import {
  registerForeignRoutes,
  type ForeignContext,
  type ForeignRoute,
} from '../src/core/http/foreignRoutes.ts';
import { limitsOf } from '../src/platform/http/limiter.ts';
import { createApplication } from '../src/platform/http/application.ts';
import { RequestCaller } from '../src/platform/http/caller.ts';
import { networkOf } from '../src/platform/http/network.ts';
import type { CallContext } from '../src/core/context.ts';
import {
  settingsFrom,
  type RateLimit,
  type RateLimitOptions,
  type RateLimits,
} from '../src/core/settings/options.ts';
import { examples } from '@vestibule/contract/testing/examples';
import { connect } from '../src/platform/database/connect.ts';
import { waitForLockWaits } from './support/lockWaits.ts';
import { aNumber, aString } from './support/matchers.ts';
import { dropDatabase, newDatabase, withClient } from './support/postgres.ts';
import { recordingLogger } from './support/recordingLogger.ts';
import { outcome } from './support/secondStep.ts';
import {
  account,
  ada,
  loginOrigin,
  startTestService,
  type TestService,
  text,
} from './support/testService.ts';
import { anyCharacter } from '@vestibule/contract/testing/anyCharacter';

jest.setTimeout(300_000);

describe('the service over HTTP', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService();
    await service.write();
  });
  afterAll(() => service.close());

  const preflight = (origin: string) =>
    fetch(`${service.url}/auth/v1/token`, {
      method: 'OPTIONS',
      headers: {
        Origin: origin,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'authorization,content-type',
      },
    });

  it('lets pages of the login origins call it, with the two headers and without cookies', async () => {
    const { headers } = await preflight(loginOrigin);
    expect(headers.get('access-control-allow-origin')).toBe(loginOrigin);
    expect(headers.get('access-control-allow-methods')).toBe('GET, POST');
    expect(headers.get('access-control-allow-headers')).toBe('Authorization, Content-Type');
    expect(headers.get('access-control-allow-credentials')).toBeNull();
  });

  it.each(['http://evil.test', 'null', `${loginOrigin}.evil.test`, loginOrigin.replace('http', 'https')])(
    'no page of %s can read its answers',
    async (origin) => {
      const responses = [
        await preflight(origin),
        await fetch(`${service.url}/health`, { headers: { Origin: origin } }),
      ];
      for (const { headers } of responses) expect(headers.get('access-control-allow-origin')).toBeNull();
    },
  );

  it('lets the page read an error and its Retry-After', async () => {
    const response = await service.post('/auth/v1/refresh', {}, { headers: { Origin: loginOrigin } });
    expect(response.headers.get('access-control-allow-origin')).toBe(loginOrigin);
    expect(response.headers.get('access-control-expose-headers')).toBe('Retry-After');
    expect(response.headers.get('vary')).toContain('Origin');
  });

  it('forbids caching of every response, also of errors and unknown paths', async () => {
    const responses = [
      await service.signIn(),
      await service.signIn({ password: 'wrong' }),
      await service.get('/auth/v1/method/ada@example.com'),
      await service.get('/auth/v1/method/%E0%A4'),
      await service.get('/nowhere'),
    ];
    for (const { headers } of responses) expect(headers.get('cache-control')).toBe('no-store');
  });

  it('sends the security headers of an API: no framing, sniffing or referrer', async () => {
    const { headers } = await service.get('/health');
    expect(headers.get('content-security-policy')).toBe("default-src 'none';frame-ancestors 'none'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains');
    expect(headers.get('cross-origin-resource-policy')).toBe('same-site');
    expect(headers.get('set-cookie')).toBeNull();
  });

  it('tells code that a caller has hung up, also if it asks only afterwards', () => {
    const caller = () => new RequestCaller({ ip: '192.0.2.1', headers: {}, accepted: undefined });
    const [asked, unasked] = [caller(), caller()];
    const { gone } = asked;
    expect(gone.aborted).toBe(false);
    for (const one of [asked, unasked]) one.hangUp();
    expect([gone.reason, unasked.gone.reason]).toEqual([callerGone, callerGone]);
  });

  it('publishes its public key and nothing of the private key', async () => {
    const { body, headers } = await service.get('/.well-known/jwks.json');
    expect(body).toEqual({
      keys: [{ kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig', kid: aString, x: aString, y: aString }],
    });
    expect(headers.get('cache-control')).toBe('public, max-age=300');
  });

  it('logs each call with the id of the proxy, its route pattern, status, duration and network, and health only if it fails', async () => {
    const id = '0123456789abcdef0123456789abcdef';
    for (const given of [id, 'ada@example.com'])
      await service.get('/auth/v1/method/ada@example.com', { headers: { 'X-Request-Id': given } });
    const fields = { call: 'GET /auth/v1/method/:username', status: 200, milliseconds: aNumber };
    await service.get('/ready');
    expect(service.log.entries()).toContainEqual({
      level: 'info',
      event: 'call',
      fields: { id, ...fields, network: '127.0.0.1' },
    });
    expect(service.log.text()).not.toContain('ada@example.com');
    expect(service.log.text()).not.toContain('GET /ready');
  });

  it('announces its end, and answers calls until then on connections that end with the answer', async () => {
    await using other = await startTestService();
    expect((await other.get('/ready')).status).toBe(200);
    void other.service.drain(3600);
    expect(outcome(await other.get('/ready'))).toEqual([503, { status: 'stopping' }]);
    expect((await other.get('/live')).status).toBe(200);
    const call = await other.get('/auth/v1/method/ada@example.com');
    expect([call.status, call.headers.get('connection')]).toEqual([200, 'close']);
  });

  it('is not ready on a database of an older release, or without one, but lives', async () => {
    const url = await newDatabase();
    await using other = await startTestService({ database: { url } });
    await withClient(url, (client) => client.query("delete from kysely_migration where name like '0016%'"));
    expect(outcome(await other.get('/ready'))).toEqual([503, { status: 'schema' }]);
    await dropDatabase(url);
    expect(outcome(await other.get('/ready'))).toEqual([503, { status: 'database' }]);
    expect((await other.get('/live')).status).toBe(200);
  });

  it('completes calls before it closes, even if their HTTP/2 stream was reset', async () => {
    const url = await newDatabase();
    await using other = await startTestService({ database: { url } });
    await other.write();
    const server = createHttp2Server((request, response) => {
      other.service.handle(request as unknown as IncomingMessage, response as unknown as ServerResponse);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const client = connectHttp2(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    await withClient(url, async (holder) => {
      await holder.query('begin; lock table users');
      const call = client.request({
        ':method': 'POST',
        ':path': '/auth/v1/token',
        'content-type': 'application/json',
      });
      call.on('error', () => undefined);
      call.end(JSON.stringify({ username: ada, password: account().password, method: 'basic' }));
      const { db, close } = await connect<Tables>({ url }, other.log.logger);
      await waitForLockWaits(db);
      call.close(constants.NGHTTP2_CANCEL);
      await once(call, 'close');
      const closed = other.service.close();
      // A service that does not wait for the call closes the database within this time.
      await Promise.race([closed, pause(500)]);
      await holder.query('commit');
      await closed;
      expect(other.log.entries().filter(({ level }) => level === 'error')).toEqual([]);
      expect((await db.selectFrom('sessions').select('id').execute()).length).toBe(1);
      await close();
    });
    client.close();
    server.close();
  });

  // The last one: it ends the service of this group.
  it('finishes calls in progress before it ends, rejects later ones, and ends once', async () => {
    const underWay = service.signIn();
    await service.nextClockRead();
    const ends = [service.service.close(), service.service.close()];
    expect(outcome(await service.get('/auth/v1/method/ada@example.com'))).toEqual([
      503,
      { error: { message: 'The service is restarting. Please try again.', code: 'unavailable' } },
    ]);
    expect((await underWay).status).toBe(200);
    await Promise.all(ends);
  });
});

describe('the limits per address', () => {
  // A limit counts the calls of a minute, and a busy machine may take longer for a test.
  beforeEach(() => {
    jest.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-11-24T12:00:00Z'));
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  const tokenCall = {
    method: 'POST',
    url: '/auth/v1/token',
    payload: { username: 'a', method: 'basic', password: 'x' },
  } as const;
  const forgot = {
    method: 'POST',
    url: '/password-reset/v1/forgot-password',
    payload: { email: ada },
  } as const;
  const tokenCalls = operationsOf(readContract()).flatMap(({ id, path: url, rateLimit, requestExamples }) => {
    const [payload = {}] = Object.values(requestExamples ?? {}) as readonly object[];
    return rateLimit === 'tokens' ? [[id, { method: 'POST', url, payload }, 30] as const] : [];
  });
  /** Sends the requests one after another. @returns the responses */
  const sendAll = async (
    limits: Partial<RateLimitOptions>,
    requests: readonly InjectOptions[],
    trustedProxies: string[] = [],
  ) => {
    const options = { rateLimit: limits, trustedProxies };
    const app = await startApplication(options, () => Promise.reject(credentialsRefused()));
    const responses = [];
    for (const request of requests) responses.push(await app.inject(request));
    await app.close();
    return responses;
  };
  const statusesOf = async (...sent: Parameters<typeof sendAll>): Promise<readonly number[]> =>
    (await sendAll(...sent)).map(({ statusCode }) => statusCode);
  const times = <Value>(count: number, value: Value) => Array<Value>(count).fill(value);

  it('reject excess calls, those that check secrets sooner, with Retry-After and not as a lockout', async () => {
    const refresh = { method: 'POST', url: '/auth/v1/refresh', payload: { refresh: 'x' } } as const;
    const limits = { requestsPerMinute: 6, tokenCallsPerMinute: 2 };
    const responses = await sendAll(limits, [...times(3, tokenCall), ...times(8, refresh)]);
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([
      401,
      401,
      429,
      ...times(6, 401),
      429,
      429,
    ]);
    const refused = responses[2];
    expect(refused?.json()).toEqual({
      error: { message: 'Too many requests. Please try again later.', code: 'rate_limited' },
    });
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(refused?.headers['retry-after'])).toBeLessThanOrEqual(60);
  });

  it.each([
    ['a path', { method: 'GET', url: '/nowhere' }, 404],
    ['a method', { method: 'POST', url: '/health' }, 404],
    ['a path asked for with a body', { method: 'POST', url: '/nowhere', payload: 'text' }, 404],
  ] as const)('count %s that does not exist, with the calls that do', async (_what, request, status) => {
    const limits = { requestsPerMinute: 3, secretChecksPerMinute: 1 };
    const responses = await sendAll(limits, [...times(4, request), { method: 'GET', url: '/health' }]);
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([...times(3, status), 429, 429]);
    expect(Number(responses[3]?.headers['retry-after'])).toBeGreaterThan(0);
  });

  it.each([
    ...tokenCalls,
    ['the methods of usernames', { method: 'GET', url: '/auth/v1/method/a' }, 30] as const,
    ['requests of a new password', forgot, 60] as const,
    ['guesses at a link', { method: 'GET', url: '/user-management/v1/api-users/invite/link/a' }, 60] as const,
  ])('allow %s as often a minute as the default says', async (_what, request, most) => {
    const other = { ...request, remoteAddress: '192.0.2.9' };
    expect(await statusesOf({}, [...times(most + 1, request), other])).toEqual([
      ...times(most, 401),
      429,
      401,
    ]);
  });

  it('do not apply to the networks that the deployment names, also behind a proxy', async () => {
    const unlimitedNetworks = ['203.0.113.0/24', '2001:db8::/32', '192.0.2.7'];
    const limits = { requestsPerMinute: 1, unlimitedNetworks };
    const callFrom = (address: string) =>
      ({ method: 'GET', url: '/health', headers: { 'X-Forwarded-For': address } }) as const;
    const second = async (address: string) =>
      (await statusesOf(limits, [callFrom(address), callFrom(address)], ['127.0.0.1']))[1];
    const named = ['203.0.113.9', '::ffff:203.0.113.9', '2001:db8:1::1', '192.0.2.7'];
    for (const address of [...named, '203.0.113.9:51234', '[2001:db8:1::1]:443'])
      expect([address, await second(address)]).toEqual([address, 200]);
    for (const address of ['203.0.114.9', '2001:db9::1', '192.0.2.8', 'nonsense'])
      expect([address, await second(address)]).toEqual([address, 429]);
  });

  it('count sign-ins of other applications until they are finished', async () => {
    const route = (path: string, act: (context: ForeignContext) => number | null): ForeignRoute => ({
      ...{ name: 'test', path, methods: ['GET'] },
      handle: (context, _request, response) => {
        response.end(String(act(context)));
        return Promise.resolve();
      },
    });
    const routes = [
      route('/begin', (context) => context.begin()),
      route('/finish', (context) => {
        context.finish();
        return null;
      }),
    ];
    const rateLimit = { unfinishedSignInsPerMinute: 2, unlimitedNetworks: ['198.51.100.0/24'] };
    const app = await startApplication({ rateLimit }, () => Promise.resolve(), routes);
    const from = async (remoteAddress: string, ...urls: readonly string[]) => {
      const bodies = [];
      for (const url of urls) bodies.push((await app.inject({ url, remoteAddress })).body);
      return bodies;
    };
    const [begin, finish] = ['/begin', '/finish'];
    expect(await from('192.0.2.1', begin, begin, begin)).toEqual(['null', 'null', '60']);
    expect(await from('192.0.2.1', finish, begin, begin)).toEqual(['null', 'null', '60']);
    // Those that began elsewhere give nothing back here.
    expect(await from('192.0.2.2', finish, finish, begin, begin, begin)).toEqual([...times(4, 'null'), '60']);
    expect(await from('198.51.100.7', begin, begin, begin)).toEqual(times(3, 'null'));
    jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_000);
    expect(await from('192.0.2.1', finish, begin, begin, begin)).toEqual([...times(3, 'null'), '60']);
    await app.close();
  });

  it('are not forgotten while six thousand other networks call', async () => {
    const callFrom = (remoteAddress: string) => ({ method: 'GET', url: '/nowhere', remoteAddress }) as const;
    const own = callFrom('192.0.2.9');
    const others = Array.from({ length: 6000 }, (_unused, n) => callFrom(`10.0.${n >> 8}.${n & 255}`));
    const statuses = await statusesOf({ requestsPerMinute: 1 }, [own, own, ...others, own]);
    expect([statuses[0], statuses[1], statuses.at(-1)]).toEqual([404, 429, 429]);
  });

  it.each([
    ['count the address that a trusted proxy names', ['127.0.0.1'], ['192.0.2.1', '192.0.2.2'], [401, 401]],
    ['ignore an address from any other client', [], ['192.0.2.1', '192.0.2.2'], [401, 429]],
    [
      'look behind a trusted proxy that is named with a port',
      ['loopback', '10.0.0.0/8'],
      ['192.0.2.1:4711, 10.0.0.5:80', '[2001:db8::1]:4711, [::1]:80, 10.0.0.5:81'],
      [401, 401],
    ],
    [
      'do not count a port',
      ['127.0.0.1'],
      ['[2001:db8::1]:4711', '[2001:db8::1]:4712', '192.0.2.1:1', '192.0.2.1'],
      [401, 429, 401, 429],
    ],
  ])('%s', async (_what, trustedProxies, addresses, expected) => {
    const calls = addresses.map((address) => ({ ...tokenCall, headers: { 'X-Forwarded-For': address } }));
    expect(await statusesOf({ tokenCallsPerMinute: 1 }, calls, trustedProxies)).toEqual(expected);
  });
});

describe('an answer that violates the contract', () => {
  it.each<readonly [string, () => Promise<unknown>, string]>([
    // Half of a pair: a bug that the types would not let us write.
    ['a success', () => Promise.resolve({ token: 'x' }), "body must have required property 'refresh'"],
    [
      'a refusal',
      () => Promise.reject(new ServiceError(401, 'unauthorized', { id: '' }, 5)),
      '/error/message must NOT have fewer than 1 characters',
    ],
  ])(
    'is not sent (%s): the caller gets an internal error, the log has the reason',
    async (_, handler, why) => {
      const log = recordingLogger();
      const app = await startApplication({ logger: log.logger }, handler);
      const payload = { refresh: 'x' };
      const response = await app.inject({ method: 'POST', url: '/auth/v1/refresh', payload });
      await app.close();

      expect([response.statusCode, response.json()]).toEqual([
        500,
        { error: { message: 'Something went wrong on our side.', code: 'unexpected' } },
      ]);
      expect(response.headers).not.toHaveProperty('www-authenticate');
      expect(response.headers).not.toHaveProperty('retry-after');
      expect(log.text()).toContain(`The response breaks the contract: ${why}`);
    },
  );
});

/** The HTTP part alone, without a database: `handler` handles every call. */
function startApplication(
  options: Partial<ServiceOptions>,
  handler: () => Promise<unknown>,
  routes: readonly ForeignRoute[] = [],
) {
  const operations = Object.fromEntries(operationsOf(readContract()).map(({ id }) => [id, handler]));
  const settings = settingsFrom({
    database: { folder: null },
    issuer: 'http://api.payments.localhost',
    allowedOrigins: [loginOrigin],
    ...options,
  });
  const limits: RateLimits = limitsOf<RateLimit>(settings.rateLimit);
  const contextOf = () => ({}) as CallContext;
  const notCalled = () => Promise.reject(new Error('not called'));
  const contract = {
    settings,
    operations,
    contextOf,
    extensions: [],
    readBearer: notCalled,
    readClient: notCalled,
  };
  return createApplication({
    settings,
    limits,
    registerRoutes: async (app) => {
      registerContractRoutes(app, contract, limits);
      await registerForeignRoutes(app, { contextOf, settings, routes }, limits);
    },
    publicKeys: () => ({ keys: [] }),
    timeRequest: () => undefined,
    obstacle: () => Promise.resolve(null),
    unavailable: () => null,
    ping: () => Promise.resolve(),
  });
}

const marker = 'Marked-secret-71c9';
const refused = {
  error: {
    message: 'This request could not be understood. Please check your entries and try again.',
    code: 'invalid_request',
  },
};
const posts = operationsOf(readContract()).filter((operation) => operation.method === 'post');

describe('malformed input', () => {
  let service: TestService;
  let bearer: string;

  beforeAll(async () => {
    service = await startTestService({ lockout: { attempts: 1_000_000 } });
    await service.write();
    bearer = text(await service.signIn(), 'token');
  });
  afterAll(() => service.close());

  const token = (rawBody: string | Uint8Array<ArrayBuffer>, headers = {}) =>
    service.send('POST', '/auth/v1/token', { rawBody, headers });

  /** Why the newest request was rejected, according to the log. */
  const newestReason = (): unknown =>
    service.log.entries().findLast(({ event }) => event === 'request refused')?.fields['reason'];

  it.each([
    ['half an object', `{"username":"${marker}`, 400, /^body is not valid JSON$/],
    ['plain text', marker, 400, /^body is not valid JSON$/],
    ['nothing', '', 400, /^body is empty$/],
    ['a prototype', `{"__proto__":{"x":"${marker}"}}`, 400, /^body is not valid JSON$/],
    ['a constructor', `{"constructor":{"prototype":{"x":"${marker}"}}}`, 400, /^body is not valid JSON$/],
    ['more than 64 kB', `{"username":"${marker.repeat(5000)}"}`, 413, /^body is too large$/],
    ['deep nesting', `${'['.repeat(30_000)}${']'.repeat(30_000)}`, 400, /^body must have one of these forms/],
    ['null', 'null', 400, /^body must have one of these forms/],
    ['a number', '7', 400, /^body must have one of these forms/],
  ])(
    'a body of %s is rejected with a generic sentence, and the log has the reason',
    async (_what, body, status, reason) => {
      expect(outcome(await token(body))).toEqual([status, refused]);
      expect(newestReason()).toMatch(reason);
    },
  );

  it('bytes that are not UTF-8 are rejected or read as replacement characters', async () => {
    const bytes = new Uint8Array([...Buffer.from('{"username":"'), 0xff, 0xfe, 0xc3, ...Buffer.from('"}')]);
    expect((await token(bytes)).status).toBe(400);
  });

  it('a call without a body is rejected before a handler runs', async () => {
    expect((await service.send('POST', '/auth/v1/token')).status).toBe(400);
  });

  it.each([
    ['plain text', 'text/plain'],
    ['a form', 'application/x-www-form-urlencoded'],
    ['an unknown type', 'application/json-seq'],
    ['a malformed type', ';;;'],
  ])('a body declared as %s is rejected', async (_what, type) => {
    const body = JSON.stringify({ username: ada, method: 'basic', password: marker });
    expect(outcome(await token(body, { 'Content-Type': type }))).toEqual([415, refused]);
    expect(newestReason()).toBe('body must be application/json');
  });

  it.each([
    ['NUL', 'a\u0000b'],
    ['an unpaired surrogate', 'a\ud800b'],
  ])('%s in a string is rejected, and the log names the property', async (_what, username) => {
    const response = await service.post('/auth/v1/token', { username, method: 'basic', password: marker });
    expect(outcome(response)).toEqual([400, refused]);
    expect(newestReason()).toBe(
      'body.username has characters, or an order of them, that are not allowed here',
    );
  });

  it.each([
    ['NUL', '%00'],
    ['broken encoding', '%E0%A4'],
    ['300 letters', 'a'.repeat(300)],
    ['10,000 letters', 'a'.repeat(10_000)],
  ])('a username of %s in the address is rejected', async (_what, segment) => {
    const response = await service.get(`/auth/v1/method/${segment}`);
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(response.status).toBeLessThan(500);
    expect(response.body).toEqual(refused);
  });

  it('an unknown property is rejected without being echoed', async () => {
    const response = await service.post('/auth/v1/refresh', { refresh: 'x', [marker]: marker });
    expect(outcome(response)).toEqual([400, refused]);
    expect(newestReason()).toBe('body has a property that this call does not take');
  });

  it('a missing property is named in the log, with the call', async () => {
    expect((await service.post('/auth/v1/refresh', {})).body).toEqual(refused);
    expect(service.log.entries()).toContainEqual({
      level: 'info',
      event: 'request refused',
      fields: {
        id: aString,
        call: 'POST /auth/v1/refresh',
        status: 400,
        reason: 'body must have the property refresh',
      },
    });
  });

  it('an unknown path is answered in the contract’s form', async () => {
    expect(outcome(await service.get(`/${marker}`))).toEqual([
      404,
      { error: { message: 'There is no such call.', code: 'not_found' } },
    ]);
  });

  it('submitted secrets appear neither in a response nor in the log', async () => {
    const before = [
      await service.signIn({ password: marker }),
      await service.refresh(marker),
      await service.post('/auth/v1/refresh', { refresh: [marker] }),
      await service.get(`/auth/v1/method/${marker}`),
      await service.readUser(marker, marker),
      await service.get(`/user-management/v1/api-users/invite/link/${marker}`),
      await service.post('/auth/v1/validate-password', { password: marker }, { bearer }),
    ];
    for (const response of before) expect(response.text).not.toContain(marker);
    expect(service.log.entries().length).toBeGreaterThan(7);
    expect(service.log.text()).not.toContain(marker);
    expect(service.log.text()).not.toContain(ada);
    expect(service.log.text()).not.toContain(bearer);
  });

  it('no JSON causes an internal error', async () => {
    const anything = fc.jsonValue({ stringUnit: 'binary', maxDepth: 4 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...posts), anything, async (operation, body) => {
        expect((await service.post(operation.path, body, { bearer })).status).toBeLessThan(500);
      }),
      { numRuns: examples(1500) },
    );
  });

  it('no values of the right type cause an internal error of token call or refresh', async () => {
    const value = fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 300 }),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }),
      fc.constantFrom('basic', 'google', 'microsoft', 'magiclink', ada, '', null, true, 0, [], {}),
    );
    const passwordForm = fc.record(
      { username: value, method: fc.constant('basic'), password: value, trustedJWT: value, trust: value },
      { requiredKeys: ['username', 'method', 'password'] },
    );
    const wellFormed = fc.record({
      username: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }),
      method: fc.constant('basic'),
      password: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }),
      trustedJWT: fc.string({ unit: 'grapheme-ascii', minLength: 1 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.oneof(passwordForm, wellFormed), value, async (body, refresh) => {
        expect((await service.post('/auth/v1/token', body)).status).toBeLessThan(500);
        expect((await service.post('/auth/v1/refresh', { refresh })).status).toBeLessThan(500);
      }),
      { numRuns: examples(1000) },
    );
  });

  it('no username in the address and no bearer causes an internal error', async () => {
    const username = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 300 });
    const header = fc.string({ unit: 'grapheme-ascii', maxLength: 200 });
    await fc.assert(
      fc.asyncProperty(username, header, async (name, authorization) => {
        expect((await service.get(`/auth/v1/method/${encodeURIComponent(name)}`)).status).toBeLessThan(500);
        const headers = { Authorization: authorization };
        expect((await service.get('/user-management/v1/users/u_1', { headers })).status).toBe(401);
      }),
      { numRuns: examples(1000) },
    );
  });

  it('the service still works after all of these', async () => {
    expect((await service.signIn()).status).toBe(200);
    expect(service.log.entries().filter((entry) => entry.level === 'error')).toEqual([]);
  });
});

describe('the network of a client address', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::ffff:c000:201', '192.0.2.1'],
    ['192.0.2.1:51234', '192.0.2.1'],
    ['2001:db8:1:2::7', '2001:db8:1::/48'],
    ['2001:0DB8:0001:0002:ffff:ffff:ffff:ffff', '2001:db8:1::/48'],
    ['[2001:db8:1:2::8]:443', '2001:db8:1::/48'],
    ['[2001:db8:1:2::8]', '2001:db8:1::/48'],
    ['2001:db8:1:3::7', '2001:db8:1::/48'],
    ['2001:db8:2:2::7', '2001:db8:2::/48'],
    ['fe80::1%eth0', 'fe80:0:0::/48'],
    ['::1', '127.0.0.1'],
    ['::', '0:0:0::/48'],
    ['1::', '1:0:0::/48'],
    ['', 'unknown'],
    ['unknown', 'unknown'],
    ['192.0.2', 'unknown'],
    ['192.0.2.1%eth0', 'unknown'],
    ["ada' or 1=1", 'unknown'],
  ])('of %j is %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });

  it('is the same for all addresses of a /48, and different for others', () => {
    const group = fc.integer({ min: 1, max: 0xfffe }).map((value) => value.toString(16));
    const front = fc.array(group, { minLength: 3, maxLength: 3 });
    const rest = fc.array(group, { minLength: 5, maxLength: 5 });
    fc.assert(
      fc.property(front, rest, front, rest, (network, host, otherNetwork, otherHost) => {
        const own = networkOf([...network, ...host].join(':'));
        expect(networkOf([...network, ...otherHost].join(':'))).toBe(own);
        const other = networkOf([...otherNetwork, ...host].join(':'));
        expect(other === own).toBe(network.join(':') === otherNetwork.join(':'));
      }),
    );
  });

  it('is defined for any header value', () => {
    fc.assert(fc.property(fc.string({ unit: anyCharacter }), (text) => networkOf(text).length > 0));
    fc.assert(fc.property(fc.ipV6(), (address) => networkOf(address) !== 'unknown'));
  });
});
