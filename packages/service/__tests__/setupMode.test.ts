import { decodeJwt } from 'jose';
import { appCode } from './support/authenticator.ts';
import {
  app,
  identityRefused,
  lockedFor15Minutes,
  outcome,
  sms,
  unauthorized,
  verifyAgain,
} from './support/secondStep.ts';
import { describeService, text } from './support/testService.ts';

describeService('a user who must set up two-step verification', (service) => {
  let uid: string;
  let bearer: string;

  const addPhone = () => service.addPhone(bearer);
  const validatePhone = () => service.validatePhone(bearer, service.outbox.newestCode());
  /** Starts the set-up of an app. @returns the code that the app shows. */
  const addApp = async (as = bearer) => appCode(text(await service.addApp(as), 'code'), service.now());
  const validateApp = (code: string) => service.validateApp(bearer, code);

  beforeEach(async () => {
    ({ uid } = await service.write({ mustSetUpMfa: true }));
    bearer = text(await service.signIn(), 'mfaJWT');
  });

  it('sets up a phone without verifying the identity, reads it, and signs in again with a code', async () => {
    expect(decodeJwt(bearer)).toMatchObject({ isMfaSetup: true, uid });
    expect(outcome(await addPhone())).toEqual([200, { lastFourPhone: '0143' }]);
    expect((await validatePhone()).status).toBe(200);
    const info = await service.get('/mfa/v1/authy-info', { bearer });
    expect(info.body).toEqual({ status: { phone_number: 'XXX-XXX-0143' } });
    expect(await service.activeFactors(bearer, uid)).toMatchObject({ authyActive: true });

    const challenge = await service.signIn();
    expect(Object.keys(challenge.body)).not.toContain('mfaJWT');
    const code = service.outbox.newestCode();
    const session = await service.enterCode(text(challenge, 'authVerificationToken'), code);
    expect(decodeJwt(text(session, 'token'))).toMatchObject({ isMfaSetup: false });
  });

  it('still has to when the set-up was not finished', async () => {
    await addPhone();
    expect(Object.keys((await service.signIn()).body).sort()).toEqual(['mfaJWT', 'uid']);
  });

  it('cannot change the factor with the left-over set-up token', async () => {
    const code = await addApp();
    await addPhone();
    await validatePhone();
    const late = [await addPhone(), await service.addApp(bearer), await validateApp(code)];
    for (const response of late) expect(outcome(response)).toEqual([401, unauthorized]);
  });

  it('cannot restore a factor with it after the owner turned it off', async () => {
    await addPhone();
    await validatePhone();
    const challenge = text(await service.signIn(), 'authVerificationToken');
    const session = text(await service.enterCode(challenge, service.outbox.newestCode()), 'token');
    expect((await service.disable(session, await service.verified(session))).status).toBe(200);
    // In the same second, and then with a set-up that a new token started.
    for (const response of [await addPhone(), await service.addApp(bearer)]) {
      expect(outcome(response)).toEqual([401, unauthorized]);
    }
    const fresh = text(await service.signIn(), 'mfaJWT');
    const code = await addApp(fresh);
    expect(outcome(await validateApp(code))).toEqual([401, unauthorized]);
    bearer = fresh;
    expect((await validateApp(code)).status).toBe(200);
  });

  it('cannot continue once the administrator no longer requires it', async () => {
    await service.write();
    expect(outcome(await addPhone())).toEqual([401, unauthorized]);
  });

  it('has one factor after a phone and an app were verified concurrently', async () => {
    const code = await addApp();
    await addPhone();
    const responses = await Promise.all([validatePhone(), validateApp(code)]);
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    const { authyActive, twoFactorActive } = await service.activeFactors(bearer, uid);
    expect(authyActive).not.toBe(twoFactorActive);
  });

  it('cannot turn anything off or verify an identity: there is no session', async () => {
    const responses = [
      await service.disable(bearer),
      await service.post('/auth/v1/validate-password', { password: 'Correct-horse7' }, { bearer }),
    ];
    for (const response of responses) expect(outcome(response)).toEqual([401, unauthorized]);
  });

  it('has 15 minutes, and none after a password change', async () => {
    service.passSeconds(899);
    expect((await addPhone()).status).toBe(200);
    service.passSeconds(1);
    expect(outcome(await addPhone())).toEqual([401, unauthorized]);

    bearer = text(await service.signIn(), 'mfaJWT');
    service.passSeconds(1);
    const lastReset = new Date(service.now());
    await service.write({ mustSetUpMfa: true, lastReset });
    expect(outcome(await addPhone())).toEqual([401, unauthorized]);
    bearer = text(await service.signIn(), 'mfaJWT');
    expect((await addPhone()).status).toBe(200);
  });

  it('cannot set up another user’s account', async () => {
    const bob = await service.write({ username: 'bob@example.com' });
    await addPhone();
    await validatePhone();
    expect((await service.signIn({ username: 'bob@example.com' })).body).toHaveProperty('token');
    expect((await service.get(`/user-management/v1/users/${bob.uid}`, { bearer })).status).toBe(403);
  });
});

