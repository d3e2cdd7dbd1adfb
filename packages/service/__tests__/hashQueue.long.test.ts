/** @jest-environment node */
import { connect } from 'node:net';
import type { ServiceOptions } from '../src/index.ts';
import { callerGone } from '../src/errors.ts';
import { createHashQueue, type HashQueue } from '../src/security/hashQueue.ts';
import { createPasswords, queuedPasswords } from '../src/security/passwords.ts';
import { aNumber } from './support/matchers.ts';
import { account, type Answer, signIn, startTestService, type TestService } from './support/testService.ts';

jest.setTimeout(300_000);

/** Work that the test ends, and a log of what happened. */
function workshop(queue: HashQueue) {
  const begun: string[] = [];
  const over: Record<string, string> = {};
  const ends = new Map<string, () => void>();
  const hangUps = new Map<string, AbortController>();
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  return {
    begun,
    over,
    /** @param name the client and a number: 'a1'. */
    send: (name: string): void => {
      const hangUp = new AbortController();
      hangUps.set(name, hangUp);
      const work = (): Promise<void> => {
        begun.push(name);
        return new Promise((resolve) => ends.set(name, resolve));
      };
      queue.run(name.charAt(0), { gone: hangUp.signal, arrived: performance.now() }, work).then(
        () => (over[name] = 'done'),
        (error: unknown) => (over[name] = String((error as { status?: number }).status)),
      );
    },
    end: async (name: string): Promise<void> => {
      ends.get(name)?.();
      await settled();
    },
    hangUp: async (name: string): Promise<void> => {
      hangUps.get(name)?.abort(callerGone);
      await settled();
    },
    settled,
  };
}

