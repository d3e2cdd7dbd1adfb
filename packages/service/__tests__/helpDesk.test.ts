/** @jest-environment node */
import { newPassword, reset } from './support/links.ts';
import { aString } from './support/matchers.ts';
import { linkIn } from './support/recordingOutbox.ts';
import { outcome, sms } from './support/secondStep.ts';
import { account, describeService, signIn, type TestService, text } from './support/testService.ts';

const ada = 'ada@example.com';

/** Whether the session can still be refreshed. */
const isAlive = async ({ post }: TestService, refresh: string): Promise<boolean> =>
  (await post('/auth/v1/refresh', { refresh })).status === 200;

describeService('The help desk', (service) => {
  it('resets the second factor of a lost phone: sessions and trusted devices end, and the next sign-in requires an enrolment', async () => {
    await service.directory.upsertAccount(account({ mfa: sms }));
    const trustedJWT = await service.directory.trustDevice(ada);
    const refresh = text(await signIn(service, { trustedJWT }), 'refresh');
    await service.directory.resetSecondFactor(ada);
    expect(await isAlive(service, refresh)).toBe(false);
    expect((await signIn(service, { trustedJWT })).body).toEqual({
      mfaJWT: aString,
      uid: aString,
    });
    await service.directory.resetSecondFactor(ada, { isOptional: true });
    expect((await signIn(service)).body).toHaveProperty('token');
  });

  it('requires a new password: the present one is refused and mails a reset link, until another is set', async () => {
    await service.directory.upsertAccount(account());
    const refresh = text(await signIn(service), 'refresh');
    await service.directory.requireNewPassword(ada);
    expect(await isAlive(service, refresh)).toBe(false);

    expect((await signIn(service, { password: 'Wrong-horse7' })).body).toMatchObject({
      error: { code: 'invalid_credentials' },
    });
    expect(outcome(await signIn(service))).toEqual([
      401,
      {
        error: {
          message: 'Please set a new password. We have sent you an e-mail with a link.',
          code: 'no_access',
        },
      },
    ]);
    const mail = await service.outbox.nextMail();
    expect(mail.to).toBe(ada);
    expect(service.outbox.unreadMails()).toEqual([]);
    expect((await reset(service, linkIn(mail).id)).status).toBe(200);
    expect((await service.outbox.nextMail()).subject).toContain('changed');
    expect((await signIn(service, { password: newPassword })).body).toHaveProperty('token');
  });

  it('sends no more than five reset links an hour to somebody who signs in again and again', async () => {
    await service.directory.upsertAccount(account());
    await service.directory.requireNewPassword(ada);
    for (let tries = 0; tries < 5; tries += 1) {
      expect((await signIn(service)).status).toBe(401);
      await service.outbox.nextMail();
    }
    expect((await signIn(service)).status).toBe(401);
    service.passSeconds(3601);
    await signIn(service);
    await service.outbox.nextMail();
    expect(service.outbox.unreadMails()).toEqual([]);
  });

  it('changes the name and the username without ending a session', async () => {
    const { uid } = await service.directory.upsertAccount(account());
    const refresh = text(await signIn(service), 'refresh');
    await service.directory.changeAccount(ada, {
      username: 'Augusta',
      firstName: 'Augusta',
      lastName: 'King',
    });
    expect(await isAlive(service, refresh)).toBe(true);
    expect(await service.directory.findAccount(ada)).toBeNull();
    expect(await service.directory.findAccount('augusta')).toMatchObject({
      uid,
      username: 'Augusta',
      email: ada,
      firstName: 'Augusta',
      lastName: 'King',
    });
    expect((await signIn(service, { username: 'augusta' })).status).toBe(200);
  });

  it('changes the e-mail address: what the former mailbox holds ends, and mails go to the new one', async () => {
    await service.directory.upsertAccount(account());
    const [refresh, link] = [text(await signIn(service), 'refresh'), await service.directory.resetLink(ada)];
    await service.directory.changeAccount(ada, { email: 'king@example.com' });
    expect(await isAlive(service, refresh)).toBe(false);
    expect((await reset(service, link.id)).status).toBe(401);
    await service.post('/password-reset/v1/forgot-password', { email: 'king@example.com' });
    expect((await service.outbox.nextMail()).to).toBe('king@example.com');
  });

  it('is refused for an unknown username', async () => {
    const { directory } = service;
    for (const work of [
      () => directory.resetSecondFactor(ada),
      () => directory.requireNewPassword(ada),
      () => directory.changeAccount(ada, { firstName: 'Augusta' }),
    ])
      await expect(work()).rejects.toThrow('There is no account with this username.');
  });
});
