/** @jest-environment node */
import { account, signIn, startTestService, type TestService } from './support/testService';

jest.setTimeout(120_000);

/**
 * The work is made so large (tens of milliseconds) that leaving it out for unknown users, which is what this guards
 * against, would divide the time by ten or more; half is far from both.
 */
const costly = { memoryKib: 65_536, passes: 3 };

describe('the time of a refusal', () => {
  let world: TestService;

  beforeAll(async () => {
    world = await startTestService({
      database: { folder: null },
      passwordHash: costly,
      lockout: { attempts: 1000 },
    });
    await world.service.directory.upsertAccount(account());
    await world.service.directory.upsertAccount(
      account({ username: 'google@example.com', methods: [{ method: 'google' }], password: null }),
    );
  });
  afterAll(async () => {
    await world.close();
  });

  const fastest = async (username: string): Promise<number> => {
    const times: number[] = [];
    for (let round = 0; round < 6; round += 1) {
      const start = performance.now();
      await signIn(world, { username, password: 'wrong' });
      times.push(performance.now() - start);
    }
    return Math.min(...times);
  };

  it('does not tell whether the username exists or has a password', async () => {
    const known = await fastest('ada@example.com');
    expect(await fastest('nobody@example.com')).toBeGreaterThan(known / 2);
    expect(await fastest('google@example.com')).toBeGreaterThan(known / 2);
  });
});
