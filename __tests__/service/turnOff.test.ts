/** @jest-environment node */
import {
  activeFactors,
  app,
  challengeOf,
  codeOfApp,
  enterCode,
  identityRefused,
  lockedFor15Minutes,
  outcome,
  signedIn,
  sms,
  verified,
  verifyAgain,
} from './support/secondStep';
import {
  account,
  signIn,
  startTestService,
  text,
  type Answer,
  type TestService,
} from './support/testService';

jest.setTimeout(180_000);

describe('turning two-step verification off', () => {
  let world: TestService;

  const disable = (bearer: string, body: unknown): Promise<Answer> =>
    world.post('/mfa/v1/disable', body, { bearer });
  const password = 'Correct-horse7';

  beforeAll(async () => {
    world = await startTestService({ database: { folder: null } });
  });
  afterAll(async () => {
    await world.close();
  });
  beforeEach(async () => {
    await world.service.directory.resetAll();
  });

  it.each([
    ['text messages', sms],
    ['an app', app],
  ])('takes away %s: the next sign-in asks for no code', async (_kind, mfa) => {
    const { bearer, uid } = await signedIn(world, { mfa });
    const authVerificationToken = await verified(world, bearer);
    expect(outcome(await disable(bearer, { password, authVerificationToken }))).toEqual([200, {}]);
    expect(await activeFactors(world, bearer, uid)).toEqual({ authyActive: false, twoFactorActive: false });
    expect(Object.keys((await signIn(world)).body).sort()).toEqual(['refresh', 'token']);
  });

  it.each([
    ['the password alone', () => ({ password }), verifyAgain],
    ['the verification alone', (token: string) => ({ authVerificationToken: token }), identityRefused],
    [
      'a wrong password',
      (token: string) => ({ password: 'wrong', authVerificationToken: token }),
      identityRefused,
    ],
    ['a verification that was made up', () => ({ password, authVerificationToken: 'x' }), verifyAgain],
  ])('is refused with %s', async (_what, bodyOf, refusal) => {
    const { bearer, uid } = await signedIn(world, { mfa: sms });
    const token = await verified(world, bearer);
    expect(outcome(await disable(bearer, bodyOf(token)))).toEqual([401, refusal]);
    expect(await activeFactors(world, bearer, uid)).toEqual({ authyActive: true, twoFactorActive: false });
  });

  it('is refused with the verification of another session, of the same user or of another', async () => {
    const ada = await signedIn(world, { mfa: app });
    const token = await verified(world, ada.bearer);
    const challenge = await challengeOf(world);
    const elsewhere = await enterCode(world, challenge, await codeOfApp(world));
    const bob = await signedIn(world, { username: 'bob@example.com', mfa: app });
    for (const bearer of [text(elsewhere, 'token'), bob.bearer]) {
      const answer = await disable(bearer, { password, authVerificationToken: token });
      expect(outcome(answer)).toEqual([401, verifyAgain]);
    }
  });

  it('is refused after 180 seconds', async () => {
    const { bearer } = await signedIn(world, { mfa: sms });
    const authVerificationToken = await verified(world, bearer);
    world.passSeconds(180);
    expect(outcome(await disable(bearer, { password, authVerificationToken }))).toEqual([401, verifyAgain]);
  });

  it('counts wrong passwords of its session, and none of those at sign-in', async () => {
    const { bearer } = await signedIn(world, { mfa: sms });
    const authVerificationToken = await verified(world, bearer);
    const guess = { password: 'wrong', authVerificationToken };
    for (let tries = 0; tries < 5; tries += 1) await signIn(world, { password: 'wrong' });
    for (let tries = 0; tries < 4; tries += 1) expect((await disable(bearer, guess)).status).toBe(401);
    expect(outcome(await disable(bearer, guess))).toEqual([429, lockedFor15Minutes]);
    expect((await disable(bearer, { password, authVerificationToken })).status).toBe(429);
  });

  it('uses the verification up, also when it comes twice at the same moment', async () => {
    const { bearer } = await signedIn(world, { mfa: sms });
    const body = { password, authVerificationToken: await verified(world, bearer) };
    const answers = await Promise.all([disable(bearer, body), disable(bearer, body)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    expect(outcome(await disable(bearer, body))).toEqual([401, verifyAgain]);
  });

  it('ends a challenge that is open, and an enrolment that was begun', async () => {
    const { bearer } = await signedIn(world, { mfa: app });
    const challenge = await challengeOf(world);
    const authVerificationToken = await verified(world, bearer);
    await world.post('/mfa/v1/twofactor-add', { authVerificationToken }, { bearer });
    await disable(bearer, { password, authVerificationToken });
    expect((await enterCode(world, challenge, await codeOfApp(world))).status).toBe(401);
    const late = {
      mfaCode: '123456',
      mfaRegistering: 'mfa',
      authVerificationToken: await verified(world, bearer),
    };
    expect((await world.post('/mfa/v1/validate-setup', late, { bearer })).status).toBe(400);
  });

  it('leads who must have it to the set-up at the next sign-in', async () => {
    const { bearer } = await signedIn(world);
    await world.service.directory.upsertAccount(account({ mustSetUpMfa: true, mfa: app }));
    await disable(bearer, { password, authVerificationToken: await verified(world, bearer) });
    expect(Object.keys((await signIn(world)).body).sort()).toEqual(['mfaJWT', 'uid']);
  });

  it('does no harm where it is off already', async () => {
    const { bearer } = await signedIn(world);
    const authVerificationToken = await verified(world, bearer);
    expect((await disable(bearer, { password, authVerificationToken })).status).toBe(200);
  });
});
