import { newPassword } from './support/links.ts';
import { anObjectWith } from './support/matchers.ts';
import { linkIn } from './support/recordingOutbox.ts';
import { sms, outcome } from './support/secondStep.ts';
import { ada, account, describeService, startTestService, type TestResponse } from './support/testService.ts';

describeService('a reset link', (service) => {
  const newLink = async (): Promise<string> => (await service.directory.links.reset(ada)).id;

  beforeEach(async () => {
    await service.write();
  });

  it('notifies the owner by mail of the change, once', async () => {
    const link = await newLink();
    await Promise.all([service.reset(link), service.reset(link)]);
    const mail = await service.outbox.nextMail();
    expect(mail).toMatchObject({ to: ada, subject: 'Your password was changed' });
    expect(mail.text).toContain('March 14th, 2026 at 9:');
    expect(mail.text).toContain('http://login.payments.localhost/forgot-password');
    expect(`${mail.text}${mail.html}`).not.toContain(newPassword);
    expect(service.outbox.unreadMails()).toEqual([]);
  });

  it('leaves two-step verification on, and the devices of others trusted', async () => {
    const username = 'bob@example.com';
    await service.write({ mfa: sms });
    await service.write({ username, mfa: sms });
    const trustedJWT = await service.directory.accounts.trustDevice(username);
    await service.reset(await newLink());
    expect((await service.signIn({ password: newPassword })).body).toMatchObject({ mfaRequired: true });
    expect((await service.signIn({ username, trustedJWT })).body).toHaveProperty('token');
  });

  it('ends the owner’s lockout', async () => {
    await service.directory.accounts.lock(ada);
    await service.reset(await newLink());
    expect((await service.signIn({ password: newPassword })).status).toBe(200);
  });

  it('is stored as a hash, and never logged', async () => {
    const link = await newLink();
    await service.reset(link);
    expect(Buffer.from(link, 'base64url').byteLength).toBe(32);
    expect(service.log.text()).not.toContain(link);
    expect(service.log.text()).not.toContain(newPassword);
  });
});