describe('the hash queue', () => {
  it('lets clients take turns, however much one of them has sent', async () => {
    const { send, end, begun, settled } = workshop(createHashQueue({ atOnce: 1, waiting: 10 }));
    ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'].forEach(send);
    await settled();
    for (let done = 0; done < 7; done += 1) await end(begun[done] ?? '');
    expect(begun).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
  });

  it('limits one client to half of the places', async () => {
    const { send, end, begun, settled } = workshop(createHashQueue({ atOnce: 4, waiting: 10 }));
    ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].forEach(send);
    await settled();
    expect(begun).toEqual(['a1', 'a2', 'b1', 'b2']);
    await end('a1');
    expect(begun).toEqual(['a1', 'a2', 'b1', 'b2', 'c1']);
  });

  it('gives a turn ahead to a client that has no place yet', async () => {
    const { send, end, begun, settled } = workshop(createHashQueue({ atOnce: 2, ahead: 1, waiting: 10 }));
    ['a1', 'a2', 'b1', 'c1', 'd1'].forEach(send);
    await settled();
    expect(begun).toEqual(['a1', 'b1', 'c1']);
    await end('b1');
    expect(begun).toEqual(['a1', 'b1', 'c1', 'd1']);
  });

  it('lets the networks of one IPv6 /32 share the turns of one client, and fill the queue as one', async () => {
    const queue = createHashQueue({ atOnce: 1, waiting: 4 });
    const begun: string[] = [];
    const over: string[] = [];
    const ends: (() => void)[] = [];
    const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
    const send = (client: string): void => {
      const work = (): Promise<void> => {
        begun.push(client);
        return new Promise((resolve) => ends.push(resolve));
      };
      const call = { gone: new AbortController().signal, arrived: performance.now() };
      queue.run(client, call, work).catch(() => over.push(client));
    };
    const ofOneNetwork = [1, 2, 3, 4, 5].map((n) => `2001:db8:${n}::/48`);
    [...ofOneNetwork, '2001:db9:1::/48', '203.0.113.1'].forEach(send);
    await settled();
    // Of five one runs; the newcomers take the places of two.
    expect(over).toHaveLength(2);
    for (let done = 0; done < 5; done += 1) {
      ends[done]?.();
      await settled();
    }
    expect(begun.slice(0, 3)).toEqual(['2001:db8:1::/48', '2001:db9:1::/48', '203.0.113.1']);
    expect(begun).toHaveLength(5);
  });

  it('when full, rejects the last request of the longest line, not of a new client', async () => {
    const { send, over, settled, end, begun } = workshop(createHashQueue({ atOnce: 1, waiting: 3 }));
    ['a1', 'a2', 'a3', 'a4', 'a5', 'b1'].forEach(send);
    await settled();
    expect(over).toEqual({ a5: '503', a4: '503' });
    for (let done = 0; done < 4; done += 1) await end(begun[done] ?? '');
    expect(begun).toEqual(['a1', 'b1', 'a2', 'a3']);
  });

  it('rejects the new request if the lines are equally long', async () => {
    const { send, over, settled } = workshop(createHashQueue({ atOnce: 1, waiting: 2 }));
    ['a1', 'b1', 'c1', 'd1'].forEach(send);
    await settled();
    expect(over).toEqual({ d1: '503' });
  });

  it('refuses what has waited for 6 s: nginx would soon ask another process', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    const queue = createHashQueue({ atOnce: 1, waiting: 10 });
    const { send, end, begun, over, settled } = workshop(queue);
    ['a1', 'b1'].forEach(send);
    await jest.advanceTimersByTimeAsync(5_000);
    send('c1');
    await jest.advanceTimersByTimeAsync(1_000);
    jest.useRealTimers();
    await settled();
    expect(over).toEqual({ b1: '503' });
    await end('a1');
    expect(begun).toEqual(['a1', 'c1']);
    expect(queue.load()).toEqual({ running: 1, waiting: 0 });
  });

  it('refuses a call that waits for its second turn 6 s after it came', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    const queue = createHashQueue({ atOnce: 1, waiting: 10 });
    const { send, end, settled } = workshop(queue);
    const call = { gone: new AbortController().signal, arrived: performance.now() };
    const signIn = async () => {
      await queue.run('c', call, () => Promise.resolve());
      send('b1');
      await settled();
      await queue.run('c', call, () => Promise.resolve());
    };
    send('a1');
    const outcome = signIn().catch((error: unknown) => (error as { status?: number }).status);
    await jest.advanceTimersByTimeAsync(4_000);
    await end('a1');
    await jest.advanceTimersByTimeAsync(2_000);
    await end('b1');
    jest.useRealTimers();
    expect(await outcome).toBe(503);
  });

  it('drops queued work of an aborted call, and frees its place', async () => {
    const { send, hangUp, end, begun, over } = workshop(createHashQueue({ atOnce: 1, waiting: 2 }));
    ['a1', 'a2', 'a3'].forEach(send);
    await hangUp('a2');
    expect(over).toEqual({ a2: '499' });
    send('a4');
    for (let done = 0; done < 3; done += 1) await end(begun[done] ?? '');
    expect(begun).toEqual(['a1', 'a3', 'a4']);
    expect(over).toEqual({ a1: 'done', a2: '499', a3: 'done', a4: 'done' });
  });

  it('finishes started work, and accepts none of an aborted call', async () => {
    const queue = createHashQueue({ atOnce: 1, waiting: 2 });
    const { send, hangUp, end, over, settled } = workshop(queue);
    send('a1');
    await settled();
    await hangUp('a1');
    expect(over).toEqual({});
    await end('a1');
    expect(over).toEqual({ a1: 'done' });
    await expect(
      queue.run('a', { gone: AbortSignal.abort(callerGone), arrived: performance.now() }, () =>
        Promise.resolve(),
      ),
    ).rejects.toMatchObject({
      status: 499,
    });
  });

  it('continues after work that fails', async () => {
    const call = { gone: new AbortController().signal, arrived: performance.now() };
    const queue = createHashQueue({ atOnce: 1, waiting: 2 });
    const failing = queue.run('a', call, () => Promise.reject(new Error('broken')));
    await expect(failing).rejects.toThrow('broken');
    await expect(queue.run('a', call, () => Promise.resolve('on'))).resolves.toBe('on');
  });
});

it('a new password is not hashed for a caller who hung up meanwhile, and may be with another process', async () => {
  const hangUp = new AbortController();
  const hashing = {
    ...(await createPasswords({ memoryKib: 1024, passes: 1, atOnce: 1 })),
    hash: () => {
      hangUp.abort(callerGone);
      return Promise.resolve('hash');
    },
  };
  const { hash } = queuedPasswords(hashing, (work) => work(), hangUp.signal);
  await expect(hash('Correct-horse7')).rejects.toBe(callerGone);
});

