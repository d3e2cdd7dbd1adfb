import { sessionEvents } from '../src/session/events.ts';
import type { Tables } from '../src/core/database/tables.ts';
import { createAudit } from '../src/core/audit/audit.ts';
import { removeOldEntries } from '../src/core/audit/auditLog.ts';
import { connect, type Database } from '../src/platform/database/connect.ts';
import { inTransaction } from '../src/platform/database/transaction.ts';
import { newPassword, oldPassword } from './support/links.ts';
import { anObjectWith } from './support/matchers.ts';
import { newDatabase } from './support/postgres.ts';
import { recordingLogger } from './support/recordingLogger.ts';
import { linkIn } from './support/recordingOutbox.ts';
import { app, sms } from './support/secondStep.ts';
import { ada, describeService, startTestService, type TestService, text } from './support/testService.ts';

type Filter = Parameters<TestService['service']['directory']['auditLog']['read']>[0];

/** What happened, without the entries that a test makes by writing its accounts. */
async function entriesOf({ service }: TestService, filter?: Filter) {
  const entries = [];
  // The username is that of the account, and not stored.
  for await (const { id: _, at: __, username: ___, ...entry } of service.directory.auditLog.read(filter)) {
    if (entry.event !== 'account-written') entries.push(entry);
  }
  return entries;
}

/** The same in short. */
async function storyOf(testService: TestService, filter?: Filter): Promise<readonly string[]> {
  const entries = await entriesOf(testService, filter);
  return entries.map(({ event, method, outcome, reason }) =>
    [event, method, outcome, reason].filter((part) => part !== null).join(' '),
  );
}

describeService('the audit log', (service) => {
  let uid: string;

  beforeEach(async () => {
    ({ uid } = await service.write());
  });

  it('says who signed in, how, from where and with what', async () => {
    const headers = { 'User-Agent': `Browser/1 \u009b1m ${'x'.repeat(1000)}` };
    const body = { username: ada, method: 'basic', password: 'Correct-horse7' };
    await service.post('/auth/v1/token', body, { headers });
    const entry = {
      outcome: 'success',
      uid,
      method: 'basic',
      reason: null,
      network: '127.0.0.1',
      device: `Browser/1 ?1m ${'x'.repeat(242)}`,
      administrator: null,
    };
    expect(await entriesOf(service)).toEqual([{ event: 'sign-in', ...entry, details: null }]);
    expect(service.log.entries()).toContainEqual({
      level: 'info',
      event: 'audit',
      fields: { what: 'sign-in', ...entry },
    });
  });

  it('names the account of a wrong password, and the lock that it brings', async () => {
    for (let tries = 0; tries < 7; tries += 1) await service.signIn({ password: 'wrong' });
    expect(await storyOf(service, { username: ada })).toEqual([
      ...Array.from({ length: 4 }, () => 'sign-in basic failure invalid_credentials'),
      // What is refused because of the lock is not recorded: anyone can send any number of it.
      'lockout password failure',
    ]);
  });

  it('keeps nothing of a username that no account has: it may be a password', async () => {
    await service.signIn({ username: 'Hunter2-by-mistake' });
    const [entry] = await entriesOf(service);
    expect(entry).toMatchObject({ event: 'sign-in', outcome: 'failure', uid: null });
    expect(JSON.stringify(entry)).not.toContain('Hunter2');
    expect(service.log.text()).not.toContain('Hunter2');
  });

  it('follows a sign-in through its second step', async () => {
    await service.write({ mfa: app });
    const challenge = await service.challenge();
    await service.enterCode(challenge, '000000');
    await service.enterCode(challenge, await service.codeOfApp());
    expect(await storyOf(service)).toEqual([
      'sign-in basic pending second-step',
      'second-step failure invalid_code',
      'second-step mfa success',
      'sign-in basic success',
    ]);
  });

  it('shows the end of a session whose refresh token was used twice', async () => {
    const stolen = text(await service.signIn(), 'refresh');
    await service.refresh(stolen);
    service.passSeconds(11);
    await service.refresh(stolen);
    expect(await storyOf(service)).toEqual(['sign-in basic success', 'refresh-reuse basic failure']);
  });

  it('follows a forgotten password from the request to the new one', async () => {
    await service.forgot();
    const { id } = linkIn(await service.outbox.nextMail());
    await service.reset(id);
    await service.reset(id);
    expect(await storyOf(service)).toEqual([
      'password-forgotten success',
      'link-issued reset-password success',
      'password-reset success',
      'password-reset failure invalid_link',
    ]);
  });

  it('shows changes of password and two-step verification, and the checks before them', async () => {
    const { bearer } = await service.signedIn();
    await service.write({ mfa: sms });
    await service.post('/auth/v1/validate-password', { password: 'wrong' }, { bearer });
    const token = await service.verified(bearer);
    await service.addPhone(bearer, token, { phone: '+12125550199' });
    await service.validatePhone(bearer, service.outbox.newestCode(), token);
    await service.disable(bearer, await service.verified(bearer));

    const changed = { username: ada, newPassword, confirmPassword: newPassword, oldPassword };
    await service.post('/password-reset/v1/password-reset-manual', changed, { bearer });
    expect(await storyOf(service)).toEqual([
      'sign-in basic success',
      'identity-check failure invalid_credentials',
      'identity-check basic success',
      'phone-change authy success',
      'identity-check basic success',
      'two-step-off success',
      'password-change success',
    ]);
  });

  it('shows links as they are issued and used, and what an administrator did', async () => {
    const { directory } = service;
    const { id } = await directory.links.magic(ada, 'ledger');
    await service.exchange(id);
    await service.exchange(id);
    await service.openInvite((await directory.links.inviteApiUser('reports')).id);
    await directory.accounts.lock(ada);
    await directory.accounts.unlock(ada);
    await directory.accounts.endSessions(ada);
    const entries = await entriesOf(service);
    expect(await storyOf(service)).toEqual([
      'link-issued application success',
      'link-used application success',
      'sign-in magiclink success',
      'link-used application failure invalid_link',
      'link-issued secret-key success',
      'link-used secret-key success',
      'account-locked success',
      'account-unlocked success',
      'sessions-ended success',
    ]);
    // Commands come from no network.
    expect(entries.at(-1)).toMatchObject({ uid, network: null, device: null });
    expect(entries[1]).toMatchObject({ uid, network: '127.0.0.1' });
  });

  it('holds no password, token, code, link or name', async () => {
    await service.write({ mfa: sms });
    const challenge = await service.challenge();
    const code = service.outbox.newestCode();
    const session = await service.enterCode(challenge, code, { trust: true });
    await service.forgot();
    const { id } = linkIn(await service.outbox.nextMail());
    await service.reset(id);

    const stored = JSON.stringify(await entriesOf(service));
    const logged = JSON.stringify(service.log.entries().filter(({ event }) => event === 'audit'));
    const secrets = ['token', 'refresh', 'trustedToken'].map((name) => text(session, name));
    for (const hidden of [...secrets, challenge, code, id, 'Correct-horse7', newPassword, 'ada@', 'Ada']) {
      expect(stored).not.toContain(hidden);
      expect(logged).not.toContain(hidden);
    }
  });

  it('no longer leads to a person who was erased, but keeps what happened together', async () => {
    await service.signIn();
    await service.signIn({ password: 'wrong' });
    await service.directory.accounts.remove(ada);
    const entries = await entriesOf(service);
    expect(await storyOf(service)).toEqual([
      'sign-in basic success',
      'sign-in basic failure invalid_credentials',
      'account-erased success',
    ]);
    expect(new Set(entries.map((entry) => entry.uid)).size).toBe(1);
    expect(JSON.stringify(entries)).not.toContain(uid);
    expect(entries.map(({ network, device }) => [network, device])).toEqual(entries.map(() => [null, null]));
  });

  it('is read by account, kind and time', async () => {
    await service.write({ username: 'bob@example.com', email: 'bob@example.com' });
    await service.signIn();
    await service.signIn({ username: 'bob@example.com' });
    service.passSeconds(60);
    const since = new Date(service.now());
    await service.signIn();
    await service.signIn({ password: 'wrong' });
    const event = 'sign-in';
    expect(await storyOf(service, { username: ada, event })).toHaveLength(3);
    expect(await storyOf(service, { username: 'bob@example.com' })).toEqual(['sign-in basic success']);
    expect(await storyOf(service, { since })).toEqual([
      'sign-in basic success',
      'sign-in basic failure invalid_credentials',
    ]);
    await expect(storyOf(service, { username: 'nobody@example.com' })).rejects.toThrow('no account');
  });
});

