/** @jest-environment node */
import fc from 'fast-check';
import { anySegment, mangled, newPassword, refusedLink } from './support/links.ts';
import { anObjectWith } from './support/matchers.ts';
import { linkIn } from './support/recordingOutbox.ts';
import { challengeOver, sms } from './support/secondStep.ts';
import {
  account,
  describeService,
  startTestService,
  type TestResponse,
  type TestService,
  text,
} from './support/testService.ts';

jest.setTimeout(120_000);

describeService('a reset link', (service) => {
  const ada = 'ada@example.com';

  const newLink = async (): Promise<string> => (await service.directory.resetLink(ada)).id;
  const lastReset = async () => (await service.directory.findAccount(ada))?.lastReset;

  beforeEach(async () => {
    await service.write();
  });

  it('sets a new password once; the old one is rejected afterwards', async () => {
    const link = await newLink();
    const response = await service.reset(link);
    expect([response.status, response.body]).toEqual([200, {}]);
    expect((await service.signIn()).status).toBe(401);
    expect((await service.signIn({ password: newPassword })).status).toBe(200);
    expect(await lastReset()).toEqual(new Date(service.now()));

    const again = await service.reset(link, { password: 'Third-secret9', confirm: 'Third-secret9' });
    expect([again.status, again.body]).toEqual([401, refusedLink]);
    expect((await service.signIn({ password: newPassword })).status).toBe(200);
    await service.outbox.nextMail();
  });

  it('notifies the owner by mail of the change', async () => {
    await service.reset(await newLink());
    const mail = await service.outbox.nextMail();
    expect(mail).toMatchObject({ to: ada, subject: 'Your password was changed' });
    expect(mail.text).toContain('14 March 2026 at 09:');
    expect(mail.text).toContain('http://login.payments.localhost/forgot-password');
    expect(`${mail.text}${mail.html}`).not.toContain(newPassword);
  });

  it('ends every open session: refresh and bearer calls fail', async () => {
    const sessions = [await service.signIn(), await service.signIn()];
    await service.reset(await newLink());
    for (const session of sessions) {
      expect((await service.refresh(text(session, 'refresh'))).status).toBe(401);
      expect(
        (await service.get('/user-management/v1/users/any', { bearer: text(session, 'token') })).status,
      ).toBe(401);
    }
    await service.outbox.nextMail();
  });

  it('ends the trust in all devices, and leaves two-step verification on', async () => {
    await service.write({ mfa: sms });
    const trustedJWT = await service.directory.trustDevice(ada);
    expect((await service.signIn({ trustedJWT })).body).toHaveProperty('refresh');
    await service.reset(await newLink());
    const response = await service.signIn({ password: newPassword, trustedJWT });
    expect(response.body).toMatchObject({ mfaRequired: true });
    await service.outbox.nextMail();
  });

  it('invalidates a set-up token issued for the old password', async () => {
    await service.write({ mustSetUpMfa: true });
    const before = await service.signIn();
    const own = `/user-management/v1/users/${text(before, 'uid')}`;
    expect((await service.get(own, { bearer: text(before, 'mfaJWT') })).status).toBe(200);
    service.passSeconds(1);
    await service.reset(await newLink());
    expect((await service.get(own, { bearer: text(before, 'mfaJWT') })).status).toBe(401);
    const after = await service.signIn({ password: newPassword });
    expect((await service.get(own, { bearer: text(after, 'mfaJWT') })).status).toBe(200);
    await service.outbox.nextMail();
  });

  it('ends a challenge started with the old password, even with a valid code', async () => {
    await service.write({ mfa: sms });
    const challenge = await service.challenge();
    await service.reset(await newLink());
    const response = await service.enterCode(challenge, service.outbox.newestCode());
    expect([response.status, response.body]).toEqual([401, challengeOver]);
    await service.outbox.nextMail();
  });

  it('ends the owner’s lockout', async () => {
    await service.directory.lock(ada);
    await service.reset(await newLink());
    expect((await service.signIn({ password: newPassword })).status).toBe(200);
    await service.outbox.nextMail();
  });

  it('expires after an hour', async () => {
    const link = await newLink();
    service.passSeconds(3599);
    expect((await service.reset(link)).status).toBe(200);
    await service.outbox.nextMail();
    const late = await newLink();
    service.passSeconds(3600);
    const response = await service.reset(late);
    expect([response.status, response.body]).toEqual([401, refusedLink]);
  });

  it('is replaced by a newer one', async () => {
    const older = await newLink();
    const newer = await newLink();
    expect((await service.reset(older)).status).toBe(401);
    expect((await service.reset(newer)).status).toBe(200);
    await service.outbox.nextMail();
  });

  it('succeeds once for concurrent requests', async () => {
    const link = await newLink();
    const passwords = Array.from({ length: 6 }, (_unused, index) => `Many-secrets${index}`);
    const responses = await Promise.all(
      passwords.map((password) => service.reset(link, { password, confirm: password })),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401, 401]);
    const winner = passwords[responses.findIndex(({ status }) => status === 200)] ?? '';
    expect((await service.signIn({ password: winner })).status).toBe(200);
    await service.outbox.nextMail();
    expect(service.outbox.unreadMails()).toEqual([]);
  });

  it.each([
    [
      'not repeated correctly',
      { confirm: 'New-secret9' },
      'password_mismatch',
      'Please make sure your passwords match',
    ],
    [
      'against the rules',
      { password: 'short', confirm: 'short' },
      'password_rules',
      'Please meet the password requirements',
    ],
  ])('stays valid when the password is %s', async (_what, changes, code, message) => {
    const link = await newLink();
    const refused = await service.reset(link, changes);
    expect([refused.status, refused.body]).toEqual([400, { error: { message, code } }]);
    expect((await service.signIn()).status).toBe(200);
    expect((await service.reset(link)).status).toBe(200);
    await service.outbox.nextMail();
  });

  it('is distinguished from other ids and other kinds of links', async () => {
    const link = await newLink();
    for (const other of mangled(link)) expect((await service.reset(other)).body).toEqual(refusedLink);
    await service.write({ username: 'ina@example.com', password: null });
    const invitation = (await service.directory.inviteUser('ina@example.com')).id;
    const apiInvitation = (await service.directory.inviteApiUser('Export')).id;
    for (const foreign of [invitation, apiInvitation]) {
      expect((await service.reset(foreign)).body).toEqual(refusedLink);
    }
    // The failed attempts did not consume the link.
    expect((await service.activate(link)).body).toEqual(refusedLink);
    expect((await service.exchange(link)).body).toEqual(refusedLink);
    expect((await service.reset(link)).status).toBe(200);
    await service.outbox.nextMail();
  });

  it('is removed with the account, and with its password sign-in', async () => {
    const link = await newLink();
    await service.write({ methods: [{ method: 'google' }] });
    expect((await service.reset(link)).body).toEqual(refusedLink);
    await service.write();
    const removed = await newLink();
    await service.directory.removeAccount(ada);
    expect((await service.reset(removed)).body).toEqual(refusedLink);
  });

  it('accepts any characters as an unknown link', async () => {
    await fc.assert(
      fc.asyncProperty(anySegment, async (hash) => {
        expect((await service.reset(hash)).body).toEqual(refusedLink);
      }),
      { numRuns: 50 },
    );
  });

  it('ends open magic links, because the mailbox may have been read', async () => {
    const magic = await service.directory.magicLink(ada, 'ledger');
    await service.reset(await newLink());
    expect((await service.exchange(magic.id)).body).toEqual(refusedLink);
    await service.outbox.nextMail();
  });

  it('is stored as a hash, and never logged', async () => {
    const link = await newLink();
    await service.reset(link);
    await service.outbox.nextMail();
    expect(Buffer.from(link, 'base64url').byteLength).toBe(32);
    expect(service.log.text()).not.toContain(link);
    expect(service.log.text()).not.toContain(newPassword);
  });
});

