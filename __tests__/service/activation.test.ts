/** @jest-environment node */
import { decodeJwt } from 'jose';
import { bothDatabases } from './support/bothDatabases';
import { activate, mangled, newPassword, refusedLink, reset } from './support/links';
import { linkIn } from './support/recordingOutbox';
import { account, signIn, startTestService, text, type TestService } from './support/testService';

jest.setTimeout(120_000);

const ina = 'ina@example.com';
const invited = account({ username: ina, email: ina, firstName: '', lastName: '', password: null });

describe.each(bothDatabases)('an invitation, on $name', ({ open }) => {
  let world: TestService;
  let closeDatabase: () => Promise<void>;

  const invite = async (): Promise<string> => (await world.service.directory.inviteUser(ina)).id;

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
    await world.service.directory.upsertAccount(invited);
  });

  it('lets the invited user choose names and a password, and then sign in', async () => {
    expect((await signIn(world, { username: ina, password: newPassword })).status).toBe(401);
    const answer = await activate(world, await invite(), { firstName: ' Ina ', lastName: 'Vited' });
    expect([answer.status, answer.body]).toEqual([200, {}]);
    const session = await signIn(world, { username: ina, password: newPassword });
    expect(decodeJwt(text(session, 'token'))).toMatchObject({ firstName: 'Ina', username: ina });
    expect(await world.service.directory.findAccount(ina)).toMatchObject({
      lastName: 'Vited',
      lastReset: null,
    });
  });

  it('is mailed with the username and the time that there is', async () => {
    const { url } = await world.service.directory.inviteUser(ina, { mail: true });
    const mail = await world.outbox.nextMail();
    expect(mail).toMatchObject({ to: ina, subject: 'Activate your account' });
    expect(linkIn(mail).url).toBe(url);
    expect(url).toMatch(/^http:\/\/login\.payments\.localhost\/activate\/[\w-]{43}$/);
    expect(mail.text).toContain(`Your username is ${ina}.`);
    expect(mail.text).toContain('for 7 days.');
  });

  it('works once', async () => {
    const link = await invite();
    await activate(world, link);
    const again = await activate(world, link, { password: 'Third-secret9', confirm: 'Third-secret9' });
    expect([again.status, again.body]).toEqual([401, refusedLink]);
    expect((await signIn(world, { username: ina, password: newPassword })).status).toBe(200);
  });

  it('takes one of several that come at once', async () => {
    const link = await invite();
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_unused, index) => activate(world, link, { firstName: `Ina${index}` })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401, 401]);
    const winner = answers.findIndex(({ status }) => status === 200);
    expect(await world.service.directory.findAccount(ina)).toMatchObject({ firstName: `Ina${winner}` });
  });

  it('works for seven days, and not a second longer', async () => {
    const late = await invite();
    world.passSeconds(7 * 86_400);
    expect((await activate(world, late)).body).toEqual(refusedLink);
    const link = await invite();
    world.passSeconds(7 * 86_400 - 1);
    expect((await activate(world, link)).status).toBe(200);
  });

  it('is dead once there is a newer one', async () => {
    const older = await invite();
    const newer = await invite();
    expect((await activate(world, older)).body).toEqual(refusedLink);
    expect((await activate(world, newer)).status).toBe(200);
  });

  it('is told from every other text, and from links of other kinds', async () => {
    const link = await invite();
    await world.service.directory.upsertAccount(account());
    const foreign = [
      (await world.service.directory.resetLink('ada@example.com')).id,
      (await world.service.directory.inviteApiUser('Export')).id,
      (await world.service.directory.magicLink('ada@example.com', 'ledger')).id,
    ];
    for (const other of [...mangled(link), ...foreign]) {
      expect((await activate(world, other)).body).toEqual(refusedLink);
    }
    expect((await reset(world, link)).body).toEqual(refusedLink);
    expect((await activate(world, link)).status).toBe(200);
  });

  it.each([
    ['is not repeated alike', { confirm: 'x' }, 'password_mismatch'],
    ['is against the rules', { password: 'Run-of-12345', confirm: 'Run-of-12345' }, 'password_rules'],
  ])('stays good when the password %s', async (_what, changes, code) => {
    const link = await invite();
    const refused = await activate(world, link, changes);
    expect([refused.status, refused.body]).toMatchObject([400, { error: { code } }]);
    expect((await activate(world, link)).status).toBe(200);
  });

  it.each([
    ['no first name', { firstName: '' }],
    ['a first name of blanks', { firstName: ' \t' }],
    ['no last name', { lastName: '' }],
    ['a last name of blanks', { lastName: '\u3000' }],
  ])('stays good when it comes with %s, and asks for the names', async (_what, changes) => {
    const link = await invite();
    const refused = await activate(world, link, changes);
    expect([refused.status, refused.body]).toEqual([
      400,
      { error: { message: 'Please enter your first and last name.', code: 'invalid_request' } },
    ]);
    expect((await activate(world, link)).status).toBe(200);
  });

  it('no longer changes an account that was given a password otherwise', async () => {
    const link = await invite();
    await world.service.directory.upsertAccount({ ...invited, password: 'Correct-horse7' });
    expect((await activate(world, link)).body).toEqual(refusedLink);
    expect((await signIn(world, { username: ina })).status).toBe(200);
  });

  it('opens the door to an owner whom a stranger had locked out by guessing', async () => {
    await world.service.directory.lock(ina);
    await activate(world, await invite());
    expect((await signIn(world, { username: ina, password: newPassword })).status).toBe(200);
  });

  it('is given only to who signs in with a password and has none yet', async () => {
    const { directory } = world.service;
    await expect(directory.inviteUser('nobody@example.com')).rejects.toThrow('There is no account');
    await directory.upsertAccount(account());
    await expect(directory.inviteUser('ada@example.com')).rejects.toThrow('The account is active');
    await directory.upsertAccount(account({ password: null, methods: [{ method: 'google' }] }));
    await expect(directory.inviteUser('ada@example.com')).rejects.toThrow('does not sign in with a password');
  });
});
