import { newPassword, refusedLink } from './support/links.ts';
import { aString, aStringLike } from './support/matchers.ts';
import { identityRefused, lockedFor15Minutes, outcome, sms, verifyAgain } from './support/secondStep.ts';
import { ada, describeService, text } from './support/testService.ts';

const oldPassword = 'Correct-horse7';

describeService('changing the password', (service) => {
  let bearer: string;

  const change = (changes: object = {}, as = bearer) =>
    service.post(
      '/password-reset/v1/password-reset-manual',
      { newPassword, confirmPassword: newPassword, oldPassword, username: ada, ...changes },
      { bearer: as },
    );

  beforeEach(async () => {
    await service.write({ username: 'ada' });
    bearer = text(await service.signIn({ username: 'ada' }), 'token');
  });

  it('replaces the old password, records the date, and sends a mail', async () => {
    expect(outcome(await change())).toEqual([200, {}]);
    expect((await service.signIn({ username: 'ada' })).status).toBe(401);
    expect((await service.signIn({ username: 'ada', password: newPassword })).status).toBe(200);
    const lastReset = (await service.directory.accounts.find('ada'))?.lastReset;
    expect(lastReset).toEqual(new Date(service.now()));
    expect(await service.outbox.nextMail()).toMatchObject({ to: ada, subject: 'Your password was changed' });
  });

  it('ends every session, including this one, and open reset links', async () => {
    const other = await service.signIn({ username: 'ada' });
    const link = await service.directory.links.reset('ada');
    await change();
    expect((await service.refresh(text(other, 'refresh'))).status).toBe(401);
    expect((await change({ oldPassword: newPassword })).body).toMatchObject({
      error: { code: 'unauthorized' },
    });
    expect((await service.reset(link.id)).body).toEqual(refusedLink);
    await service.outbox.nextMail();
  });

  it('is rejected with a wrong old password; five wrong ones lock this session only', async () => {
    expect(outcome(await change({ oldPassword: 'wrong' }))).toEqual([401, identityRefused]);
    for (let times = 0; times < 3; times += 1) await change({ oldPassword: 'wrong' });
    const fifth = await change({ oldPassword: 'wrong' });
    expect(outcome(fifth)).toMatchObject([429, { error: { code: 'too_many_failed_attempts' } }]);
    expect((await change()).status).toBe(429);
    expect((await service.signIn({ username: 'ada' })).status).toBe(200);
  });

  it('accepts the e-mail or the username, in any case, and no other user’s', async () => {
    await service.write({ username: 'bob', email: 'bob@example.com' });
    const responses = [await change({ username: 'bob' }), await change({ username: 'bob@example.com' })];
    for (const { status, body } of responses) {
      expect([status, body]).toEqual([
        403,
        { error: { message: 'You may only change your own password.', code: 'forbidden' } },
      ]);
    }
    expect((await service.signIn({ username: 'bob' })).status).toBe(200);
    expect((await change({ username: 'ADA' })).status).toBe(200);
    await service.outbox.nextMail();
  });

  it('succeeds once when two changes with the old password are concurrent', async () => {
    const second = text(await service.signIn({ username: 'ada' }), 'token');
    const other = { newPassword: 'Other-secret9', confirmPassword: 'Other-secret9' };
    const responses = await Promise.all([change(), change(other, second)]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 401]);
    const winner = responses[0].status === 200 ? newPassword : 'Other-secret9';
    expect((await service.signIn({ username: 'ada', password: winner })).status).toBe(200);
    await service.outbox.nextMail();
  });

  it('is rejected without a session and with a set-up token', async () => {
    expect((await change({}, 'made-up')).status).toBe(401);
    await service.write({ username: 'eve', mustSetUpMfa: true });
    const mfaJWT = text(await service.signIn({ username: 'eve' }), 'mfaJWT');
    expect((await change({ username: 'eve' }, mfaJWT)).status).toBe(401);
  });

  it('is rejected for an account that signs in with a provider, even if it once had a password', async () => {
    await service.write({ username: 'ada', methods: [{ method: 'google' }] });
    expect((await change()).body).toMatchObject({ error: { code: 'invalid_credentials' } });
  });
});

