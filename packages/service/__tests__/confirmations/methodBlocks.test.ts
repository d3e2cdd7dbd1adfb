import { EventEmitter, once } from 'node:events';
import { paymentTables } from '../../src/confirmations/tables.ts';
import type { Tables } from '../../src/core/database/tables.ts';
import { confirmationTexts } from '../../src/confirmations/confirmations.messages.ts';
import { forgetFailures, underMethodBlock } from '../../src/confirmations/methodBlock.ts';
import { connect, type Database } from '../../src/platform/database/connect.ts';
import { ServiceError } from '../../src/platform/errors.ts';
import { silentLogger } from '../../src/platform/settings/options.ts';
import { itWith, optionsOf } from '../support/extensions.ts';
import { addKey, type Key } from '../support/passkeyAuthenticator.ts';
import { newDatabase } from '../support/postgres.ts';
import { sms } from '../support/secondStep.ts';
import { ada, describeService, startTestService, type TestService } from '../support/testService.ts';
import { outcome, paymentCalls, withClients } from './payments.ts';

const [minute, hour, day] = [60, 3600, 86_400];
const options = {
  // Sessions outlast blocks here.
  ...{ accessTokenSeconds: 7 * day, sessionSeconds: 7 * day },
  ...optionsOf('passkeys', 'notices'),
  ...withClients({ id: 'ledger' }),
};

/** The calls of one user. */
function callsOf(service: TestService, { bearer, uid }: { readonly bearer: string; readonly uid: string }) {
  const calls = paymentCalls(service);
  const call = (id: string, what: string, body: object = {}, through: TestService = service) =>
    paymentCalls(through).call(bearer, id, what, body);
  const asked = () => calls.ask(uid, { lifeSeconds: 900 });
  /** Guesses that are no code: a code has six digits. */
  const guess = (id: string, through?: TestService) => call(id, 'code', { code: '?' }, through);
  const right = async (id: string) => {
    const texted = await call(id, 'text');
    if (texted.status !== 200) return texted;
    return call(id, 'code', { code: service.outbox.newestCode() });
  };
  /** Each row is of other payments, because five failures end one. */
  const guessFive = async () => {
    const ids = [await asked(), await asked()];
    for (let failure = 0; failure < 5; failure += 1)
      expect(outcome(await guess(ids[failure % 2] ?? ''))).toBe('401 code_wrong');
  };
  const shown = async (id: string) => {
    const { methods, blockedUntil } = await calls.shown(bearer, id);
    return { methods, blockedUntil };
  };
  /** What the browser sends after the passkey was used. */
  const proofOf = async (key: Key, id: string) => {
    const { challengeToken, publicKey } = await calls.optionsFor(bearer, id);
    return { challengeToken, credential: calls.device.get(key, publicKey) };
  };
  return { call, asked, guess, right, guessFive, shown, proofOf, device: calls.device };
}

