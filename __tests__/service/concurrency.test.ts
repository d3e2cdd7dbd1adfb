/** @jest-environment node */
import { emptyDatabase, ownPostgres, withClient } from './support/postgres';
import { app, challengeOf, codeOfApp, enterCode, sms } from './support/secondStep';
import { account, signIn, startTestService, text, type TestService } from './support/testService';
import { anObjectWith, aString } from './support/matchers';

jest.setTimeout(120_000);

describe('two instances of the service on one PostgreSQL', () => {
  let url: string;
  let one: TestService;
  let other: TestService;

  beforeAll(async () => {
    url = await emptyDatabase();
    // Together, on an empty database: both want to migrate and to create the first signing key.
    [one, other] = await Promise.all([
      startTestService({ database: { url } }),
      startTestService({ database: { url } }),
    ]);
  });
  afterAll(async () => {
    await Promise.all([one.close(), other.close()]);
  });
  beforeEach(async () => {
    await one.service.directory.resetAll();
    await one.service.directory.upsertAccount(account());
  });

  const both = <Result>(times: number, call: (world: TestService) => Promise<Result>): Promise<Result[]> =>
    Promise.all(Array.from({ length: times }, (_unused, index) => call(index % 2 === 0 ? one : other)));

  it('start together with one and the same signing key', async () => {
    const [keys, otherKeys] = await both(2, (world) => world.get('/.well-known/jwks.json'));
    expect(keys?.text).toBe(otherKeys?.text);
    expect(JSON.parse(keys?.text ?? '')).toEqual({ keys: [anObjectWith({ alg: 'ES256' })] });
  });

  it('give twenty refreshes of one token at once one and the same successor', async () => {
    const refresh = text(await signIn(one), 'refresh');
    const answers = await both(20, (world) => world.post('/auth/v1/refresh', { refresh }));
    expect(answers.map((answer) => answer.status)).toEqual(Array(20).fill(200));
    const successors = new Set(answers.map((answer) => text(answer, 'refresh')));
    expect(successors.size).toBe(1);
    const [successor = ''] = successors;
    expect((await other.post('/auth/v1/refresh', { refresh: successor })).status).toBe(200);
  });

  it('end a session once and for all when a dead token comes back while the living one is refreshed', async () => {
    const dead = text(await signIn(one), 'refresh');
    let living = text(await one.post('/auth/v1/refresh', { refresh: dead }), 'refresh');
    one.passSeconds(11);
    other.passSeconds(11);
    const answers = await Promise.all([
      one.post('/auth/v1/refresh', { refresh: living }),
      other.post('/auth/v1/refresh', { refresh: dead }),
      one.post('/auth/v1/refresh', { refresh: dead }),
    ]);
    expect(answers.slice(1).map((answer) => answer.status)).toEqual([401, 401]);
    living = answers[0].status === 200 ? text(answers[0], 'refresh') : living;
    expect((await other.post('/auth/v1/refresh', { refresh: living })).status).toBe(401);
  });

  it('check no more than five passwords of a burst of wrong ones between them', async () => {
    const answers = await both(40, (world) => signIn(world, { password: 'wrong' }));
    const count = (status: number): number => answers.filter((answer) => answer.status === status).length;
    expect({ refused: count(401), locked: count(429) }).toEqual({ refused: 4, locked: 36 });
  });

  it('take a code of a second step at one of them only', async () => {
    await one.service.directory.upsertAccount(account({ mfa: app }));
    const challenges = await both(4, challengeOf);
    const code = await codeOfApp(one);
    const answers = await Promise.all(
      challenges.map((challenge, index) => enterCode(index % 2 === 0 ? one : other, challenge, code)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('send no more text messages between them than one may', async () => {
    await one.service.directory.upsertAccount(account({ mfa: sms }));
    const authVerificationToken = await challengeOf(one);
    const resend = { username: 'ada@example.com', method: 'basic', authVerificationToken };
    const answers = await both(13, (world) => world.post('/auth/v1/token', resend));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(9);
    expect([...one.outbox.texts(), ...other.outbox.texts()]).toHaveLength(10);
  });

  it('write one account when it is created at both at once', async () => {
    const accounts = await both(6, (world) =>
      world.service.directory.ensureAccount(account({ username: 'new@example.com' })),
    );
    expect(new Set(accounts.map(({ uid }) => uid)).size).toBe(1);
  });

  it('go on when PostgreSQL drops their connections', async () => {
    await both(8, (world) => world.get('/health'));
    const { rowCount } = await withClient(url, (client) =>
      client.query(`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`),
    );
    // Each dropped connection can fail one call at most: the one that finds out.
    let answer = await signIn(one);
    for (let failed = 1; answer.status !== 200 && failed <= (rowCount ?? 0); failed += 1) {
      expect([answer.status, answer.body]).toEqual([
        500,
        { error: { message: aString, code: 'unexpected' } },
      ]);
      answer = await signIn(one);
    }
    expect(answer.status).toBe(200);
  });
});

it('says that something went wrong on its side while PostgreSQL is away, and nothing more', async () => {
  const server = await ownPostgres();
  const world = await startTestService({ database: { url: server.url } });
  await server.stop();
  const answer = await signIn(world);
  await world.close();
  expect([answer.status, answer.body]).toEqual([
    500,
    { error: { message: 'Something went wrong on our side.', code: 'unexpected' } },
  ]);
});
