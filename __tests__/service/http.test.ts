/** @jest-environment node */
import { createApplication } from '../../service/http/application';
import type { Handlers } from '../../service/http/operations';
import { settingsFrom, type RateLimitOptions, type ServiceOptions } from '../../service/options';
import { credentialsRefused } from '../../service/errors';
import { operationsOf, readContract } from '@contract/document';
import { recordingLogger } from './support/recordingLogger';
import { account, loginOrigin, signIn, startTestService, type TestService } from './support/testService';
import { aNumber, aString } from './support/matchers';

jest.setTimeout(120_000);

describe('the service over HTTP', () => {
  let world: TestService;

  beforeAll(async () => {
    world = await startTestService({ database: { folder: null } });
    await world.service.directory.upsertAccount(account());
  });
  afterAll(async () => {
    await world.close();
  });

  const preflight = (origin: string) =>
    fetch(`${world.url}/auth/v1/token`, {
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
    'lets no page of %s read its answers',
    async (origin) => {
      const answers = [
        await preflight(origin),
        await fetch(`${world.url}/health`, { headers: { Origin: origin } }),
      ];
      for (const { headers } of answers) expect(headers.get('access-control-allow-origin')).toBeNull();
    },
  );

  it('lets the page read a refusal and its Retry-After', async () => {
    const answer = await world.post('/auth/v1/refresh', {}, { headers: { Origin: loginOrigin } });
    expect(answer.headers.get('access-control-allow-origin')).toBe(loginOrigin);
    expect(answer.headers.get('access-control-expose-headers')).toBe('Retry-After');
    expect(answer.headers.get('vary')).toContain('Origin');
  });

  it('forbids caching of every answer, also of refusals and of paths that do not exist', async () => {
    const answers = [
      await signIn(world),
      await signIn(world, { password: 'wrong' }),
      await world.get('/auth/v1/method/ada@example.com'),
      await world.get('/auth/v1/method/%E0%A4'),
      await world.get('/nowhere'),
    ];
    for (const { headers } of answers) expect(headers.get('cache-control')).toBe('no-store');
  });

  it('sends the headers of an API that no page may frame, sniff or refer from', async () => {
    const { headers } = await world.get('/health');
    expect(headers.get('content-security-policy')).toBe("default-src 'none';frame-ancestors 'none'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('set-cookie')).toBeNull();
  });

  it('publishes the public half of its key and nothing of the private one', async () => {
    const { body, headers } = await world.get('/.well-known/jwks.json');
    expect(body).toEqual({
      keys: [
        {
          kty: 'EC',
          crv: 'P-256',
          alg: 'ES256',
          use: 'sig',
          kid: aString,
          x: aString,
          y: aString,
        },
      ],
    });
    expect(headers.get('cache-control')).toBe('public, max-age=300');
  });

  it('writes down each call by its pattern, its status and its time', async () => {
    await world.get('/auth/v1/method/ada@example.com');
    expect(world.log.entries()).toContainEqual({
      level: 'info',
      event: 'call',
      fields: { call: 'GET /auth/v1/method/:username', status: 200, milliseconds: aNumber },
    });
  });

  // The last one: it ends the service of this group.
  it('finishes what is under way before it ends, refuses what comes then, and ends once', async () => {
    const underWay = signIn(world);
    await world.nextLookAtTheClock();
    const ends = [world.service.close(), world.service.close()];
    const late = await world.get('/auth/v1/method/ada@example.com');
    expect([late.status, late.body]).toEqual([
      503,
      { error: { message: 'The service is restarting. Please try again.', code: 'unavailable' } },
    ]);
    expect((await underWay).status).toBe(200);
    await Promise.all(ends);
  });
});

describe('the limits per address', () => {
  const body = { username: 'a', method: 'basic', password: 'x' };
  const start = (limits: Partial<RateLimitOptions>, trustedProxies: string[] = []) =>
    startApplication({ rateLimit: limits, trustedProxies }, () => Promise.reject(credentialsRefused()));

  it('refuse what is too much, for secrets sooner, with the time to wait and without the words of a lockout', async () => {
    const app = await start({ requestsPerMinute: 6, tokenCallsPerMinute: 2 });
    const secrets = [];
    for (let call = 0; call < 3; call += 1) {
      secrets.push(await app.inject({ method: 'POST', url: '/auth/v1/token', payload: body }));
    }
    const others = [];
    const payload = { refresh: 'x' };
    for (let call = 0; call < 8; call += 1) {
      others.push((await app.inject({ method: 'POST', url: '/auth/v1/refresh', payload })).statusCode);
    }
    await app.close();

    expect(secrets.map((answer) => answer.statusCode)).toEqual([401, 401, 429]);
    const refused = secrets[2];
    expect(refused?.json()).toEqual({
      error: { message: 'Too many requests. Please try again later.', code: 'rate_limited' },
    });
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(refused?.headers['retry-after'])).toBeLessThanOrEqual(60);
    expect(others).toEqual([401, 401, 401, 401, 401, 401, 429, 429]);
  });

  it.each([
    ['a path', { method: 'GET', url: '/nowhere' }],
    ['a method', { method: 'POST', url: '/health' }],
    ['a path asked for with a body', { method: 'POST', url: '/nowhere', payload: 'text' }],
  ] as const)('count %s that does not exist, with the calls that do', async (_what, request) => {
    const app = await start({ requestsPerMinute: 3, secretChecksPerMinute: 1 });
    const seen = [];
    for (let call = 0; call < 3; call += 1) seen.push((await app.inject(request)).statusCode);
    const refused = [await app.inject(request), await app.inject({ method: 'GET', url: '/health' })];
    await app.close();
    expect(seen.every((status) => status === 404 || status === 415)).toBe(true);
    expect(refused.map(({ statusCode }) => statusCode)).toEqual([429, 429]);
    expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(0);
  });

  it.each([
    ['thirty token calls', { method: 'POST', url: '/auth/v1/token', payload: body }, 30],
    ['the methods of thirty usernames', { method: 'GET', url: '/auth/v1/method/a' }, 30],
    ['sixty guesses at a link', { method: 'GET', url: '/user-management/v1/api-users/invite/link/a' }, 60],
  ] as const)('are, unless told otherwise, %s a minute', async (_what, request, most) => {
    const app = await start({});
    const seen: number[] = [];
    for (let call = 0; call < most + 1; call += 1) seen.push((await app.inject(request)).statusCode);
    const other = await app.inject({ ...request, remoteAddress: '192.0.2.9' });
    await app.close();
    expect(seen).toEqual([...Array<number>(most).fill(401), 429]);
    expect(other.statusCode).toBe(401);
  });

  it('count each IPv4 address, and each IPv6 network of /48, by itself', async () => {
    const app = await start({ tokenCallsPerMinute: 1 });
    const callFrom = async (remoteAddress: string): Promise<number> =>
      (await app.inject({ method: 'POST', url: '/auth/v1/token', payload: body, remoteAddress })).statusCode;
    const seen = [await callFrom('192.0.2.1'), await callFrom('192.0.2.2'), await callFrom('192.0.2.1')];
    const ofNetwork = [await callFrom('2001:db8::1'), await callFrom('2001:db8:0:ffff::2')];
    await app.close();
    expect(seen).toEqual([401, 401, 429]);
    expect(ofNetwork).toEqual([401, 429]);
  });

  it.each([
    ['count the address that a trusted proxy names', ['127.0.0.1'], [401, 401]],
    ['believe nobody else who names an address', [], [401, 429]],
  ])('%s', async (_what, trustedProxies, expected) => {
    const app = await start({ tokenCallsPerMinute: 1 }, trustedProxies);
    const callAs = async (address: string): Promise<number> => {
      const headers = { 'X-Forwarded-For': address };
      return (await app.inject({ method: 'POST', url: '/auth/v1/token', payload: body, headers })).statusCode;
    };
    const seen = [await callAs('192.0.2.1'), await callAs('192.0.2.2')];
    await app.close();
    expect(seen).toEqual(expected);
  });
});

describe('an answer that breaks the contract', () => {
  it('is not sent: the caller hears of a fault on our side, the log of the reason', async () => {
    const log = recordingLogger();
    // Half of a pair: a bug that the types would not let us write.
    const app = await startApplication({ logger: log.logger }, () => Promise.resolve({ token: 'x' }));
    const answer = await app.inject({ method: 'POST', url: '/auth/v1/refresh', payload: { refresh: 'x' } });
    await app.close();

    expect([answer.statusCode, answer.json()]).toEqual([
      500,
      { error: { message: 'Something went wrong on our side.', code: 'unexpected' } },
    ]);
    expect(log.text()).toContain(
      "The answer breaks the contract: body must have required property 'refresh'",
    );
  });
});

/** The HTTP side alone, without a database: every call is carried out by `handler`. */
function startApplication(options: Partial<ServiceOptions>, handler: () => Promise<unknown>) {
  const handlers = Object.fromEntries(operationsOf(readContract()).map(({ id }) => [id, handler]));
  return createApplication({
    settings: settingsFrom({
      database: { folder: null },
      issuer: 'http://api.payments.localhost',
      allowedOrigins: [loginOrigin],
      ...options,
    }),
    handlers: handlers as unknown as Handlers,
    readBearer: () => Promise.reject(new Error('not called')),
    publicKeys: { keys: [] },
    ping: () => Promise.resolve(),
  });
}
