/** @jest-environment node */
import { bothDatabases } from './support/bothDatabases';
import {
  account,
  signIn,
  startTestService,
  text,
  type Answer,
  type TestService,
} from './support/testService';

jest.setTimeout(120_000);

describe.each(bothDatabases)('signing out at the service (extension `revoke`), on $name', ({ open }) => {
  let world: TestService;
  let closeDatabase: () => Promise<void>;
  let uid: string;

  const revoke = (body: unknown): Promise<Answer> => world.post('/auth/v1/revoke', body);
  const refresh = (token: string): Promise<Answer> => world.post('/auth/v1/refresh', { refresh: token });
  const readUser = async (bearer: string): Promise<number> =>
    (await world.get(`/user-management/v1/users/${uid}`, { bearer })).status;
  const openSession = async () => {
    const answer = await signIn(world);
    return { token: text(answer, 'token'), refresh: text(answer, 'refresh') };
  };

  beforeAll(async () => {
    const database = await open();
    closeDatabase = database.close;
    world = await startTestService({ database: database.options });
  });
  afterAll(async () => {
    await world.close();
    await closeDatabase();
  });
  beforeEach(async () => {
    await world.service.directory.resetAll();
    ({ uid } = await world.service.directory.upsertAccount(account()));
  });

  it('ends the access token on every bearer call, and the refresh token; it stays so', async () => {
    const session = await openSession();
    expect(await readUser(session.token)).toBe(200);

    const answer = await revoke({ refresh: session.refresh });
    expect([answer.status, answer.body]).toEqual([200, {}]);
    const { token: bearer } = session;
    const password = 'Correct-horse7';
    const calls = [
      await world.get(`/user-management/v1/users/${uid}`, { bearer }),
      await world.get('/mfa/v1/authy-info', { bearer }),
      await world.post('/auth/v1/validate-password', { password }, { bearer }),
      await world.post('/mfa/v1/twofactor-add', {}, { bearer }),
      await world.post('/mfa/v1/disable', { password }, { bearer }),
      await refresh(session.refresh),
    ];
    expect(calls.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 401]);
    world.passSeconds(60);
    expect([await readUser(bearer), (await refresh(session.refresh)).status]).toEqual([401, 401]);
  });

  it('ends the whole family by a refresh token that was exchanged meanwhile', async () => {
    const first = await openSession();
    const next = await refresh(first.refresh);
    await revoke({ refresh: first.refresh });
    expect(await readUser(first.token)).toBe(401);
    expect(await readUser(text(next, 'token'))).toBe(401);
    expect((await refresh(text(next, 'refresh'))).status).toBe(401);
  });

  it('leaves nothing alive of a refresh that races with it', async () => {
    const session = await openSession();
    const [refreshed] = await Promise.all([
      refresh(session.refresh),
      revoke({ refresh: session.refresh }),
      refresh(session.refresh),
    ]);
    expect((await refresh(session.refresh)).status).toBe(401);
    if (refreshed.status !== 200) return;
    expect(await readUser(text(refreshed, 'token'))).toBe(401);
    expect((await refresh(text(refreshed, 'refresh'))).status).toBe(401);
  });

  it('leaves the other sessions of the user alone', async () => {
    const [session, other] = [await openSession(), await openSession()];
    await revoke({ refresh: session.refresh });
    expect(await readUser(other.token)).toBe(200);
    expect((await refresh(other.refresh)).status).toBe(200);
  });

  it('is answered alike for what is revoked, unknown or no refresh token, and does nothing then', async () => {
    const [session, other] = [await openSession(), await openSession()];
    const answers = [
      await revoke({ refresh: session.refresh }),
      await revoke({ refresh: session.refresh }),
      await revoke({ refresh: 'never-issued' }),
      // An access token, live or not, ends nothing: who has only that is no owner of the session.
      await revoke({ refresh: other.token }),
      await revoke({ mfaToken: other.token }),
      await revoke({ mfaToken: 'no.such.token' }),
    ];
    expect(answers.map(({ status, body }) => [status, body])).toEqual(answers.map(() => [200, {}]));
    expect(await readUser(other.token)).toBe(200);
  });

  it('ends nothing for a refresh token that has expired', async () => {
    const first = await openSession();
    world.passSeconds(28_000);
    const next = await refresh(first.refresh);
    world.passSeconds(1_000);
    await revoke({ refresh: first.refresh });
    expect((await refresh(text(next, 'refresh'))).status).toBe(200);
  });

  it('refuses both tokens in one request, and none', async () => {
    expect((await revoke({})).status).toBe(400);
    expect((await revoke({ refresh: 'r', mfaToken: 'm' })).status).toBe(400);
  });

  it('makes the set-up token worthless, and no other one', async () => {
    ({ uid } = await world.service.directory.upsertAccount(account({ mustSetUpMfa: true })));
    const [left, other] = [text(await signIn(world), 'mfaJWT'), text(await signIn(world), 'mfaJWT')];
    expect(await readUser(left)).toBe(200);
    expect((await revoke({ mfaToken: left })).status).toBe(200);
    expect((await revoke({ mfaToken: left })).status).toBe(200);

    expect(await readUser(left)).toBe(401);
    expect((await world.post('/mfa/v1/twofactor-add', {}, { bearer: left })).status).toBe(401);
    expect(await readUser(other)).toBe(200);
    // Also with its signature's other form (ECDSA: r and n - s), which is the same token in other letters.
    expect(await readUser(otherSignature(left))).toBe(401);
    expect(await readUser(otherSignature(other))).toBe(200);
  });
});

/** The second valid signature that anybody can derive from a signature over P-256. */
function otherSignature(token: string): string {
  const n = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
  const [header, payload, signature = ''] = token.split('.');
  const bytes = Buffer.from(signature, 'base64url');
  const s = n - BigInt(`0x${bytes.subarray(32).toString('hex')}`);
  const turned = Buffer.concat([bytes.subarray(0, 32), Buffer.from(s.toString(16).padStart(64, '0'), 'hex')]);
  return [header, payload, turned.toString('base64url')].join('.');
}
