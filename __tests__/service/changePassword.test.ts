/** @jest-environment node */
import { bothDatabases } from './support/bothDatabases';
import { newPassword, refusedLink, reset } from './support/links';
import {
  account,
  signIn,
  startTestService,
  text,
  type Answer,
  type TestService,
} from './support/testService';

jest.setTimeout(120_000);

const ada = 'ada@example.com';
const oldPassword = 'Correct-horse7';

describe.each(bothDatabases)('a signed-in user changes the password, on $name', ({ open }) => {
  let world: TestService;
  let closeDatabase: () => Promise<void>;
  let bearer: string;

  const change = (changes: object = {}, as = bearer): Promise<Answer> =>
    world.post(
      '/password-reset/v1/password-reset-manual',
      { newPassword, confirmPassword: newPassword, oldPassword, username: ada, ...changes },
      { bearer: as },
    );

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
    await world.service.directory.upsertAccount(account({ username: 'ada' }));
    bearer = text(await signIn(world, { username: 'ada' }), 'token');
  });

  it('and signs in with the new one only; the day is kept, and a mail tells of it', async () => {
    const answer = await change();
    expect([answer.status, answer.body]).toEqual([200, {}]);
    expect((await signIn(world, { username: 'ada' })).status).toBe(401);
    expect((await signIn(world, { username: 'ada', password: newPassword })).status).toBe(200);
    const lastReset = (await world.service.directory.findAccount('ada'))?.lastReset;
    expect(lastReset).toEqual(new Date(world.now()));
    expect(await world.outbox.nextMail()).toMatchObject({ to: ada, subject: 'Your password was changed' });
  });

  it('which ends every session, this one too, and the reset links that were open', async () => {
    const other = await signIn(world, { username: 'ada' });
    const link = await world.service.directory.resetLink('ada');
    await change();
    expect((await world.post('/auth/v1/refresh', { refresh: text(other, 'refresh') })).status).toBe(401);
    expect((await change({ oldPassword: newPassword })).body).toMatchObject({
      error: { code: 'unauthorized' },
    });
    expect((await reset(world, link.id)).body).toEqual(refusedLink);
    await world.outbox.nextMail();
  });

  it('but not when the two new ones differ', async () => {
    const answer = await change({ confirmPassword: 'New-secret9' });
    expect([answer.status, answer.body]).toEqual([
      400,
      { error: { message: 'Please make sure your passwords match', code: 'password_mismatch' } },
    ]);
    expect((await signIn(world, { username: 'ada' })).status).toBe(200);
  });

  it('nor to one against the rules', async () => {
    const answer = await change({ newPassword: 'no-digit-Here', confirmPassword: 'no-digit-Here' });
    expect([answer.status, answer.body]).toEqual([
      400,
      { error: { message: 'Please meet the password requirements', code: 'password_rules' } },
    ]);
  });

  it('nor with a wrong old one, five of which lock the session and nobody else', async () => {
    const refused = await change({ oldPassword: 'wrong' });
    expect([refused.status, refused.body]).toEqual([
      401,
      {
        error: {
          message: 'We were unable to verify your identity. Please try again.',
          code: 'invalid_credentials',
        },
      },
    ]);
    for (let times = 0; times < 3; times += 1) await change({ oldPassword: 'wrong' });
    const fifth = await change({ oldPassword: 'wrong' });
    expect([fifth.status, fifth.body]).toMatchObject([429, { error: { code: 'too_many_failed_attempts' } }]);
    expect((await change()).status).toBe(429);
    expect((await signIn(world, { username: 'ada' })).status).toBe(200);
  });

  it('by the e-mail or the username, in any case, and for nobody else', async () => {
    await world.service.directory.upsertAccount(account({ username: 'bob', email: 'bob@example.com' }));
    const answers = [await change({ username: 'bob' }), await change({ username: 'bob@example.com' })];
    for (const { status, body } of answers) {
      expect([status, body]).toEqual([
        403,
        { error: { message: 'You may only change your own password.', code: 'forbidden' } },
      ]);
    }
    expect((await signIn(world, { username: 'bob' })).status).toBe(200);
    expect((await change({ username: 'ADA' })).status).toBe(200);
    await world.outbox.nextMail();
  });

  it('once, when two changes with the old one come at once', async () => {
    const second = text(await signIn(world, { username: 'ada' }), 'token');
    const other = { newPassword: 'Other-secret9', confirmPassword: 'Other-secret9' };
    const answers = await Promise.all([change(), change(other, second)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    const winner = answers[0].status === 200 ? newPassword : 'Other-secret9';
    expect((await signIn(world, { username: 'ada', password: winner })).status).toBe(200);
    await world.outbox.nextMail();
  });

  it('never without a session, nor with a set-up token', async () => {
    expect((await change({}, 'made-up')).status).toBe(401);
    await world.service.directory.upsertAccount(account({ username: 'eve', mustSetUpMfa: true }));
    const mfaJWT = text(await signIn(world, { username: 'eve' }), 'mfaJWT');
    expect((await change({ username: 'eve' }, mfaJWT)).status).toBe(401);
  });

  it('not where the account signs in with a provider, whatever password it once had', async () => {
    await world.service.directory.upsertAccount(
      account({ username: 'ada', methods: [{ method: 'google' }] }),
    );
    expect((await change()).body).toMatchObject({ error: { code: 'invalid_credentials' } });
  });
});