describeService('verifying the identity with the password', (service) => {
  const validate = (bearer: string, body: unknown) =>
    service.post('/auth/v1/validate-password', body, { bearer });
  const right = { password: 'Correct-horse7' };
  const wrong = { password: 'wrong' };

  it('returns a token that is valid for 180 seconds', async () => {
    const { bearer } = await service.signedIn();
    const response = await validate(bearer, right);
    expect(outcome(response)).toEqual([200, { authVerificationToken: aStringLike(/^[\w-]{43}$/) }]);
    const token = text(response, 'authVerificationToken');
    service.passSeconds(179);
    expect((await service.addApp(bearer, token)).status).toBe(200);
    service.passSeconds(1);
    expect(outcome(await service.addApp(bearer, token))).toEqual([401, verifyAgain]);
  });

  it('returns a token that stays valid after a refresh', async () => {
    await service.write();
    const session = await service.signIn();
    const token = text(await validate(text(session, 'token'), right), 'authVerificationToken');
    const refreshed = await service.refresh(text(session, 'refresh'));
    expect((await service.addApp(text(refreshed, 'token'), token)).status).toBe(200);
  });

  it('returns a token that is invalid in another session, of the same user or of another', async () => {
    const { bearer } = await service.signedIn();
    const token = text(await validate(bearer, right), 'authVerificationToken');
    const elsewhere = text(await service.signIn(), 'token');
    const bob = await service.signedIn({ username: 'bob@example.com' });
    for (const foreign of [elsewhere, bob.bearer]) {
      expect(outcome(await service.addApp(foreign, token))).toEqual([401, verifyAgain]);
    }
    expect((await service.addApp(bearer, token)).status).toBe(200);
  });

  it('is not replaced by a challenge token, an invented token, or none', async () => {
    const { bearer } = await service.signedIn({ mfa: sms });
    const challenge = text(await service.signIn(), 'authVerificationToken');
    for (const token of [challenge, 'made up']) {
      expect(outcome(await service.addApp(bearer, token))).toEqual([401, verifyAgain]);
    }
    expect(outcome(await service.addApp(bearer))).toEqual([401, verifyAgain]);
  });

  it('counts wrong passwords per session, and only they lock it', async () => {
    const { bearer } = await service.signedIn();
    for (let tries = 0; tries < 5; tries += 1) await service.signIn(wrong);
    expect((await validate(bearer, right)).status).toBe(200);
    for (let tries = 0; tries < 4; tries += 1) {
      expect(outcome(await validate(bearer, wrong))).toEqual([401, identityRefused]);
    }
    expect(outcome(await validate(bearer, wrong))).toEqual([429, lockedFor15Minutes]);
    expect((await validate(bearer, right)).status).toBe(429);
    service.passSeconds(899);
    expect((await validate(bearer, right)).status).toBe(429);
  });

  it('resets the count after the right password', async () => {
    const { bearer } = await service.signedIn();
    for (let tries = 0; tries < 4; tries += 1) await validate(bearer, wrong);
    expect((await validate(bearer, right)).body).toEqual({ authVerificationToken: aString });
    for (let tries = 0; tries < 4; tries += 1) expect((await validate(bearer, wrong)).status).toBe(401);
  });

  it('rejects a provider’s code if the session was started with a password', async () => {
    const { bearer } = await service.signedIn({ methods: [{ method: 'basic' }, { method: 'google' }] });
    expect(outcome(await validate(bearer, { code: 'c' }))).toEqual([401, identityRefused]);
  });

  it('never logs the password or the token', async () => {
    const { bearer } = await service.signedIn();
    const token = text(await validate(bearer, right), 'authVerificationToken');
    await service.addApp(bearer, token);
    for (const secret of ['Correct-horse7', token, bearer]) expect(service.log.text()).not.toContain(secret);
  });
});