describe('forgot password', () => {
  const ada = 'ada@example.com';

  describe('forgot password', () => {
    let service: TestService;

    const forgot = (email: string): Promise<TestResponse> =>
      service.post('/password-reset/v1/forgot-password', { email });
    /** Mails are sent in order: once this one has arrived, none is pending. */
    const nothingMore = async (): Promise<void> => {
      await service.write({ username: 'last@example.com', email: 'last@example.com' });
      await forgot('last@example.com');
      expect(await service.outbox.nextMail()).toMatchObject({ to: 'last@example.com' });
      expect(service.outbox.unreadMails()).toEqual([]);
    };

    beforeAll(async () => {
      service = await startTestService();
    });
    afterAll(() => service.close());
    beforeEach(async () => {
      service.outbox.treat(() => Promise.resolve());
      await service.directory.resetAll();
      await service.write();
    });

    it('mails a link that sets a new password', async () => {
      expect((await forgot(ada)).status).toBe(200);
      const mail = await service.outbox.nextMail();
      expect(mail).toMatchObject({ to: ada, subject: 'Reset your password' });
      expect(mail.text).toContain('The link works once, for 1 hour.');
      const { url, id } = linkIn(mail);
      expect(url).toBe(`http://login.payments.localhost/reset-password/${id}`);
      expect(mail.html).toContain(`<a href="${url}">Choose a new password</a>`);
      expect((await service.reset(id)).status).toBe(200);
      expect((await service.signIn({ password: newPassword })).status).toBe(200);
      await service.outbox.nextMail();
    });

    it('answers the same for an unknown address, and mails nothing', async () => {
      const [known, unknown] = [await forgot(ada), await forgot('unknown@example.com')];
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
      expect((await forgot(ada)).status).toBe(200);
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
      expect((await forgot(ada)).status).toBe(200);
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
      await forgot('ADA@Example.COM');
      expect(await service.outbox.nextMail()).toMatchObject({ to: ada });
    });

    it('mails each account of a shared mailbox its own link', async () => {
      await service.write({ username: 'ada-admin' });
      await forgot(ada);
      const mails = [await service.outbox.nextMail(), await service.outbox.nextMail()];
      expect(mails.map(({ to }) => to)).toEqual([ada, ada]);
      expect(mails.filter(({ text }) => text.includes('account ada-admin at'))).toHaveLength(1);
      expect(new Set(mails.map((mail) => linkIn(mail).id)).size).toBe(2);
    });

    it('tells users who sign in with a provider that they have no password, without a link', async () => {
      const google = account({ password: null, methods: [{ method: 'google' }] });
      await service.directory.upsertAccount(google);
      await forgot(ada);
      const mail = await service.outbox.nextMail();
      expect(mail.subject).toBe('Your account has no password');
      expect(linkIn(mail).url).toBe('http://login.payments.localhost/login');
    });

    it('sends nothing to an invited user: the invitation activates the account', async () => {
      await service.write({ password: null });
      expect((await forgot(ada)).status).toBe(200);
      await nothingMore();
    });

    it('invalidates the link of the previous mail', async () => {
      await forgot(ada);
      const older = linkIn(await service.outbox.nextMail()).id;
      await forgot(ada);
      const newer = linkIn(await service.outbox.nextMail()).id;
      expect((await service.reset(older)).status).toBe(401);
      expect((await service.reset(newer)).status).toBe(200);
      await service.outbox.nextMail();
    });

    it.each([
      ['known', ada],
      ['unknown', 'unknown@example.com'],
    ])(
      'accepts five requests an hour for one %s address, in any case, then answers 429 with Retry-After',
      async (_w, email) => {
        const responses = [];
        for (const entered of [email, email.toUpperCase(), email, email, email, email]) {
          responses.push(await forgot(entered));
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
        expect((await forgot(email)).status).toBe(200);
        if (email === ada) await service.outbox.nextMail();
      },
    );

    it('is possible again an hour after the first, however often an attacker requested it in between', async () => {
      const unknown = 'unknown@example.com';
      await forgot(unknown);
      service.passSeconds(3000);
      for (let times = 0; times < 4; times += 1) expect((await forgot(unknown)).status).toBe(200);
      for (let times = 0; times < 3; times += 1) {
        const refused = await forgot(unknown);
        expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '600']);
      }
      service.passSeconds(599);
      expect((await forgot(unknown)).headers.get('retry-after')).toBe('1');
      service.passSeconds(1);
      expect((await forgot(unknown)).status).toBe(200);
    });

    it('is always possible every fifty minutes', async () => {
      for (let times = 0; times < 12; times += 1) {
        expect((await forgot('unknown@example.com')).status).toBe(200);
        service.passSeconds(3000);
      }
    });

    it('finishes a mail in progress before the service ends', async () => {
      const other = await startTestService();
      await other.write();
      await other.forgot(ada);
      await other.close();
      expect(other.outbox.unreadMails()).toMatchObject([{ to: ada }]);
    });
  });

  it('limits the requests of one client for any address', async () => {
    const limits = { requestsPerMinute: 100, secretChecksPerMinute: 2 };
    const service = await startTestService({ rateLimit: limits });
    const ask = (email: string) => service.post('/password-reset/v1/forgot-password', { email });
    const responses = [await ask('a@example.com'), await ask('b@example.com'), await ask('c@example.com')];
    await service.close();
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 429]);
  });
});