describeService('forgot password', (service) => {
  /** Mails are sent in order: once this one has arrived, none is pending. */
  const nothingMore = async (): Promise<void> => {
    await service.write({ username: 'last@example.com', email: 'last@example.com' });
    await service.forgot('last@example.com');
    expect(await service.outbox.nextMail()).toMatchObject({ to: 'last@example.com' });
    expect(service.outbox.unreadMails()).toEqual([]);
  };

  beforeEach(async () => {
    service.outbox.treat(() => Promise.resolve());
    await service.write();
  });

  it('mails a link that sets a new password; the old one is rejected afterwards', async () => {
    expect((await service.forgot()).status).toBe(200);
    const mail = await service.outbox.nextMail();
    expect(mail).toMatchObject({ to: ada, subject: 'Reset your password' });
    expect(mail.text).toContain('The link works once, for 1 hour.');
    const { url, id } = linkIn(mail);
    expect(url).toBe(`http://login.payments.localhost/reset-password/${id}`);
    expect(mail.html).toContain(`<a href="${url}">Choose a new password</a>`);
    expect(outcome(await service.reset(id))).toEqual([200, {}]);
    expect((await service.signIn()).status).toBe(401);
    expect((await service.signIn({ password: newPassword })).status).toBe(200);
    expect((await service.directory.accounts.find(ada))?.lastReset).toEqual(new Date(service.now()));
    await service.outbox.nextMail();
  });

  it('answers the same for an unknown address, and mails nothing', async () => {
    const [known, unknown] = [await service.forgot(), await service.forgot('unknown@example.com')];
    expect([unknown.status, unknown.text]).toEqual([known.status, known.text]);
    const headersOf = ({ headers }: TestResponse) => [...headers].filter(([name]) => name !== 'date');
    expect(headersOf(unknown)).toEqual(headersOf(known));
    expect(await service.outbox.nextMail()).toMatchObject({ to: ada });
    await nothingMore();
  });

  it('answers before the mail is sent, so its time reveals nothing', async () => {
    let release: () => void = () => undefined;
    const hold = new Promise<void>((open) => (release = open));
    const lookedUp = new Promise<void>((resolve) => {
      service.outbox.treat(() => {
        resolve();
        return hold;
      });
    });
    expect((await service.forgot()).status).toBe(200);
    await lookedUp;
    release();
    await service.outbox.nextMail();
  });

  it('answers the same while the mail server fails, and logs neither address nor link', async () => {
    const failure = Object.assign(new Error(`550 <${ada}> unknown`), { code: 'EENVELOPE' });
    const refused = new Promise<void>((resolve) => {
      service.outbox.treat(() => {
        resolve();
        return Promise.reject(failure);
      });
    });
    expect((await service.forgot()).status).toBe(200);
    await refused;
    // The log is written in the turns after the failure; another call takes longer than those.
    await service.get('/health');
    expect(service.log.entries()).toContainEqual(
      anObjectWith({
        event: 'message not taken',
        fields: anObjectWith({ kind: 'reset', attempts: 1, reason: 'EENVELOPE' }),
      }),
    );
    expect(service.log.text()).not.toContain(ada);
  });

  it('finds the address in any case, and mails to the account’s spelling', async () => {
    await service.forgot('ADA@Example.COM');
    expect(await service.outbox.nextMail()).toMatchObject({ to: ada });
  });

  it('mails each account of a shared mailbox its own link', async () => {
    await service.write({ username: 'ada-admin' });
    await service.forgot();
    const mails = [await service.outbox.nextMail(), await service.outbox.nextMail()];
    expect(mails.map(({ to }) => to)).toEqual([ada, ada]);
    expect(mails.filter(({ text }) => text.includes('account ada-admin at'))).toHaveLength(1);
    expect(new Set(mails.map((mail) => linkIn(mail).id)).size).toBe(2);
  });

  it('tells users who sign in with a provider that they have no password, without a link', async () => {
    const google = account({ password: null, methods: [{ method: 'google' }] });
    await service.directory.accounts.upsert(google);
    await service.forgot();
    const mail = await service.outbox.nextMail();
    expect(mail.subject).toBe('Your account has no password');
    expect(linkIn(mail).url).toBe('http://login.payments.localhost/login');
  });

  it('sends nothing to an invited user: the invitation activates the account', async () => {
    await service.write({ password: null });
    expect((await service.forgot()).status).toBe(200);
    await nothingMore();
  });

  it.each([
    ['known', ada],
    ['unknown', 'unknown@example.com'],
  ])(
    'accepts five requests an hour for one %s address, in any case, then answers 429 with Retry-After',
    async (_w, email) => {
      const responses = [];
      for (const entered of [email, email.toUpperCase(), email, email, email, email]) {
        responses.push(await service.forgot(entered));
        // A mail that has not been sent is replaced by the next one.
        if (email === ada && responses.length <= 5) await service.outbox.nextMail();
      }
      expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429]);
      const refused = responses[5];
      expect(refused?.body).toEqual({
        error: { message: 'Too many requests. Please try again later.', code: 'rate_limited' },
      });
      expect(refused?.headers.get('retry-after')).toBe('3600');
      service.passSeconds(3601);
      expect((await service.forgot(email)).status).toBe(200);
      if (email === ada) await service.outbox.nextMail();
    },
  );

  it('is possible again an hour after the first, however often an attacker requested it in between', async () => {
    const unknown = 'unknown@example.com';
    await service.forgot(unknown);
    service.passSeconds(3000);
    for (let times = 0; times < 4; times += 1) expect((await service.forgot(unknown)).status).toBe(200);
    for (let times = 0; times < 3; times += 1) {
      const refused = await service.forgot(unknown);
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '600']);
    }
    service.passSeconds(599);
    expect((await service.forgot(unknown)).headers.get('retry-after')).toBe('1');
    service.passSeconds(1);
    expect((await service.forgot(unknown)).status).toBe(200);
  });

  it('finishes a mail in progress before the service ends', async () => {
    const other = await startTestService();
    await other.write();
    await other.forgot(ada);
    await other.close();
    expect(other.outbox.unreadMails()).toMatchObject([{ to: ada }]);
  });
});