describe('a flood of token calls from one address, each aborted', () => {
  /** As in production: limits per address, the cost of a hash, the length of the queue. */
  const asInProduction = { rateLimit: {}, passwordHash: {} };
  /** A hash takes long enough for what the test does in the meantime. */
  const costly = { passes: 6 };
  const behindProxy = { database: { folder: null }, trustedProxies: ['127.0.0.1'] };
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

  /** Sixty token calls with wrong passwords, each on its own socket; resolves once they are sent. */
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
  ])('lets another address sign in within twice its idle time, %s', async (_what, options) => {
    await start(options);
    const ada = async (): Promise<number> => {
      const begin = performance.now();
      expect((await signInFrom('203.0.113.1', 'ada@example.com')).status).toBe(200);
      return performance.now() - begin;
    };
    /**
     * Beside one sign-in of another client. With a free processor this is as fast as alone; without one, two hashes share
     * it, as they do while a hash of the flood is running, and no queue can help that.
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
    // Alternating: a machine that is busy for a while slows both.
    for (let round = 0; round < 7; round += 1) {
      quiet.push(await adaInPeace());
      // A different address each time, which has not reached its limit, and accounts for which the lockout does not skip the hash.
      const hangUp = await flood(`198.51.100.${round}`, (call) => `${call}@${round}.example.com`);
      flooded.push(await ada());
      hangUp();
      // What has started ends before the next idle measurement.
      await ada();
    }
    // The fastest of each: other work on the machine only ever adds time, and a flood that is not held back slows every round.
    expect(Math.min(...flooded)).toBeLessThan(2 * Math.min(...quiet));
  });

  it('costs no hash and no attempt for aborted calls, and each is logged', async () => {
    await start({ rateLimit: 'off', passwordHash: costly });
    const begun = world.nextClockRead();
    const hangUp = await flood('198.51.100.1', () => 'ada@example.com');
    await begun;
    hangUp();
    // Sixty wrong passwords, of which fewer were checked than the five that lock.
    expect((await signInFrom('203.0.113.1', 'ada@example.com')).status).toBe(200);
    expect(abortedCalls()).toHaveLength(60);
    expect(world.log.entries().filter(({ event }) => event === 'call')).toHaveLength(1);
    expect(abortedCalls()[0]).toEqual({
      level: 'info',
      event: 'call aborted',
      fields: { call: 'POST /auth/v1/token', milliseconds: aNumber },
    });
  });

  it('is answered 503 beyond the queue, with Retry-After and without counting an attempt', async () => {
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

  it('from seventy networks does not slow down a sign-in from a network that the account knows', async () => {
    await start({ rateLimit: 'off', passwordHash: { memoryKib: 65_536, passes: 3 } });
    const ada = async (): Promise<number> => {
      const begin = performance.now();
      expect((await signInFrom('203.0.113.1', 'ada@example.com')).status).toBe(200);
      return performance.now() - begin;
    };
    const quiet: number[] = [];
    for (let round = 0; round < 4; round += 1) {
      // Beside one sign-in of another client, as in the flood beside one hash at least.
      const other = signInFrom('203.0.113.2', 'bob@example.com');
      quiet.push(await ada());
      await other;
    }
    const guesses = Array.from({ length: 140 }, (_unused, call) =>
      signInFrom(`198.51.100.${String(call % 70)}`, `${String(call)}@example.com`, 'wrong'),
    );
    const refused = signInFrom('203.0.113.9', 'ada@example.com');
    const flooded = [await ada(), await ada(), await ada(), await ada()];
    // The fastest of each: other work on the machine only ever adds time.
    expect(Math.min(...flooded)).toBeLessThan(2 * Math.min(...quiet));
    // Sent before them from an unknown network: it waits its turn, or is refused.
    expect([200, 503]).toContain((await refused).status);
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 503).length).toBeGreaterThan(60);
  });

  it('does not include ten concurrent sign-ins from one household', async () => {
    await start(asInProduction);
    const household = Array.from({ length: 10 }, (_unused, person) =>
      signInFrom('198.51.100.1', person % 2 === 0 ? 'ada@example.com' : 'bob@example.com'),
    );
    const statuses = (await Promise.all(household)).map(({ status }) => status);
    expect(statuses).toEqual(Array(10).fill(200));
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
});

describe('the response time of a rejection', () => {
  /**
   * The work is made so large (tens of milliseconds) that leaving it out for unknown users, which is what this guards
   * against, would divide the time by ten or more; half is far from both.
   */
  const costly = { memoryKib: 65_536, passes: 3 };
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
  afterAll(() => world.close());

  const timeOf = async (username: string): Promise<number> => {
    const start = performance.now();
    await signIn(world, { username, password: 'wrong' });
    return performance.now() - start;
  };

  it('does not reveal whether the username exists or has a password', async () => {
    const times: { known: number; unknown: number; google: number }[] = [];
    // Alternating: a machine that is busy for a while slows all three.
    for (let round = 0; round < 10; round += 1) {
      times.push({
        known: await timeOf('ada@example.com'),
        unknown: await timeOf('unknown@example.com'),
        google: await timeOf('google@example.com'),
      });
    }
    const fastest = (who: 'known' | 'unknown' | 'google'): number =>
      Math.min(...times.map((time) => time[who]));
    expect(fastest('unknown')).toBeGreaterThan(fastest('known') / 2);
    expect(fastest('google')).toBeGreaterThan(fastest('known') / 2);
  });
});
