/** @jest-environment node */
import { decodeJwt } from 'jose';
import { sql, type Transaction } from 'kysely';
import { connect, type Database } from '../src/database/connect.ts';
import type { MfaEnrolmentRow, Tables } from '../src/database/tables.ts';
import { withUserLocked } from '../src/accounts/lockUser.ts';
import { activateFactor, removeFactors } from '../src/mfa/factors.ts';
import { appCode } from './support/authenticator.ts';
import { waitForLockWaits } from './support/lockWaits.ts';
import { newDatabase } from './support/postgres.ts';
import { recordingLogger } from './support/recordingLogger.ts';
import {
  activeFactors,
  app,
  challengeOf,
  codeOfApp,
  enterCode,
  identityRefused,
  lockedFor15Minutes,
  outcome,
  phone,
  phone as formerPhone,
  signedIn,
  sms,
  unauthorized,
  verified,
  verifyAgain,
} from './support/secondStep.ts';
import {
  account,
  type Answer,
  signIn,
  startTestService,
  type TestService,
  text,
} from './support/testService.ts';

jest.setTimeout(180_000);

describe('a user who must set up two-step verification', () => {
  let world: TestService;
  let uid: string;
  let bearer: string;

  const post = (path: string, body: unknown): Promise<Answer> => world.post(path, body, { bearer });
  const addPhone = (): Promise<Answer> =>
    post('/mfa/v1/sms-authy-add', { phone, countryCode: 'US', register: true });
  const validate = (mfaCode: string, mfaRegistering: string): Promise<Answer> =>
    post('/mfa/v1/validate-setup', { mfaCode, mfaRegistering });

  beforeAll(async () => {
    world = await startTestService({ database: { folder: null } });
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    await world.service.directory.resetAll();
    ({ uid } = await world.service.directory.upsertAccount(account({ mustSetUpMfa: true })));
    bearer = text(await signIn(world), 'mfaJWT');
  });

  it('sets up a phone without verifying the identity, reads it, and signs in again with a code', async () => {
    expect(decodeJwt(bearer)).toMatchObject({ isMfaSetup: true, uid });
    expect(outcome(await addPhone())).toEqual([200, { lastFourPhone: '0143' }]);
    expect((await validate(world.outbox.newestCode(), 'authy')).status).toBe(200);
    const info = await world.get('/mfa/v1/authy-info', { bearer });
    expect(info.body).toEqual({ status: { phone_number: 'XXX-XXX-0143' } });
    const user = await world.get(`/user-management/v1/users/${uid}`, { bearer });
    expect(user.body).toMatchObject({ data: { attributes: { authyActive: true } } });

    const challenge = await signIn(world);
    expect(Object.keys(challenge.body)).not.toContain('mfaJWT');
    const code = world.outbox.newestCode();
    const session = await enterCode(world, text(challenge, 'authVerificationToken'), code);
    expect(decodeJwt(text(session, 'token'))).toMatchObject({ isMfaSetup: false });
  });

  it('sets up an app in the same way', async () => {
    const secret = text(await post('/mfa/v1/twofactor-add', {}), 'code');
    expect((await validate(await appCode(secret, world.now()), 'mfa')).status).toBe(200);
    expect((await signIn(world)).body).toMatchObject({ mfaRequired: true, mfaType: 'mfa' });
  });

  it('still has to when the set-up was not finished', async () => {
    await addPhone();
    expect(Object.keys((await signIn(world)).body).sort()).toEqual(['mfaJWT', 'uid']);
  });

  it('cannot change the factor with the left-over set-up token', async () => {
    const secret = text(await post('/mfa/v1/twofactor-add', {}), 'code');
    await addPhone();
    await validate(world.outbox.newestCode(), 'authy');
    const late = [
      await addPhone(),
      await post('/mfa/v1/twofactor-add', {}),
      await validate(await appCode(secret, world.now()), 'mfa'),
    ];
    for (const answer of late) expect(outcome(answer)).toEqual([401, unauthorized]);
  });

  it('cannot restore a factor with it after the owner turned it off', async () => {
    await addPhone();
    await validate(world.outbox.newestCode(), 'authy');
    const challenge = text(await signIn(world), 'authVerificationToken');
    const session = text(await enterCode(world, challenge, world.outbox.newestCode()), 'token');
    const off = { password: 'Correct-horse7', authVerificationToken: await verified(world, session) };
    expect((await world.post('/mfa/v1/disable', off, { bearer: session })).status).toBe(200);
    // In the same second, and then with a set-up that a new token started.
    for (const answer of [await addPhone(), await post('/mfa/v1/twofactor-add', {})]) {
      expect(outcome(answer)).toEqual([401, unauthorized]);
    }
    const fresh = text(await signIn(world), 'mfaJWT');
    const begun = await world.post('/mfa/v1/twofactor-add', {}, { bearer: fresh });
    const code = await appCode(text(begun, 'code'), world.now());
    expect(outcome(await validate(code, 'mfa'))).toEqual([401, unauthorized]);
    bearer = fresh;
    expect((await validate(code, 'mfa')).status).toBe(200);
  });

  it('cannot continue once the administrator no longer requires it', async () => {
    await world.service.directory.upsertAccount(account());
    expect(outcome(await addPhone())).toEqual([401, unauthorized]);
  });

  it('has one factor after a phone and an app were verified concurrently', async () => {
    const secret = text(await post('/mfa/v1/twofactor-add', {}), 'code');
    await addPhone();
    const answers = await Promise.all([
      validate(world.outbox.newestCode(), 'authy'),
      validate(await appCode(secret, world.now()), 'mfa'),
    ]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const attributes = (await world.get(`/user-management/v1/users/${uid}`, { bearer })).body;
    const { authyActive, twoFactorActive } = (
      attributes as { data: { attributes: { authyActive: boolean; twoFactorActive: boolean } } }
    ).data.attributes;
    expect(authyActive).not.toBe(twoFactorActive);
  });

  it('cannot turn anything off or verify an identity: there is no session', async () => {
    const answers = [
      await post('/mfa/v1/disable', { password: 'Correct-horse7' }),
      await post('/auth/v1/validate-password', { password: 'Correct-horse7' }),
    ];
    for (const answer of answers) expect(outcome(answer)).toEqual([401, unauthorized]);
  });

  it('has 15 minutes, and none after a password change', async () => {
    world.passSeconds(899);
    expect((await addPhone()).status).toBe(200);
    world.passSeconds(1);
    expect(outcome(await addPhone())).toEqual([401, unauthorized]);

    bearer = text(await signIn(world), 'mfaJWT');
    world.passSeconds(1);
    const lastReset = new Date(world.now());
    await world.service.directory.upsertAccount(account({ mustSetUpMfa: true, lastReset }));
    expect(outcome(await addPhone())).toEqual([401, unauthorized]);
    bearer = text(await signIn(world), 'mfaJWT');
    expect((await addPhone()).status).toBe(200);
  });

  it('cannot set up another user’s account', async () => {
    const bob = await world.service.directory.upsertAccount(account({ username: 'bob@example.com' }));
    await addPhone();
    await validate(world.outbox.newestCode(), 'authy');
    expect((await signIn(world, { username: 'bob@example.com' })).body).toHaveProperty('token');
    expect((await world.get(`/user-management/v1/users/${bob.uid}`, { bearer })).status).toBe(403);
  });
});

describe('turning two-step verification off', () => {
  let world: TestService;

  const disable = (bearer: string, body: unknown): Promise<Answer> =>
    world.post('/mfa/v1/disable', body, { bearer });
  const password = 'Correct-horse7';

  beforeAll(async () => {
    world = await startTestService({ database: { folder: null } });
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    await world.service.directory.resetAll();
  });

  it.each([
    ['text messages', sms],
    ['an app', app],
  ])('removes %s: the next sign-in needs no code', async (_kind, mfa) => {
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
    ['an invented verification', () => ({ password, authVerificationToken: 'x' }), verifyAgain],
  ])('is rejected with %s', async (_what, bodyOf, refusal) => {
    const { bearer, uid } = await signedIn(world, { mfa: sms });
    const token = await verified(world, bearer);
    expect(outcome(await disable(bearer, bodyOf(token)))).toEqual([401, refusal]);
    expect(await activeFactors(world, bearer, uid)).toEqual({ authyActive: true, twoFactorActive: false });
  });

  it('is rejected with the verification of another session, of the same user or of another', async () => {
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

  it('is rejected after 180 seconds', async () => {
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

  it('consumes the verification, also for two concurrent requests', async () => {
    const { bearer } = await signedIn(world, { mfa: sms });
    const body = { password, authVerificationToken: await verified(world, bearer) };
    const answers = await Promise.all([disable(bearer, body), disable(bearer, body)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    expect(outcome(await disable(bearer, body))).toEqual([401, verifyAgain]);
  });

  it('ends an open challenge and an enrolment in progress', async () => {
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

  it('leads to the set-up at the next sign-in if two-step verification is mandatory', async () => {
    const { bearer } = await signedIn(world);
    await world.service.directory.upsertAccount(account({ mustSetUpMfa: true, mfa: app }));
    await disable(bearer, { password, authVerificationToken: await verified(world, bearer) });
    expect(Object.keys((await signIn(world)).body).sort()).toEqual(['mfaJWT', 'uid']);
  });

  it('has no effect if it is off already', async () => {
    const { bearer } = await signedIn(world);
    const authVerificationToken = await verified(world, bearer);
    expect((await disable(bearer, { password, authVerificationToken })).status).toBe(200);
  });
});

const newPhone = '+12025550177';

describe('while the second factor is being changed', () => {
  let world: TestService;
  /** A separate connection, to stop a change or a sign-in half-way. */
  let aside: Database;
  let uid: string;

  beforeAll(async () => {
    const url = await newDatabase();
    world = await startTestService({ database: { url } });
    aside = await connect({ url }, recordingLogger().logger);
  });
  afterAll(async () => {
    await world.close();
    await aside.close();
  });
  beforeEach(async () => {
    await world.service.directory.resetAll();
    ({ uid } = await world.service.directory.upsertAccount(account({ mfa: sms })));
  });

  const toNewPhone = async (trx: Transaction<Tables>): Promise<void> => {
    const enrolment: MfaEnrolmentRow = {
      id: 'e_1',
      uid,
      type: 'authy',
      phone: newPhone,
      country_code: 'US',
      code_hash: null,
      totp_secret: null,
      expires_at: new Date(world.now()),
    };
    await activateFactor(trx, enrolment, null, world.now());
  };
  const change = async (how: (trx: Transaction<Tables>) => Promise<void>): Promise<void> => {
    await withUserLocked(aside.db, uid, how);
  };
  /** A sign-in that reads the account before the change is written, and continues after it. */
  const signInDuring = async (how: (trx: Transaction<Tables>) => Promise<void>): Promise<Answer> => {
    let answer = Promise.reject<Answer>(new Error('The change did not come so far.'));
    answer.catch(() => undefined);
    await change(async (trx) => {
      await how(trx);
      answer = signIn(world);
      await Promise.race([answer, waitForLockWaits(trx)]);
    });
    return answer;
  };

  it('a sign-in sends its code to the new phone, and not to the former one', async () => {
    const before = world.outbox.texts().length;
    const challenge = await signInDuring(toNewPhone);
    expect(
      world.outbox
        .texts()
        .slice(before)
        .map(({ to }) => to),
    ).toEqual([newPhone]);
    const token = text(challenge, 'authVerificationToken');
    expect((await enterCode(world, token, world.outbox.newestCode())).status).toBe(200);
  });

  it('a sign-in needs no code when it is being turned off', async () => {
    const before = world.outbox.texts().length;
    const answer = await signInDuring((trx) => removeFactors(trx, uid));
    expect(Object.keys(answer.body).sort()).toEqual(['refresh', 'token']);
    expect(world.outbox.texts()).toHaveLength(before);
  });

  it('a device that becomes trusted is not trusted with the new factor', async () => {
    const challenge = await challengeOf(world);
    let answer = Promise.reject<Answer>(new Error('The code was not entered.'));
    answer.catch(() => undefined);
    let changed = Promise.resolve();
    await aside.db.transaction().execute(async (trx) => {
      await sql`lock table sessions in share mode`.execute(trx);
      answer = enterCode(world, challenge, world.outbox.newestCode(), { trust: true });
      await Promise.race([answer, waitForLockWaits(trx)]);
      changed = change(toNewPhone);
      await Promise.race([changed, waitForLockWaits(trx, 2)]);
    });
    await changed;
    const trustedJWT = text(await answer, 'trustedToken');
    expect((await signIn(world, { trustedJWT })).body).toMatchObject({ mfaRequired: true });
    expect(world.outbox.texts().at(-1)?.to).not.toBe(formerPhone);
  });

  it('a code that is entered opens nothing', async () => {
    const challenge = await challengeOf(world);
    const code = world.outbox.newestCode();
    let answer = Promise.reject<Answer>(new Error('The code was not entered.'));
    answer.catch(() => undefined);
    await change(async (trx) => {
      await toNewPhone(trx);
      answer = enterCode(world, challenge, code, { trust: true });
      await Promise.race([answer, waitForLockWaits(trx)]);
    });
    expect((await answer).status).toBe(401);
  });

  it('a set-up token sets up nothing once the set-up is no longer required', async () => {
    await world.service.directory.upsertAccount(account({ mustSetUpMfa: true }));
    const bearer = text(await signIn(world), 'mfaJWT');
    const add = (): Promise<Answer> => world.post('/mfa/v1/twofactor-add', {}, { bearer });
    expect((await add()).status).toBe(200);
    await aside.db.updateTable('users').set({ must_set_up_mfa: false }).execute();
    expect(outcome(await add())).toEqual([401, unauthorized]);
  });
});