describeService(
  'a method of confirming payments',
  (service) => {
    const withPhone = async () => callsOf(service, await service.signedIn({ mfa: sms }));
    const after = (seconds: number) => new Date(service.now() + seconds * 1000).toISOString();
    const unreadMails = async () => {
      const mails = [];
      while (service.outbox.unreadMails().length > 0) mails.push(await service.outbox.nextMail());
      return mails;
    };

    it('is blocked by five wrong codes in a row over several payments: 15 minutes, an hour, a day', async () => {
      const { call, asked, guess, guessFive, right, shown } = await withPhone();
      for (const seconds of [15 * minute, hour, day, day]) {
        await guessFive();
        const id = await asked();
        for (const refusal of [await guess(id), await call(id, 'text'), await right(id)])
          expect([outcome(refusal), refusal.headers.get('retry-after')]).toEqual([
            '429 method_blocked',
            String(seconds),
          ]);
        expect(await shown(id)).toEqual({ methods: [], blockedUntil: after(seconds) });
        service.passSeconds(seconds - 1);
        expect(outcome(await guess(await asked()))).toBe('429 method_blocked');
        service.passSeconds(1);
        expect(await shown(id)).toEqual({ methods: ['text'], blockedUntil: null });
      }
    });

    it('is free again at once for a payment that is confirmed, whose success ends the row and the steps', async () => {
      const { asked, guess, guessFive, right } = await withPhone();
      await guessFive();
      service.passSeconds(15 * minute);
      for (let failure = 0; failure < 4; failure += 1) await guess(await asked());
      expect(outcome(await right(await asked()))).toBe('200 confirmed');
      for (let failure = 0; failure < 4; failure += 1)
        expect(outcome(await guess(await asked()))).toBe('401 code_wrong');
      expect(outcome(await right(await asked()))).toBe('200 confirmed');
      await guessFive();
      expect((await guess(await asked())).headers.get('retry-after')).toBe(String(15 * minute));
    });

    it('begins with 15 minutes again after a day without failures', async () => {
      const { asked, guess, guessFive } = await withPhone();
      await guessFive();
      service.passSeconds(15 * minute + day);
      await guessFive();
      expect((await guess(await asked())).headers.get('retry-after')).toBe(String(15 * minute));
    });

    it('is not blocked for another user, nor is the sign-in of the same one', async () => {
      const { guessFive } = await withPhone();
      await guessFive();
      const eve = callsOf(
        service,
        await service.signedIn({ username: 'eve@example.com', email: 'eve@example.com', mfa: sms }),
      );
      expect(outcome(await eve.right(await eve.asked()))).toBe('200 confirmed');
      const challenge = await service.challenge();
      expect((await service.enterCode(challenge, service.outbox.newestCode())).status).toBe(200);
    });

    it('is not blocked by attempts at payments that are decided or expired', async () => {
      const { call, asked, guess, right } = await withPhone();
      const [declined, expired] = [await asked(), await asked()];
      await call(declined, 'decline');
      for (let attempt = 0; attempt < 5; attempt += 1)
        expect(outcome(await guess(declined))).toBe('409 confirmation_closed');
      service.passSeconds(901);
      for (let attempt = 0; attempt < 5; attempt += 1)
        expect(outcome(await guess(expired))).toBe('409 confirmation_closed');
      expect(outcome(await right(await asked()))).toBe('200 confirmed');
    });

    itWith('passkeys')('counts by itself: the other one stays, until both are blocked', async () => {
      const user = await service.signedIn();
      const { call, asked, guessFive, shown, proofOf, device } = callsOf(service, user);
      const key = await addKey(service, device, user.bearer);
      await service.write({ mfa: sms });
      const [id, other] = [await asked(), await asked()];
      const [right, ofOther] = [await proofOf(key, id), await proofOf(key, other)];
      for (let failure = 0; failure < 5; failure += 1)
        expect(outcome(await call(await asked(), 'passkey', ofOther))).toBe('401 passkey_refused');
      expect(outcome(await call(id, 'passkey', right))).toBe('429 method_blocked');
      expect(outcome(await call(id, 'passkey/options'))).toBe('429 method_blocked');
      expect(await shown(id)).toEqual({ methods: ['text'], blockedUntil: null });
      const end = after(15 * minute);
      service.passSeconds(minute);
      await guessFive();
      expect(await shown(id)).toEqual({ methods: [], blockedUntil: end });
      service.passSeconds(14 * minute);
      const next = await asked();
      expect(await shown(next)).toEqual({ methods: ['passkey'], blockedUntil: null });
      expect(outcome(await call(next, 'passkey', await proofOf(key, next)))).toBe('200 confirmed');
    });

    itWith('notices')(
      'that is blocked is told to its owner once, with application, amount and payee',
      async () => {
        const { asked, guess, guessFive } = await withPhone();
        await unreadMails();
        await guessFive();
        const mail = await service.outbox.nextMail();
        expect(mail).toMatchObject({ to: ada, subject: 'A method of confirming payments is blocked' });
        expect(mail.text).toContain('Payment: €149.90 to Northwind GmbH, requested by Ledger.');
        await guess(await asked());
        expect(await unreadMails()).toEqual([]);
      },
    );

    it('is in the export of a person with its failures', async () => {
      const { guess, asked } = await withPhone();
      await guess(await asked());
      expect((await service.directory.accounts.exportPerson(ada)).paymentFailures).toEqual([
        { method: 'text', failures: 1, blocks: 0, blockedUntil: null, countedAt: new Date(service.now()) },
      ]);
    });
  },
  options,
);

