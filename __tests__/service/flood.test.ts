/** @jest-environment node */
import { connect } from 'node:net';
import type { ServiceOptions } from '../../service';
import { account, signIn, startTestService, type Answer, type TestService } from './support/testService';
import { aNumber } from './support/matchers';

jest.setTimeout(300_000);

/** What production has: limits per address, the cost of a hash, the length of the queue. */
const asInProduction = { rateLimit: {}, passwordHash: {} };
/** A hash takes long enough for what the test does meanwhile. */
const costly = { passes: 6 };
const behindProxy = { database: { folder: null }, trustedProxies: ['127.0.0.1'] };

describe('a flood of token calls from one address, each hung up', () => {
  let world: TestService;
  let close: () => Promise<void> = () => Promise.resolve();

  const start = async (options: Partial<ServiceOptions>): Promise<void> => {
    world = await startTestService({ ...behindProxy, ...options });
    close = world.close;
    await world.service.directory.upsertAccount(account());
    await world.service.directory.upsertAccount(account({ username: 'bob@example.com' }));
  };
  afterEach(async () => {
    await close();
  });

  const signInFrom = (address: string, username: string, password?: string): Promise<Answer> =>
    signIn(
      {
        post: (path, body) => world.post(path, body, { headers: { 'X-Forwarded-For': address } }),
      },
      { username, ...(password === undefined ? {} : { password }) },
    );

  /** Sixty token calls with wrong passwords, each on a socket of its own; resolves once they are on their way. */
  const flood = async (address: string, username: (call: number) => string): Promise<() => void> => {
    const sockets = Array.from({ length: 60 }, () => connect(Number(new URL(world.url).port), '127.0.0.1'));
    const hangUp = (): void => {
      for (const socket of sockets) socket.destroy();
    };
    const sent = sockets.map((socket, call) => {
      socket.on('error', () => undefined).on('data', () => undefined);
      const body = JSON.stringify({ username: username(call), method: 'basic', password: 'wrong' });
      return new Promise((resolve) => socket.write(rawTokenCall(address, body), resolve));
    });
    await Promise.all(sent);
    setTimeout(hangUp, 300);
    return hangUp;
  };

  const abortedCalls = () => world.log.entries().filter(({ event }) => event === 'call aborted');

  it.each([
    ['with the limits of production', asInProduction],
    ['by the queue alone', { ...asInProduction, rateLimit: 'off' as const }],
  ])('lets another address sign in within twice its quiet time, %s', async (_what, options) => {
    await start(options);
    const ada = async (): Promise<number> => {
      const begin = performance.now();
      expect((await signInFrom('203.0.113.1', 'ada@example.com')).status).toBe(200);
      return performance.now() - begin;
    };
    /**
     * Beside one sign-in of somebody else. Where a processor is free this is as quick as alone; where none is, two
     * hashes share one, as they do while a hash of the flood is under way, and no queue can help that.
     */
    const adaInPeace = async (): Promise<number> => {
      const other = signInFrom('203.0.113.2', 'bob@example.com');
      const time = await ada();
      await other;
      return time;
    };
    await adaInPeace();
    const quiet: number[] = [];
    const flooded: number[] = [];
    // In turns: a machine that is busy for a while slows both.
    for (let round = 0; round < 7; round += 1) {
      quiet.push(await adaInPeace());
      // Another address each time, which the limit has not met yet, and accounts that no lockout spares the hash.
      const hangUp = await flood(`198.51.100.${round}`, (call) => `${call}@${round}.example.com`);
      flooded.push(await ada());
      hangUp();
      // What had begun ends before the next quiet time.
      await ada();
    }
    expect(median(flooded)).toBeLessThan(2 * median(quiet));
  });

  it('costs no hash and no attempt for the callers who are gone, and each is logged', async () => {
    await start({ rateLimit: 'off', passwordHash: costly });
    const begun = world.nextLookAtTheClock();
    const hangUp = await flood('198.51.100.1', () => 'ada@example.com');
    await begun;
    hangUp();
    // Sixty wrong passwords, of which those that were checked are fewer than the five that lock.
    expect((await signInFrom('203.0.113.1', 'ada@example.com')).status).toBe(200);
    expect(abortedCalls()).toHaveLength(60);
    expect(world.log.entries().filter(({ event }) => event === 'call')).toHaveLength(1);
    expect(abortedCalls()[0]).toEqual({
      level: 'info',
      event: 'call aborted',
      fields: { call: 'POST /auth/v1/token', milliseconds: aNumber },
    });
  });

  it('is refused 503 beyond the queue, with the time to wait and without counting an attempt', async () => {
    await start({ rateLimit: 'off', passwordHash: { ...costly, waiting: 1 } });
    const guesses = Array.from({ length: 12 }, () => signInFrom('198.51.100.1', 'ada@example.com', 'wrong'));
    const refused = (await Promise.all(guesses)).filter(({ status }) => status === 503);
    expect(refused.length).toBeGreaterThanOrEqual(8);
    expect(refused[0]?.headers.get('retry-after')).toBe('5');
    expect(refused[0]?.body).toEqual({
      error: { message: 'The service is busy. Please try again in a few seconds.', code: 'unavailable' },
    });
    expect((await signInFrom('203.0.113.1', 'ada@example.com')).status).toBe(200);
  });

  it('is not what a household does: ten sign-ins at once from one address', async () => {
    await start(asInProduction);
    const household = Array.from({ length: 10 }, (_unused, person) =>
      signInFrom('198.51.100.1', person % 2 === 0 ? 'ada@example.com' : 'bob@example.com'),
    );
    const statuses = (await Promise.all(household)).map(({ status }) => status);
    expect(statuses).toEqual(Array(10).fill(200));
  });
});

/** As text, because sixty clients of Node's own would keep the processor busy that the service is measured on. */
function rawTokenCall(address: string, body: string): string {
  const lines = [
    'POST /auth/v1/token HTTP/1.1',
    'Host: api.payments.test',
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    `X-Forwarded-For: ${address}`,
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}
