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

  const timeOf = async (username: string): Promise<number> => {
    const start = performance.now();
    await signIn(world, { username, password: 'wrong' });
    return performance.now() - start;
  };

  it('does not tell whether the username exists or has a password', async () => {
    const times: { known: number; unknown: number; google: number }[] = [];
    // In turns: a machine that is busy for a while slows all three, not the one that was measured then.
    for (let round = 0; round < 10; round += 1) {
      times.push({
        known: await timeOf('ada@example.com'),
        unknown: await timeOf('nobody@example.com'),
        google: await timeOf('google@example.com'),
      });
    }
    const fastest = (who: 'known' | 'unknown' | 'google'): number =>
      Math.min(...times.map((time) => time[who]));
    expect(fastest('unknown')).toBeGreaterThan(fastest('known') / 2);
    expect(fastest('google')).toBeGreaterThan(fastest('known') / 2);
  });
});