test('A hundred guesses at once at twenty payments, on two processes, are five tries', async () => {
  const database = { url: await newDatabase() };
  await using one = await startTestService({ ...options, database });
  await using other = await startTestService({ ...options, database });
  const { asked, guess, right } = callsOf(one, await one.signedIn({ mfa: sms }));
  const ids: string[] = [];
  for (let count = 0; count < 20; count += 1) ids.push(await asked());
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, count) => guess(ids[count % 20] ?? '', count % 2 === 0 ? one : other)),
  );
  const outcomes = answers.map(outcome);
  expect(outcomes.filter((each) => each === '401 code_wrong')).toHaveLength(5);
  expect(outcomes.filter((each) => each === '429 method_blocked')).toHaveLength(95);
  expect(outcome(await right(ids[19] ?? ''))).toBe('429 method_blocked');
});

describe('an attempt', () => {
  const start = Date.UTC(2026, 2, 14);
  const uid = 'u_ada';
  const told = jest.fn(() => Promise.resolve());
  let now = start;
  let database: Database<Tables>;
  let service: TestService;
  const context = () => ({ db: database.db, settings: { now: () => now }, audit: { record: told } }) as never;
  const attempt = (check: () => Promise<unknown>) => underMethodBlock(context(), uid, 'text', check);
  const wrong = new ServiceError(401, 'code_wrong', confirmationTexts.codeWrong);
  const fail = () =>
    attempt(() => Promise.reject(wrong)).catch((error: unknown) => (error as ServiceError).code);
  const counted = () =>
    paymentTables(database.db)
      .selectFrom('payment_failures')
      .select(['failures', 'blocks', 'blocked_until'])
      .execute();

  beforeAll(async () => {
    const url = await newDatabase();
    service = await startTestService({ database: { url } });
    await service.write({ uid });
    database = await connect<Tables>({ url }, silentLogger);
  });
  afterAll(async () => {
    await database.close();
    await service.close();
  });
  beforeEach(async () => {
    now = start;
    told.mockClear();
    await paymentTables(database.db).deleteFrom('payment_failures').execute();
  });

  it('that could not be checked does not count, and ends the block that it caused', async () => {
    for (let failure = 0; failure < 4; failure += 1) expect(await fail()).toBe('code_wrong');
    const gone = new Error('the database is away');
    const lastOne = attempt(async () => {
      expect(await fail()).toBe('method_blocked');
      throw gone;
    });
    await expect(lastOne).rejects.toBe(gone);
    expect(await counted()).toEqual([{ failures: 4, blocks: 0, blocked_until: null }]);
    expect(told).not.toHaveBeenCalled();
    expect(await fail()).toBe('code_wrong');
    expect(told).toHaveBeenCalledTimes(1);
    expect(await fail()).toBe('method_blocked');
  });

  it('that is right ends the row also while wrong ones are being checked', async () => {
    const finished = new EventEmitter();
    const slow: Promise<unknown>[] = [];
    for (let count = 0; count < 4; count += 1)
      await new Promise<void>((isChecked) => {
        const check = async () => {
          isChecked();
          await once(finished, 'now');
          throw wrong;
        };
        slow.push(attempt(check));
      });
    await expect(attempt(() => Promise.resolve('confirmed'))).resolves.toBe('confirmed');
    finished.emit('now');
    await Promise.all(slow.map((one) => expect(one).rejects.toBe(wrong)));
    expect(await counted()).toEqual([]);
  });

  it('that failed is forgotten a day later', async () => {
    await fail();
    now += day * 1000 - 60_000;
    await forgetFailures(context());
    expect(await counted()).toHaveLength(1);
    now += 60_000;
    await forgetFailures(context());
    expect(await counted()).toEqual([]);
  });
});
