/** @jest-environment node */
import { aString, aStringLike } from './support/matchers';
import { identityRefused, lockedFor15Minutes, outcome, signedIn, verifyAgain } from './support/secondStep';
import {
  account,
  signIn,
  startTestService,
  text,
  type Answer,
  type TestService,
} from './support/testService';

jest.setTimeout(120_000);

describe('verifying the identity with the password', () => {
  let world: TestService;

  const validate = (bearer: string, body: unknown): Promise<Answer> =>
    world.post('/auth/v1/validate-password', body, { bearer });
  const right = { password: 'Correct-horse7' };
  const wrong = { password: 'wrong' };
  /** Whether a verification token opens the next step. */
  const opens = async (bearer: string, authVerificationToken: string): Promise<Answer> =>
    world.post('/mfa/v1/twofactor-add', { authVerificationToken }, { bearer });

  beforeAll(async () => {
    world = await startTestService({ database: { folder: null } });
  });
  afterAll(async () => {
    await world.close();
  });
  beforeEach(async () => {
    await world.service.directory.resetAll();
  });

  it('gives a token that opens the next step for 180 seconds', async () => {
    const { bearer } = await signedIn(world);
    const answer = await validate(bearer, right);
    expect(outcome(answer)).toEqual([200, { authVerificationToken: aStringLike(/^[\w-]{43}$/) }]);
    const token = text(answer, 'authVerificationToken');
    world.passSeconds(179);
    expect((await opens(bearer, token)).status).toBe(200);
    world.passSeconds(1);
    expect(outcome(await opens(bearer, token))).toEqual([401, verifyAgain]);
  });

  it('opens it also after the session was refreshed', async () => {
    await world.service.directory.upsertAccount(account());
    const session = await signIn(world);
    const token = text(await validate(text(session, 'token'), right), 'authVerificationToken');
    const refreshed = await world.post('/auth/v1/refresh', { refresh: text(session, 'refresh') });
    expect((await opens(text(refreshed, 'token'), token)).status).toBe(200);
  });

  it('opens nothing in another session, of the same user or of another', async () => {
    const { bearer } = await signedIn(world);
    const token = text(await validate(bearer, right), 'authVerificationToken');
    const elsewhere = text(await signIn(world), 'token');
    const bob = await signedIn(world, { username: 'bob@example.com' });
    for (const foreign of [elsewhere, bob.bearer]) {
      expect(outcome(await opens(foreign, token))).toEqual([401, verifyAgain]);
    }
    expect((await opens(bearer, token)).status).toBe(200);
  });

  it('opens nothing with the token of a challenge, one that was made up, or none', async () => {
    const { bearer } = await signedIn(world, {
      mfa: { type: 'authy', phone: '+12025550143', countryCode: 'US', authyId: '5' },
    });
    const challenge = text(await signIn(world), 'authVerificationToken');
    for (const token of [challenge, 'made up']) {
      expect(outcome(await opens(bearer, token))).toEqual([401, verifyAgain]);
    }
    expect(outcome(await world.post('/mfa/v1/twofactor-add', {}, { bearer }))).toEqual([401, verifyAgain]);
  });

  it('is refused for a wrong password, in the words of the specification', async () => {
    const { bearer } = await signedIn(world);
    expect(outcome(await validate(bearer, wrong))).toEqual([401, identityRefused]);
  });

  it('counts wrong passwords of its session, and is locked by them alone', async () => {
    const { bearer } = await signedIn(world);
    for (let tries = 0; tries < 5; tries += 1) await signIn(world, wrong);
    expect((await validate(bearer, right)).status).toBe(200);
    for (let tries = 0; tries < 4; tries += 1) expect((await validate(bearer, wrong)).status).toBe(401);
    expect(outcome(await validate(bearer, wrong))).toEqual([429, lockedFor15Minutes]);
    expect((await validate(bearer, right)).status).toBe(429);
    world.passSeconds(899);
    expect((await validate(bearer, right)).status).toBe(429);
  });

  it('forgets wrong ones once it was right', async () => {
    const { bearer } = await signedIn(world);
    for (let tries = 0; tries < 4; tries += 1) await validate(bearer, wrong);
    expect((await validate(bearer, right)).body).toEqual({ authVerificationToken: aString });
    for (let tries = 0; tries < 4; tries += 1) expect((await validate(bearer, wrong)).status).toBe(401);
  });

  it('does not take a provider’s code of who signed in with a password', async () => {
    const { bearer } = await signedIn(world, { methods: [{ method: 'basic' }, { method: 'google' }] });
    expect(outcome(await validate(bearer, { code: 'c' }))).toEqual([401, identityRefused]);
  });

  it('needs a session: none, an ended one and a set-up token are refused', async () => {
    const { bearer } = await signedIn(world);
    await world.service.directory.endSessions('ada@example.com');
    expect((await validate(bearer, right)).status).toBe(401);
    expect((await world.post('/auth/v1/validate-password', right)).status).toBe(401);
    await world.service.directory.upsertAccount(account({ mustSetUpMfa: true }));
    const mfaJWT = text(await signIn(world), 'mfaJWT');
    expect((await validate(mfaJWT, right)).status).toBe(401);
  });

  it('leaves nothing of the password or the token in the log', async () => {
    const { bearer } = await signedIn(world);
    const token = text(await validate(bearer, right), 'authVerificationToken');
    await opens(bearer, token);
    for (const secret of ['Correct-horse7', token, bearer]) expect(world.log.text()).not.toContain(secret);
  });
});
