/** @jest-environment node */
import { sql, type Transaction } from 'kysely';
import { connect, type Database } from '../../service/database/connect';
import type { MfaEnrolmentRow, Tables } from '../../service/database/tables';
import { withUserLocked } from '../../service/directory/lockUser';
import { activateFactor, removeFactors } from '../../service/mfa/factors';
import { untilSomebodyWaits } from './support/lockWaits';
import { newDatabase } from './support/postgres';
import { recordingLogger } from './support/recordingLogger';
import {
  challengeOf,
  enterCode,
  outcome,
  phone as formerPhone,
  sms,
  unauthorized,
} from './support/secondStep';
import {
  account,
  signIn,
  startTestService,
  text,
  type Answer,
  type TestService,
} from './support/testService';

jest.setTimeout(120_000);

const newPhone = '+12025550177';

describe('while the second factor is being changed', () => {
  let world: TestService;
  /** A connection beside the service's, to stop a change or a sign-in half-way. */
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

  const toNewPhone = (trx: Transaction<Tables>): Promise<void> => {
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
    return activateFactor(trx, enrolment, null, world.now());
  };
  const change = async (how: (trx: Transaction<Tables>) => Promise<void>): Promise<void> => {
    await withUserLocked(aside.db, uid, how);
  };
  /** A sign-in that reads the account before the change is written, and goes on after it. */
  const signInDuring = async (how: (trx: Transaction<Tables>) => Promise<void>): Promise<Answer> => {
    let answer = Promise.reject<Answer>(new Error('The change did not come so far.'));
    answer.catch(() => undefined);
    await change(async (trx) => {
      await how(trx);
      answer = signIn(world);
      await Promise.race([answer, untilSomebodyWaits(trx)]);
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

  it('a sign-in asks for no code when it is being turned off', async () => {
    const before = world.outbox.texts().length;
    const answer = await signInDuring((trx) => removeFactors(trx, uid));
    expect(Object.keys(answer.body).sort()).toEqual(['refresh', 'token']);
    expect(world.outbox.texts()).toHaveLength(before);
  });

  it('a device that becomes trusted is not trusted with the new one', async () => {
    const challenge = await challengeOf(world);
    let answer = Promise.reject<Answer>(new Error('The code was not entered.'));
    answer.catch(() => undefined);
    let changed = Promise.resolve();
    await aside.db.transaction().execute(async (trx) => {
      await sql`lock table sessions in share mode`.execute(trx);
      answer = enterCode(world, challenge, world.outbox.newestCode(), { trust: true });
      await Promise.race([answer, untilSomebodyWaits(trx)]);
      changed = change(toNewPhone);
      await Promise.race([changed, untilSomebodyWaits(trx, 2)]);
    });
    await changed;
    const trustedJWT = text(await answer, 'trustedToken');
    expect((await signIn(world, { trustedJWT })).body).toMatchObject({ mfaRequired: true });
    expect(world.outbox.texts().at(-1)?.to).not.toBe(formerPhone);
  });

  it('a code that is entered meanwhile opens nothing', async () => {
    const challenge = await challengeOf(world);
    const code = world.outbox.newestCode();
    let answer = Promise.reject<Answer>(new Error('The code was not entered.'));
    answer.catch(() => undefined);
    await change(async (trx) => {
      await toNewPhone(trx);
      answer = enterCode(world, challenge, code, { trust: true });
      await Promise.race([answer, untilSomebodyWaits(trx)]);
    });
    expect((await answer).status).toBe(401);
  });

  it('a set-up token sets up nothing once the set-up is no longer demanded', async () => {
    await world.service.directory.upsertAccount(account({ mustSetUpMfa: true }));
    const bearer = text(await signIn(world), 'mfaJWT');
    const add = (): Promise<Answer> => world.post('/mfa/v1/twofactor-add', {}, { bearer });
    expect((await add()).status).toBe(200);
    await aside.db.updateTable('users').set({ must_set_up_mfa: false }).execute();
    expect(outcome(await add())).toEqual([401, unauthorized]);
  });
});
