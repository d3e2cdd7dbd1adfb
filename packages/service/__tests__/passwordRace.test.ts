import type { Client } from 'pg';
import { appCode } from './support/authenticator.ts';
import { newPassword } from './support/links.ts';
import { newDatabase, withClient } from './support/postgres.ts';
import { app, outcome, sms, unauthorized, verifyAgain } from './support/secondStep.ts';
import {
  ada,
  account,
  startTestService,
  type TestResponse,
  type TestService,
  text,
} from './support/testService.ts';

/** The gate of the tests: an advisory lock on which a trigger waits. */
const gate = 4711;

/**
 * Two concurrent calls. A trigger holds the first when it has done part of its work; the second then
 * runs until it waits for the first, or to its end.
 */
describe('during a sign-in, on PostgreSQL: a password change', () => {
  let url: string;
  let service: TestService;

  beforeAll(async () => {
    url = await newDatabase();
    service = await startTestService({ database: { url } });
    await withClient(url, (client) =>
      client.query(`create function wait_at_gate() returns trigger language plpgsql as
        $$ begin perform pg_advisory_xact_lock_shared(${gate}); return new; end $$`),
    );
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    await service.directory.resetAll();
    await service.write();
  });

  /** How many calls wait for a lock now. */
  const waiting = async (client: Client): Promise<number> => {
    const { rows } = await client.query<{ waiting: string }>(
      `select count(distinct pid) as waiting from pg_locks
        where not granted and pid in (select pid from pg_stat_activity where datname = current_database())`,
    );
    return Number(rows[0]?.waiting);
  };

  const meet = <First, Second>(
    at: `${'insert on' | 'update on'} ${'sessions' | 'verification_tokens' | 'trusted_devices' | 'sign_in_attempts' | 'users'}`,
    first: () => Promise<First>,
    second: () => Promise<Second>,
  ): Promise<readonly [First, Second]> =>
    withClient(url, async (client) => {
      await client.query(`create trigger gate before ${at} for each row execute function wait_at_gate()`);
      await client.query(`select pg_advisory_lock(${gate})`);
      const one = first();
      while ((await waiting(client)) < 1) await client.query('select 1');
      const other = second();
      const isOver = other.then(() => true);
      const isHeldUp = async (): Promise<boolean> => (await waiting(client)) >= 2;
      for (let met = false; !met;) met = await Promise.race([isOver, isHeldUp()]);
      await client.query(`select pg_advisory_unlock(${gate})`);
      const responses = [await one, await other] as const;
      await client.query(`drop trigger gate on ${at.split(' ')[2] ?? ''}`);
      return responses;
    });

  const refused = {
    message:
      'We were unable to match the User ID and password you entered. Please check your entries and try again.',
    code: 'invalid_credentials',
  };
  /** The session in a response, or none: whether it can still be refreshed. */
  const lives = async ({ body }: TestResponse): Promise<boolean> => {
    const refresh = body['refresh'] ?? body['refreshToken'];
    if (typeof refresh !== 'string') return false;
    return (await service.refresh(refresh)).status === 200;
  };
  const resetLink = async (): Promise<string> => (await service.directory.links.reset(ada)).id;

  describe('committed after the old password was accepted', () => {
    /** The reset comes while `call` writes. */
    const resetDuring = async (at: Parameters<typeof meet>[0], call: () => Promise<TestResponse>) => {
      const link = await resetLink();
      const [response, changed] = await meet(at, call, () => service.reset(link));
      expect([response.status, changed.status]).toEqual([200, 200]);
      return response;
    };

    it('ends the session that is being created', async () => {
      expect(await lives(await resetDuring('insert on sessions', () => service.signIn()))).toBe(false);
    });

    it('ends the challenge that is being created', async () => {
      await service.write({ mfa: app });
      const challenge = await resetDuring('insert on verification_tokens', () => service.signIn());
      const token = text(challenge, 'authVerificationToken');
      expect((await service.enterCode(token, await service.codeOfApp())).status).toBe(401);
    });

    it('ends the session after a second step that was just passed, and the trust in the device', async () => {
      await service.write({ mfa: app });
      const [challenge, code] = [await service.challenge(), await service.codeOfApp()];
      const session = await resetDuring('insert on trusted_devices', () =>
        service.enterCode(challenge, code, { trust: true }),
      );
      expect(await lives(session)).toBe(false);
      const trustedJWT = text(session, 'trustedToken');
      const next = await service.signIn({ password: newPassword, trustedJWT });
      expect(next.body).toMatchObject({ mfaRequired: true });
    });

    it('ends the session of a magic link that is being exchanged', async () => {
      const { id } = await service.directory.links.magic(ada, 'ledger');
      expect(await lives(await resetDuring('insert on sessions', () => service.exchange(id)))).toBe(false);
    });
  });

  describe('committed just before the old password is accepted', () => {
    /** The reset has the user's row and is not yet committed: other transactions still read the old password. */
    const duringReset = async (call: () => Promise<TestResponse>): Promise<TestResponse> => {
      const link = await resetLink();
      const [changed, response] = await meet('update on users', () => service.reset(link), call);
      expect(changed.status).toBe(200);
      return response;
    };

    it.each([
      ['a session', null],
      ['a challenge', app],
    ])('prevents %s', async (_what, mfa) => {
      await service.write({ mfa });
      expect(outcome(await duringReset(() => service.signIn()))).toEqual([401, { error: refused }]);
    });

    it('prevents a session when the old password was read before and is checked after', async () => {
      const link = await resetLink();
      const [response, changed] = await meet(
        'insert on sign_in_attempts',
        () => service.signIn(),
        () => service.reset(link),
      );
      expect([changed.status, response.status, response.body]).toEqual([200, 401, { error: refused }]);
    });

    it('prevents a second step that was started with the old password', async () => {
      await service.write({ mfa: app });
      const [challenge, code] = [await service.challenge(), await service.codeOfApp()];
      const response = await duringReset(() => service.enterCode(challenge, code, { trust: true }));
      expect(outcome(response)).toEqual([401, { error: refused }]);
    });

    it('prevents a session from an open magic link', async () => {
      const { id } = await service.directory.links.magic(ada, 'ledger');
      expect((await duringReset(() => service.exchange(id))).status).toBe(401);
    });

    it('prevents a valid set-up token', async () => {
      await service.write({ mustSetUpMfa: true });
      const response = await duringReset(() => service.signIn());
      expect((await service.readUser(text(response, 'uid'), text(response, 'mfaJWT'))).status).toBe(401);
    });

    it('prevents a set-up with a token issued for the old password', async () => {
      await service.write({ mustSetUpMfa: true });
      const bearer = text(await service.signIn(), 'mfaJWT');
      const code = await appCode(text(await service.addApp(bearer), 'code'), service.now());
      const response = await duringReset(() => service.validateApp(bearer, code));
      expect(outcome(response)).toEqual([401, unauthorized]);
      // The owner still has to choose a factor: none was chosen for them.
      expect(text(await service.signIn({ password: newPassword }), 'mfaJWT')).not.toBe('');
    });

    it('prevents turning off with a verification by the old password', async () => {
      const { bearer } = await service.signedIn({ mfa: app });
      const token = await service.verified(bearer);
      const response = await duringReset(() => service.disable(bearer, token));
      expect(outcome(response)).toEqual([401, verifyAgain]);
      expect((await service.signIn({ password: newPassword })).body).toMatchObject({ mfaRequired: true });
    });

    it('does not prevent a sign-in with the new password', async () => {
      await duringReset(() => service.signIn());
      expect(await lives(await service.signIn({ password: newPassword }))).toBe(true);
    });
  });

  describe('or a change of the second factor, which takes effect at once:', () => {
    const newPhone = '+12025550177';
    let off: () => Promise<TestResponse>;
    let toNewPhone: () => Promise<TestResponse>;

    beforeEach(async () => {
      const { bearer } = await service.signedIn({ mfa: sms });
      const token = await service.verified(bearer);
      await service.addPhone(bearer, token, { phone: newPhone });
      const code = service.outbox.newestCode();
      toNewPhone = () => service.validatePhone(bearer, code, token);
      off = () => service.disable(bearer, token);
    });

    it('a sign-in sends its code to the new phone, and not to the former one', async () => {
      const before = service.outbox.texts().length;
      const [, challenge] = await meet('update on users', toNewPhone, () => service.signIn());
      expect(service.outbox.texts().slice(before)).toMatchObject([{ to: newPhone }]);
      const token = text(challenge, 'authVerificationToken');
      expect((await service.enterCode(token, service.outbox.newestCode())).status).toBe(200);
    });

    it('a sign-in needs no code when it is being turned off', async () => {
      const before = service.outbox.texts().length;
      const [, session] = await meet('update on users', off, () => service.signIn());
      expect(await lives(session)).toBe(true);
      expect(service.outbox.texts()).toHaveLength(before);
    });

    it('a device that becomes trusted is not trusted with the new factor', async () => {
      const [challenge, code] = [await service.challenge(), service.outbox.newestCode()];
      const enter = () => service.enterCode(challenge, code, { trust: true });
      const [session, changed] = await meet('insert on trusted_devices', enter, toNewPhone);
      expect(changed.status).toBe(200);
      const trustedJWT = text(session, 'trustedToken');
      expect((await service.signIn({ trustedJWT })).body).toMatchObject({ mfaRequired: true });
    });

    it('a code that is entered opens nothing', async () => {
      const [challenge, code] = [await service.challenge(), service.outbox.newestCode()];
      const enter = () => service.enterCode(challenge, code, { trust: true });
      expect((await meet('update on users', toNewPhone, enter))[1].status).toBe(401);
    });
  });

  describe('or an account rewritten by an administrator', () => {
    it.each([
      ['password', { password: newPassword }],
      ['e-mail', { email: 'ada@elsewhere.example' }],
    ])('prevents a session proven by the former %s', async (_what, changes) => {
      const rewritten = account(changes);
      const [, response] = await meet(
        'update on users',
        () => service.directory.accounts.upsert(rewritten),
        () => service.signIn(),
      );
      expect(outcome(response)).toEqual([401, { error: refused }]);
      expect(await lives(await service.signIn({ password: rewritten.password ?? '' }))).toBe(true);
    });

    it.each(['endSessions', 'disable'] as const)('prevents a session, by %s', async (shut) => {
      const [, response] = await meet(
        'update on users',
        () => service.directory.accounts[shut](ada),
        () => service.signIn(),
      );
      expect(outcome(response)).toEqual([401, { error: refused }]);
    });

    it('prevents a change of the second step in a session that the administrator just ended', async () => {
      const { bearer, uid } = await service.signedIn({ mfa: app });
      const token = await service.verified(bearer);
      // The password for turning off is counted after the session and the verification were found valid.
      const [response] = await meet(
        'insert on sign_in_attempts',
        () => service.disable(bearer, token),
        () => service.directory.accounts.endSessions(ada),
      );
      expect(outcome(response)).toEqual([401, verifyAgain]);
      const next = await service.enterCode(await service.challenge(), await service.codeOfApp());
      expect(await service.activeFactors(text(next, 'token'), uid)).toEqual({
        authyActive: false,
        twoFactorActive: true,
      });
    });
  });
});
