/** @jest-environment node */
import fc from 'fast-check';
import { operationsOf, readContract } from '@contract/document';
import { account, signIn, startTestService, text, type TestService } from './support/testService';

jest.setTimeout(300_000);

const marker = 'Marked-secret-71c9';
const refused = {
  error: {
    message: 'This request could not be understood. Please check your entries and try again.',
    code: 'invalid_request',
  },
};
const posts = operationsOf(readContract()).filter((operation) => operation.method === 'post');

describe('hostile input', () => {
  let world: TestService;
  let bearer: string;

  beforeAll(async () => {
    world = await startTestService({ database: { folder: null }, lockout: { attempts: 1_000_000 } });
    await world.service.directory.upsertAccount(account());
    bearer = text(await signIn(world), 'token');
  });
  afterAll(async () => {
    await world.close();
  });

  const token = (rawBody: string | Uint8Array<ArrayBuffer>, headers = {}) =>
    world.send('POST', '/auth/v1/token', { rawBody, headers });

  /** Why the newest request was refused, as the log has it. */
  const newestReason = (): unknown =>
    world.log.entries().findLast(({ event }) => event === 'request refused')?.fields['reason'];

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
  ])('a body of %s is refused in plain words, and the log says why', async (_what, body, status, reason) => {
    const answer = await token(body);
    expect([answer.status, answer.body]).toEqual([status, refused]);
    expect(newestReason()).toMatch(reason);
  });

  it('bytes that are no UTF-8 are refused or taken as unknown characters', async () => {
    const bytes = new Uint8Array([...Buffer.from('{"username":"'), 0xff, 0xfe, 0xc3, ...Buffer.from('"}')]);
    expect((await token(bytes)).status).toBe(400);
  });

  it.each([
    ['plain text', 'text/plain'],
    ['a form', 'application/x-www-form-urlencoded'],
    ['something unknown', 'application/json-seq'],
    ['a broken type', ';;;'],
  ])('a body declared as %s is refused', async (_what, type) => {
    const body = JSON.stringify({ username: 'ada@example.com', method: 'basic', password: marker });
    const answer = await token(body, { 'Content-Type': type });
    expect([answer.status, answer.body]).toEqual([415, refused]);
    expect(newestReason()).toBe('body must be application/json');
  });

  it('a call without any body is refused before a handler sees it', async () => {
    const answer = await world.send('POST', '/auth/v1/token');
    expect(answer.status).toBe(400);
  });

  it.each([
    ['NUL', 'a\u0000b'],
    ['an unpaired surrogate', 'a\ud800b'],
  ])('%s in a string is refused, and the log names the property', async (_what, username) => {
    const answer = await world.post('/auth/v1/token', { username, method: 'basic', password: marker });
    expect([answer.status, answer.body]).toEqual([400, refused]);
    expect(newestReason()).toBe(
      'body.username has characters, or an order of them, that are not allowed here',
    );
  });

  it.each([
    ['NUL', '%00'],
    ['broken encoding', '%E0%A4'],
    ['300 letters', 'a'.repeat(300)],
    ['10,000 letters', 'a'.repeat(10_000)],
  ])('a username of %s in the address is refused', async (_what, segment) => {
    const answer = await world.get(`/auth/v1/method/${segment}`);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    expect(answer.body).toEqual(refused);
  });

  it('a property that the call does not take is refused without being repeated', async () => {
    const answer = await world.post('/auth/v1/refresh', { refresh: 'x', [marker]: marker });
    expect([answer.status, answer.body]).toEqual([400, refused]);
    expect(newestReason()).toBe('body has a property that this call does not take');
  });

  it('a property that is missing is named in the log, with the call', async () => {
    expect((await world.post('/auth/v1/refresh', {})).body).toEqual(refused);
    expect(world.log.entries()).toContainEqual({
      level: 'info',
      event: 'request refused',
      fields: { call: 'POST /auth/v1/refresh', status: 400, reason: 'body must have the property refresh' },
    });
  });

  it('a path that does not exist is answered in the contract’s form', async () => {
    const answer = await world.get(`/${marker}`);
    expect([answer.status, answer.body]).toEqual([
      404,
      { error: { message: 'There is no such call.', code: 'not_found' } },
    ]);
  });

  it('secrets that were sent stand neither in an answer nor in the log', async () => {
    const before = [
      await signIn(world, { password: marker }),
      await world.post('/auth/v1/refresh', { refresh: marker }),
      await world.post('/auth/v1/refresh', { refresh: [marker] }),
      await world.get(`/auth/v1/method/${marker}`),
      await world.get(`/user-management/v1/users/${marker}`, { bearer: marker }),
      await world.get(`/user-management/v1/api-users/invite/link/${marker}`),
      await world.post('/auth/v1/validate-password', { password: marker }, { bearer }),
    ];
    for (const answer of before) expect(answer.text).not.toContain(marker);
    expect(world.log.entries().length).toBeGreaterThan(7);
    expect(world.log.text()).not.toContain(marker);
    expect(world.log.text()).not.toContain('ada@example.com');
    expect(world.log.text()).not.toContain(bearer);
  });

  it('no JSON whatever brings a call down', async () => {
    const anything = fc.jsonValue({ stringUnit: 'binary', maxDepth: 4 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...posts), anything, async (operation, body) => {
        const answer = await world.post(operation.path, body, { bearer });
        expect(answer.status).toBeLessThan(500);
      }),
      { numRuns: 250 },
    );
  });

  it('no values whatever in the right places bring the token call or the refresh down', async () => {
    const value = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }),
      fc.constantFrom(
        'basic',
        'google',
        'microsoft',
        'magiclink',
        'ada@example.com',
        '',
        null,
        true,
        0,
        [],
        {},
      ),
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
        expect((await world.post('/auth/v1/token', body)).status).toBeLessThan(500);
        expect((await world.post('/auth/v1/refresh', { refresh })).status).toBeLessThan(500);
      }),
      { numRuns: 150 },
    );
  });

  it('no username whatever in the address, and no bearer whatever, brings a call down', async () => {
    const username = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 300 });
    const header = fc.string({ unit: 'grapheme-ascii', maxLength: 200 });
    await fc.assert(
      fc.asyncProperty(username, header, async (name, authorization) => {
        const methods = await world.get(`/auth/v1/method/${encodeURIComponent(name)}`);
        expect(methods.status).toBeLessThan(500);
        const headers = { Authorization: authorization };
        expect((await world.get('/user-management/v1/users/u_1', { headers })).status).toBe(401);
      }),
      { numRuns: 150 },
    );
  });

  it('and after all that the service still signs people in', async () => {
    expect((await signIn(world)).status).toBe(200);
    expect(world.log.entries().filter((entry) => entry.level === 'error')).toEqual([]);
  });
});
