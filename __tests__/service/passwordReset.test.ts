/** @jest-environment node */
import fc from 'fast-check';
import { bothDatabases } from './support/bothDatabases';
import { activate, anySegment, exchange, mangled, newPassword, refusedLink, reset } from './support/links';
import { challengeOf, challengeOver, enterCode, sms } from './support/secondStep';
import { account, signIn, startTestService, text, type TestService } from './support/testService';

jest.setTimeout(120_000);

const ada = 'ada@example.com';

describe.each(bothDatabases)('a reset link, on $name', ({ open }) => {
  let world: TestService;
  let closeDatabase: () => Promise<void>;

  const newLink = async (): Promise<string> => (await world.service.directory.resetLink(ada)).id;
  const lastReset = async () => (await world.service.directory.findAccount(ada))?.lastReset;

  beforeAll(async () => {
    const database = await open();
    closeDatabase = database.close;
    world = await startTestService({ database: database.options });
  });
  afterAll(async () => {
    await world.close();
    await closeDatabase();
  });
  beforeEach(async () => {
    await world.service.directory.resetAll();
    await world.service.directory.upsertAccount(account());
  });

  it('sets a new password, once; the old one is refused from then on', async () => {
    const link = await newLink();
    const answer = await reset(world, link);
    expect([answer.status, answer.body]).toEqual([200, {}]);
    expect((await signIn(world)).status).toBe(401);
    expect((await signIn(world, { password: newPassword })).status).toBe(200);
    expect(await lastReset()).toEqual(new Date(world.now()));

    const again = await reset(world, link, { password: 'Third-secret9', confirm: 'Third-secret9' });
    expect([again.status, again.body]).toEqual([401, refusedLink]);
    expect((await signIn(world, { password: newPassword })).status).toBe(200);
    await world.outbox.nextMail();
  });

  it('tells the owner by mail that the password was changed', async () => {
    await reset(world, await newLink());
    const mail = await world.outbox.nextMail();
    expect(mail).toMatchObject({ to: ada, subject: 'Your password was changed' });
    expect(mail.text).toContain('14 March 2026 at 09:');
    expect(mail.text).toContain('http://login.payments.localhost/forgot-password');
    expect(`${mail.text}${mail.html}`).not.toContain(newPassword);
  });

  it('ends every session that was open: no refresh, no call with their tokens', async () => {
    const sessions = [await signIn(world), await signIn(world)];
    await reset(world, await newLink());
    for (const session of sessions) {
      expect((await world.post('/auth/v1/refresh', { refresh: text(session, 'refresh') })).status).toBe(401);
      expect(
        (await world.get('/user-management/v1/users/any', { bearer: text(session, 'token') })).status,
      ).toBe(401);
    }
    await world.outbox.nextMail();
  });

  it('no longer trusts any device, and leaves the second step on', async () => {
    await world.service.directory.upsertAccount(account({ mfa: sms }));
    const trustedJWT = await world.service.directory.trustDevice(ada);
    expect((await signIn(world, { trustedJWT })).body).toHaveProperty('refresh');
    await reset(world, await newLink());
    const answer = await signIn(world, { password: newPassword, trustedJWT });
    expect(answer.body).toMatchObject({ mfaRequired: true });
    await world.outbox.nextMail();
  });

  it('ends what the old password had begun: a set-up token is good for nothing', async () => {
    await world.service.directory.upsertAccount(account({ mustSetUpMfa: true }));
    const before = await signIn(world);
    const own = `/user-management/v1/users/${text(before, 'uid')}`;
    expect((await world.get(own, { bearer: text(before, 'mfaJWT') })).status).toBe(200);
    world.passSeconds(1);
    await reset(world, await newLink());
    expect((await world.get(own, { bearer: text(before, 'mfaJWT') })).status).toBe(401);
    const after = await signIn(world, { password: newPassword });
    expect((await world.get(own, { bearer: text(after, 'mfaJWT') })).status).toBe(200);
    await world.outbox.nextMail();
  });

  it('ends the second step that the old password had led to, code in hand', async () => {
    await world.service.directory.upsertAccount(account({ mfa: sms }));
    const challenge = await challengeOf(world);
    await reset(world, await newLink());
    const answer = await enterCode(world, challenge, world.outbox.newestCode());
    expect([answer.status, answer.body]).toEqual([401, challengeOver]);
    await world.outbox.nextMail();
  });

  it('lets a locked-out owner in again', async () => {
    await world.service.directory.lock(ada);
    await reset(world, await newLink());
    expect((await signIn(world, { password: newPassword })).status).toBe(200);
    await world.outbox.nextMail();
  });

  it('works until its hour is over, and not a second longer', async () => {
    const link = await newLink();
    world.passSeconds(3599);
    expect((await reset(world, link)).status).toBe(200);
    await world.outbox.nextMail();
    const late = await newLink();
    world.passSeconds(3600);
    const answer = await reset(world, late);
    expect([answer.status, answer.body]).toEqual([401, refusedLink]);
  });

  it('is dead once there is a newer one', async () => {
    const older = await newLink();
    const newer = await newLink();
    expect((await reset(world, older)).status).toBe(401);
    expect((await reset(world, newer)).status).toBe(200);
    await world.outbox.nextMail();
  });

  it('takes one of several passwords that come at once', async () => {
    const link = await newLink();
    const passwords = Array.from({ length: 6 }, (_unused, index) => `Many-secrets${index}`);
    const answers = await Promise.all(
      passwords.map((password) => reset(world, link, { password, confirm: password })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401, 401]);
    const winner = passwords[answers.findIndex(({ status }) => status === 200)] ?? '';
    expect((await signIn(world, { password: winner })).status).toBe(200);
    await world.outbox.nextMail();
    expect(world.outbox.unreadMails()).toEqual([]);
  });

  it.each([
    [
      'not repeated alike',
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
  ])('stays good when the password is %s', async (_what, changes, code, message) => {
    const link = await newLink();
    const refused = await reset(world, link, changes);
    expect([refused.status, refused.body]).toEqual([400, { error: { message, code } }]);
    expect((await signIn(world)).status).toBe(200);
    expect((await reset(world, link)).status).toBe(200);
    await world.outbox.nextMail();
  });

  it('is told from every other text, and from links of other kinds', async () => {
    const link = await newLink();
    for (const other of mangled(link)) expect((await reset(world, other)).body).toEqual(refusedLink);
    await world.service.directory.upsertAccount(account({ username: 'ina@example.com', password: null }));
    const invitation = (await world.service.directory.inviteUser('ina@example.com')).id;
    const apiInvitation = (await world.service.directory.inviteApiUser('Export')).id;
    for (const foreign of [invitation, apiInvitation]) {
      expect((await reset(world, foreign)).body).toEqual(refusedLink);
    }
    // Nothing was used up by the wrong doors.
    expect((await activate(world, link)).body).toEqual(refusedLink);
    expect((await exchange(world, link)).body).toEqual(refusedLink);
    expect((await reset(world, link)).status).toBe(200);
    await world.outbox.nextMail();
  });

  it('goes with the account, and with its password sign-in', async () => {
    const link = await newLink();
    await world.service.directory.upsertAccount(account({ methods: [{ method: 'google' }] }));
    expect((await reset(world, link)).body).toEqual(refusedLink);
    await world.service.directory.upsertAccount(account());
    const removed = await newLink();
    await world.service.directory.removeAccount(ada);
    expect((await reset(world, removed)).body).toEqual(refusedLink);
  });

  it('takes any characters for a link that it does not know', async () => {
    await fc.assert(
      fc.asyncProperty(anySegment, async (hash) => {
        expect((await reset(world, hash)).body).toEqual(refusedLink);
      }),
      { numRuns: 50 },
    );
  });

  it('closes the magic links that were open, as the mailbox may have been read', async () => {
    const magic = await world.service.directory.magicLink(ada, 'ledger');
    await reset(world, await newLink());
    expect((await exchange(world, magic.id)).body).toEqual(refusedLink);
    await world.outbox.nextMail();
  });

  it('is stored as a hash, and never logged', async () => {
    const link = await newLink();
    await reset(world, link);
    await world.outbox.nextMail();
    expect(Buffer.from(link, 'base64url').byteLength).toBe(32);
    expect(world.log.text()).not.toContain(link);
    expect(world.log.text()).not.toContain(newPassword);
  });
});
