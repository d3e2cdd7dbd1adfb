import { account, ada, at, describeService, text, type TestService } from '../support/testService.ts';
import { linkIn } from '../support/recordingOutbox.ts';
import { itWith, optionsOf } from '../support/extensions.ts';
import { app, outcome, sms, unauthorized, verifyAgain, wrongCode } from '../support/secondStep.ts';

const grace = 'grace@example.com';

describeService(
  'recovery codes',
  (service) => {
    const make = (bearer: string, authVerificationToken: string) =>
      service.post('/auth/v1/recovery-codes', { authVerificationToken }, { bearer });
    const count = async (bearer: string) => (await service.get('/auth/v1/recovery-codes', { bearer })).body;
    const use = (
      authVerificationToken: string,
      code: string,
      more: object = {},
      client: TestService = service,
    ) =>
      client.post('/auth/v1/recovery-codes/use', {
        ...{ username: ada, method: 'basic', authVerificationToken, code },
        ...more,
      });
    /** An account with an authenticator app and ten codes. */
    const withCodes = async () => {
      const { bearer, uid } = await service.signedIn({ mfa: app });
      const made = await make(bearer, await service.verified(bearer));
      return { bearer, uid, made, codes: made.body['codes'] as readonly [string, ...string[]] };
    };
    /** The notice of this subject, of the present account: mails of the tests before may still arrive. */
    const noticeAbout = async (subject: string): Promise<string> => {
      for (;;) {
        const mail = await service.outbox.nextMail();
        const path = `/auth/v1/notices/${linkIn(mail).id}`;
        if (mail.subject === subject && (await service.get(path)).status === 200) return path;
      }
    };
    const none = { remaining: 0, createdAt: null };

    it('are ten different ones of sixteen unambiguous characters, and are stored as hashes only', async () => {
      const { bearer, codes } = await withCodes();
      expect(new Set(codes).size).toBe(10);
      for (const code of codes) expect(code).toMatch(/^(?:[0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/);
      expect(await count(bearer)).toEqual({
        remaining: 10,
        createdAt: new Date(service.now()).toISOString(),
      });
      const kept = JSON.stringify(await service.directory.accounts.exportPerson(ada)) + service.log.text();
      for (const code of codes) expect(kept).not.toContain(code);
      expect((await service.directory.accounts.exportPerson(ada)).recoveryCodes).toHaveLength(10);
    });

    it.each<[string, (code: string) => string]>([
      ['as it is', (code) => code],
      ['in lower case, with blanks instead of hyphens', (code) => code.toLowerCase().replaceAll('-', ' ')],
      ['without hyphens', (code) => code.replaceAll('-', '')],
      ['with the marks of a right-to-left text', (code) => `\u2067${code}\u2069`],
      [
        'with letters for the digits that look alike',
        (code) => code.replaceAll('0', 'o').replaceAll('1', 'l'),
      ],
    ])(
      'a code entered %s signs in once, and trusts the device where that is asked for',
      async (_how, entered) => {
        const { bearer, codes } = await withCodes();
        const done = await use(await service.challenge(), entered(codes[0]), { trust: true });
        expect([done.status, text(done, 'token')]).toEqual([200, expect.any(String)]);
        const trustedJWT = text(done, 'trustedToken');
        expect((await service.signIn({ trustedJWT })).body).toHaveProperty('token');
        expect(await count(bearer)).toMatchObject({ remaining: 9 });
        expect(outcome(await use(await service.challenge(), codes[0]))).toEqual([401, wrongCode]);
      },
    );

    it('a user of text messages signs in with a code too', async () => {
      const { bearer } = await service.signedIn({ mfa: sms });
      const made = await make(bearer, await service.verified(bearer));
      const [code = ''] = made.body['codes'] as readonly string[];
      expect((await use(await service.challenge(), code)).status).toBe(200);
      const { sessions } = await service.directory.accounts.exportPerson(ada);
      expect(sessions.at(-1)).toMatchObject({ amr: 'pwd otp mfa' });
    });

    it('of two sign-ins at once with one code, one succeeds', async () => {
      const { codes } = await withCodes();
      const challenges = [await service.challenge(), await service.challenge()];
      const both = await Promise.all(challenges.map((challenge) => use(challenge, codes[0])));
      expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
    });

    it('of two codes at once for one challenge, the one that comes too late is kept', async () => {
      const { bearer, codes } = await withCodes();
      const challenge = await service.challenge();
      const both = await Promise.all(codes.slice(0, 2).map((code) => use(challenge, code)));
      expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
      expect(await count(bearer)).toMatchObject({ remaining: 9 });
    });

    it.each<
      [
        string,
        (codes: readonly string[]) => Promise<readonly [challenge: string, code: string, more?: object]>,
      ]
    >([
      ['a code that was made up', async () => [await service.challenge(), '7F3K-9QXA-2MVD-H4TE']],
      [
        'the code of another person',
        async (codes) => {
          await service.write({ username: grace, email: grace, mfa: app });
          const begun = await service.signIn({ username: grace });
          return [text(begun, 'authVerificationToken'), codes[0] ?? '', { username: grace }];
        },
      ],
      [
        'a code of the set before',
        async (codes) => {
          const again = text(
            await service.enterCode(await service.challenge(), await service.codeOfApp()),
            'token',
          );
          await make(again, await service.verified(again));
          return [await service.challenge(), codes[0] ?? ''];
        },
      ],
    ])('%s is refused like a wrong code, and counts as one', async (_what, attempt) => {
      const { codes } = await withCodes();
      const [challenge, code, more] = await attempt(codes);
      for (let guess = 0; guess < 4; guess += 1)
        expect(outcome(await use(challenge, code, more))).toEqual([401, wrongCode]);
      // The fifth wrong one is a code of the app: both are counted together.
      const username = { username: ada, ...more };
      expect((await service.enterCode(challenge, '000000', username)).status).toBe(429);
      expect((await use(challenge, code, more)).status).toBe(429);
    });

    it('a right code does not open a challenge that is over, of another person or of another method', async () => {
      const { bearer, codes } = await withCodes();
      await service.write({ username: grace, email: grace, mfa: app });
      const challenge = await service.challenge();
      for (const more of [{ username: grace }, { method: 'google' }])
        expect((await use(challenge, codes[0], more)).body).toMatchObject({
          error: { code: 'invalid_verification' },
        });
      service.passSeconds(601);
      expect((await use(challenge, codes[0])).status).toBe(401);
      expect(await count(bearer)).toMatchObject({ remaining: 10 });
    });

    it('making codes needs an identity that was verified just now, in this session, and a second step', async () => {
      const { bearer, made } = await withCodes();
      expect(made.status).toBe(200);
      expect(outcome(await make(bearer, 'made-up'))).toEqual([401, verifyAgain]);
      const verification = await service.verified(bearer);
      await make(bearer, verification);
      expect(outcome(await make(bearer, verification))).toEqual([401, verifyAgain]);

      const plain = await service.signedIn({ username: grace, email: grace });
      expect((await make(plain.bearer, await service.verified(plain.bearer))).status).toBe(400);
      expect(await count(plain.bearer)).toEqual(none);
    });

    it('setup mode makes and reads none', async () => {
      await service.write({ mustSetUpMfa: true });
      const bearer = text(await service.signIn(), 'mfaJWT');
      expect(outcome(await service.get('/auth/v1/recovery-codes', { bearer }))).toEqual([401, unauthorized]);
      expect(outcome(await make(bearer, 'any'))).toEqual([401, unauthorized]);
    });

    it.each<[string, number, (bearer: string) => Promise<unknown>]>([
      [
        'turning the second step off',
        0,
        async (bearer) => service.disable(bearer, await service.verified(bearer)),
      ],
      [
        'another authenticator app',
        10,
        () => service.write({ mfa: { ...app, secret: 'KVKFKRCPNZQUYMLXOVYDSQKJKZDTSRLD' } }),
      ],
      ['the help desk, for a lost phone,', 0, () => service.directory.accounts.resetSecondFactor(ada)],
    ])('%s leaves %i codes', async (_what, remaining, change) => {
      const { bearer } = await withCodes();
      await change(bearer);
      expect((await service.directory.accounts.exportPerson(ada)).recoveryCodes).toHaveLength(remaining);
    });

    it('erasing the person removes them', async () => {
      const { codes } = await withCodes();
      await service.directory.accounts.remove(ada);
      await service.directory.accounts.upsert(account({ mfa: app }));
      expect(outcome(await use(await service.challenge(), codes[0]))).toEqual([401, wrongCode]);
    });

    itWith('sessions')('the activity reports the use of a code', async () => {
      const { codes } = await withCodes();
      const used = text(await use(await service.challenge(), codes[0]), 'token');
      const { events } = (await service.get('/auth/v1/activity', { bearer: used })).body as {
        events: readonly { kind: string }[];
      };
      expect(events.map(({ kind }) => kind)).toContain('recovery-code-used');
    });

    itWith('notices')(
      'mails report it to the owner, and an owner who denies it loses the codes',
      async () => {
        const { codes } = await withCodes();
        const made = await noticeAbout('New recovery codes');
        await use(await service.challenge(), codes[0]);
        await noticeAbout('A recovery code was used');
        await service.post(made, { mine: false });
        expect((await service.directory.accounts.exportPerson(ada)).recoveryCodes).toEqual([]);
      },
    );

    it('a lockout of one network does not affect the owner elsewhere', async () => {
      const { codes } = await withCodes();
      const elsewhere = at(service, '203.0.113.7');
      const challenge = await service.challenge();
      for (let guess = 0; guess < 5; guess += 1) await use(challenge, 'wrong', {}, elsewhere);
      expect((await use(challenge, codes[0], {}, elsewhere)).status).toBe(429);
      expect((await use(challenge, codes[0])).status).toBe(200);
    });
  },
  { ...optionsOf('notices'), trustedProxies: ['127.0.0.1'] },
);