interface Proof {
  readonly isVerified?: boolean;
  readonly verification?: string;
  readonly password?: string | undefined;
}

describeService('turning two-step verification off', (service) => {
  it.each([
    ['text messages', sms],
    ['an app', app],
  ])('removes %s: the next sign-in needs no code', async (_kind, mfa) => {
    const { bearer, uid } = await service.signedIn({ mfa });
    expect(outcome(await service.disable(bearer, await service.verified(bearer)))).toEqual([200, {}]);
    expect(await service.activeFactors(bearer, uid)).toEqual({ authyActive: false, twoFactorActive: false });
    expect(Object.keys((await service.signIn()).body).sort()).toEqual(['refresh', 'token']);
  });

  it.each([
    ['the password alone', {}, verifyAgain],
    ['the verification alone', { isVerified: true, password: undefined }, identityRefused],
    ['a wrong password', { isVerified: true, password: 'wrong' }, identityRefused],
    ['an invented verification', { verification: 'x' }, verifyAgain],
  ])('is rejected with %s', async (_what, { isVerified = false, verification, ...given }: Proof, refusal) => {
    const { bearer, uid } = await service.signedIn({ mfa: sms });
    const authVerificationToken = isVerified ? await service.verified(bearer) : verification;
    const body = { password: 'Correct-horse7', ...given, authVerificationToken };
    expect(outcome(await service.post('/mfa/v1/disable', body, { bearer }))).toEqual([401, refusal]);
    expect(await service.activeFactors(bearer, uid)).toEqual({ authyActive: true, twoFactorActive: false });
  });

  it('counts wrong passwords of its session, and none of those at sign-in', async () => {
    const { bearer } = await service.signedIn({ mfa: sms });
    const token = await service.verified(bearer);
    const guess = () => service.disable(bearer, token, 'wrong');
    for (let tries = 0; tries < 5; tries += 1) await service.signIn({ password: 'wrong' });
    for (let tries = 0; tries < 4; tries += 1) expect((await guess()).status).toBe(401);
    expect(outcome(await guess())).toEqual([429, lockedFor15Minutes]);
    expect((await service.disable(bearer, token)).status).toBe(429);
  });

  it('consumes the verification, also for two concurrent requests', async () => {
    const { bearer } = await service.signedIn({ mfa: sms });
    const token = await service.verified(bearer);
    const responses = await Promise.all([service.disable(bearer, token), service.disable(bearer, token)]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 401]);
    expect(outcome(await service.disable(bearer, token))).toEqual([401, verifyAgain]);
  });

  it('ends an open challenge and an enrolment in progress', async () => {
    const { bearer } = await service.signedIn({ mfa: app });
    const challenge = await service.challenge();
    const token = await service.verified(bearer);
    await service.addApp(bearer, token);
    await service.disable(bearer, token);
    expect((await service.enterCode(challenge, await service.codeOfApp())).status).toBe(401);
    const late = await service.validateApp(bearer, '123456', await service.verified(bearer));
    expect(late.status).toBe(400);
  });

  it('has no effect if it is off already', async () => {
    const { bearer } = await service.signedIn();
    expect((await service.disable(bearer, await service.verified(bearer))).status).toBe(200);
  });
});