describe('entries of the audit log', () => {
  const day = 86_400_000;
  const unknownUser = { event: sessionEvents['sign-in'], outcome: 'failure', uid: null } as const;
  const uncounted = { countEvent: () => undefined };
  let database: Database<Tables>;

  let url: string;

  beforeEach(async () => {
    url = await newDatabase();
    database = await connect<Tables>({ url }, recordingLogger().logger);
  });
  afterEach(() => database.close());

  it('are neither stored nor logged when what they are about is rolled back', async () => {
    const log = recordingLogger();
    const audit = createAudit({ now: Date.now, logger: log.logger }, uncounted);
    const { db } = database;
    const failing = inTransaction(db, async (trx) => {
      await audit.record(trx, unknownUser);
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    expect(await db.selectFrom('audit_log').selectAll().execute()).toEqual([]);
    expect(log.entries()).toEqual([]);
    await inTransaction(db, (trx) => audit.record(trx, unknownUser));
    expect(await db.selectFrom('audit_log').selectAll().execute()).toHaveLength(1);
    expect(log.entries()).toEqual([anObjectWith({ event: 'audit' })]);
  });

  it('tell of a reset that was asked for an address that no account has, without the address', async () => {
    const testService = await startTestService({ database: { url } });
    await testService.forgot('nobody@example.com');
    await testService.close();
    const entries = await database.db.selectFrom('audit_log').selectAll().execute();
    expect(entries).toMatchObject([{ event: 'password-forgotten', outcome: 'failure', reason: 'not_found' }]);
    expect(JSON.stringify(entries)).not.toContain('nobody@');
  });

  it('are removed when they are old, and failures without an account after a month', async () => {
    const { db } = database;
    const now = Date.now();
    const write = async (age: number, uid: string | null): Promise<void> => {
      const audit = createAudit({ now: () => now - age * day, logger: recordingLogger().logger }, uncounted);
      await audit.record(db, { ...unknownUser, uid });
    };
    for (const [age, uid] of [
      [401, 'old'],
      [399, 'kept'],
      [31, null],
      [29, null],
    ] as const)
      await write(age, uid);
    await removeOldEntries(db, () => now, 400);
    const left = await db.selectFrom('audit_log').select('uid').orderBy('id').execute();
    expect(left).toEqual([{ uid: 'kept' }, { uid: null }]);
  });
});
