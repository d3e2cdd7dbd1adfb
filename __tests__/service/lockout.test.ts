/** @jest-environment node */
import { bothDatabases } from './support/bothDatabases';
import { account, signIn, startTestService, type Answer, type TestService } from './support/testService';

jest.setTimeout(120_000);

const lockedFor15Minutes = {
  error: {
    message: 'Too many failed login attempts. Please try again in 15 minutes.',
    code: 'too_many_failed_attempts',
  },
};

describe.each(bothDatabases)('the lockout of a username, on $name', ({ open }) => {
  let world: TestService;
  let closeDatabase: () => Promise<void>;

  const fail = async (times: number, username = 'ada@example.com'): Promise<Answer> => {
    let last = await signIn(world, { username, password: 'wrong' });
    for (let done = 1; done < times; done += 1) last = await signIn(world, { username, password: 'wrong' });
    return last;
  };

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

  it('comes with the fifth failure, and says how long to wait', async () => {
    expect((await fail(4)).status).toBe(401);
    const answer = await fail(1);
    expect([answer.status, answer.body]).toEqual([429, lockedFor15Minutes]);
    expect(answer.headers.get('retry-after')).toBe('900');
  });

  it('refuses the right password too while it lasts, and counts down', async () => {
    await fail(5);
    world.passSeconds(14 * 60 + 1);
    const answer = await signIn(world);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '59']);
    expect(answer.body).toEqual({
      error: {
        message: 'Too many failed login attempts. Please try again in 1 minute.',
        code: 'too_many_failed_attempts',
      },
    });
  });

  it('ends by itself after 15 minutes, also when someone went on trying', async () => {
    await fail(5);
    world.passSeconds(600);
    await fail(20);
    world.passSeconds(300);
    expect((await signIn(world)).status).toBe(200);
  });

  it('gives five new tries after it has ended', async () => {
    await fail(5);
    world.passSeconds(900);
    expect((await fail(4)).status).toBe(401);
    expect((await fail(1)).status).toBe(429);
  });

  it('forgets failures once the right password was entered', async () => {
    await fail(4);
    expect((await signIn(world)).status).toBe(200);
    expect((await fail(4)).status).toBe(401);
  });

  it('forgets failures that are older than 15 minutes', async () => {
    await fail(4);
    world.passSeconds(900);
    expect((await fail(4)).status).toBe(401);
  });

  it('counts the spellings of one username together', async () => {
    await fail(2, 'ada@example.com');
    await fail(2, ' ADA@example.com');
    expect((await fail(1, 'Ada@Example.com ')).status).toBe(429);
  });

  it('locks an unknown username just the same, so that it does not tell who exists', async () => {
    const known = await fail(5);
    const unknown = await fail(5, 'nobody@example.com');
    expect([unknown.status, unknown.body]).toEqual([known.status, known.body]);
  });

  it('leaves other people alone', async () => {
    await world.service.directory.upsertAccount(account({ username: 'bob@example.com' }));
    await fail(5);
    expect((await signIn(world, { username: 'bob@example.com' })).status).toBe(200);
  });

  it('can be set and lifted by an administrator', async () => {
    await world.service.directory.lock('ada@example.com');
    expect((await signIn(world)).body).toEqual(lockedFor15Minutes);
    await world.service.directory.unlock('ada@example.com');
    expect((await signIn(world)).status).toBe(200);

    await fail(5);
    await fail(5, 'bob@example.com');
    await world.service.directory.unlock();
    expect((await signIn(world)).status).toBe(200);
    expect((await fail(1, 'bob@example.com')).status).toBe(401);
  });

  it('lets no more than five of a burst of guesses be checked', async () => {
    const answers = await Promise.all(Array.from({ length: 30 }, () => signIn(world, { password: 'wrong' })));
    const count = (status: number): number => answers.filter((answer) => answer.status === status).length;
    expect({ refused: count(401), locked: count(429) }).toEqual({ refused: 4, locked: 26 });
  });
});
