import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { ServiceOptions } from '../src/index.ts';
import { aNumber } from './support/matchers.ts';
import { newDatabase, withClient } from './support/postgres.ts';
import { at, startTestService, type TestService } from './support/testService.ts';

jest.setTimeout(300_000);

interface Flood {
  /** How many of its calls were refused after a hash. */
  readonly hashed: () => number;
  readonly hangUp: () => void;
}

describe('a flood of token calls from one address', () => {
  /** As in production: limits per address, the cost of a hash, the length of the queue. */
  const asInProduction = { rateLimit: {}, passwordHash: {} };
  /** A hash takes long enough for what the test does in the meantime. */
  const costly = { passes: 6 };
  const behindProxy = { database: { folder: null }, trustedProxies: ['127.0.0.1'] };
  let service: TestService;
  let close: () => Promise<void> = () => Promise.resolve();

  const start = async (options: Partial<ServiceOptions>): Promise<void> => {
    service = await startTestService({ ...behindProxy, ...options });
    close = service.close;
    await service.write();
    await service.write({ username: 'bob@example.com' });
  };
  afterEach(async () => {
    await close();
  });

  const signInFrom = (address: string, username: string, password?: string) =>
    at(service, address).signIn({ username, ...(password === undefined ? {} : { password }) });

  /** Sixty token calls with wrong passwords, each on its own socket; resolves once they are sent. */
  const flood = async (address: string, username: (call: number) => string): Promise<Flood> => {
    let hashed = 0;
    const sockets = Array.from({ length: 60 }, () => connect(Number(new URL(service.url).port), '127.0.0.1'));
    const sent = sockets.map((socket, call) => {
      socket
        .on('error', () => undefined)
        .on('data', (response) => {
          if (response.toString('latin1').startsWith('HTTP/1.1 401')) hashed += 1;
        });
      const body = JSON.stringify({ username: username(call), method: 'basic', password: 'wrong' });
      return new Promise((resolve) => socket.write(rawTokenCall(address, body), resolve));
    });
    await Promise.all(sent);
    return {
      hashed: () => hashed,
      hangUp: () => {
        for (const socket of sockets) socket.destroy();
      },
    };
  };

  const abortedCalls = () => service.log.entries().filter(({ event }) => event === 'call aborted');

  it.each([
    ['with the limits of production', asInProduction],
    ['by the queue alone', { ...asInProduction, rateLimit: 'off' as const }],
  ])('keeps another address waiting for a few of its hashes only, %s', async (_what, options) => {
    await start(options);
    // A different account for each call, so that the lockout skips no hash.
    const { hashed, hangUp } = await flood('198.51.100.1', (call) => `${call}@example.com`);
    const before = hashed();
    expect((await signInFrom('203.0.113.1', 'ada@example.com')).status).toBe(200);
    // Two hashes of the flood run at once; in the order of arrival the sign-in waits for up to sixty.
    expect(hashed() - before).toBeLessThan(10);
    hangUp();
  });

  it('costs no hash and no attempt for aborted calls, and each is logged', async () => {
    await start({ rateLimit: 'off', passwordHash: costly });
    const begun = service.nextClockRead();
    const { hangUp } = await flood('198.51.100.1', () => 'ada@example.com');
    await begun;
    hangUp();
    // Sixty wrong passwords, of which fewer were checked than the five that lock.
    expect((await signInFrom('203.0.113.1', 'ada@example.com')).status).toBe(200);
    expect(abortedCalls()).toHaveLength(60);
    expect(service.log.entries().filter(({ event }) => event === 'call')).toHaveLength(1);
    expect(abortedCalls()[0]).toEqual({
      level: 'info',
      event: 'call aborted',
      fields: { call: 'POST /auth/v1/token', id: expect.any(String) as string, milliseconds: aNumber },
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

  it('from seventy networks does not keep a known network waiting: a few hashes end before its sign-in, and not all', async () => {
    await start({ rateLimit: 'off', passwordHash: { memoryKib: 65_536, passes: 3 } });
    const ada = async (): Promise<void> => {
      expect((await signInFrom('203.0.113.1', 'ada@example.com')).status).toBe(200);
    };
    await ada();
    let hashed = 0;
    const guesses = Array.from({ length: 140 }, async (_unused, call) => {
      const { status } = await signInFrom(`198.51.100.${call % 70}`, `${call}@example.com`, 'wrong');
      if (status === 401) hashed += 1;
    });
    // The queue is full from here on: what exceeds it is refused at once.
    await Promise.race(guesses);
    const waits: number[] = [];
    for (let round = 0; round < 4; round += 1) {
      const before = hashed;
      await ada();
      waits.push(hashed - before);
    }
    // Two hashes of the flood run at once; in its own turn a stranger would wait for more than fifty.
    expect(Math.min(...waits)).toBeLessThan(10);
    await Promise.all(guesses);
  });

  it('from seventy networks is answered 503 but for those that run, two hashes and two ahead of them, and the 64 that wait', async () => {
    const url = await newDatabase();
    await start({ database: { url }, rateLimit: 'off', passwordHash: { atOnce: 2 } });
    let refused = 0;
    const guess = async (call: number): Promise<void> => {
      const { status } = await signInFrom(`198.51.100.${call % 70}`, `${call}@example.com`, 'wrong');
      if (status === 503) refused += 1;
    };
    const guesses = await withClient(url, async (client) => {
      // No attempt can be counted: what runs does not end.
      await client.query('begin; lock table sign_in_attempts in share mode');
      const sent = Array.from({ length: 140 }, (_unused, call) => guess(call));
      while (refused < 140 - 4 - 64) await pause(10);
      const scrape = await service.service.metrics.metrics();
      expect(scrape).toContain('vestibule_hash_queue{state="running"} 4\n');
      expect(scrape).toContain('vestibule_hash_queue{state="waiting"} 64\n');
      expect(refused).toBe(72);
      return sent;
    });
    await Promise.all(guesses);
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
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService({ passwordHash: costly, lockout: { attempts: 1000 } });
    await service.write();
    await service.write({ username: 'google@example.com', methods: [{ method: 'google' }], password: null });
  });
  afterAll(() => service.close());

  const timeOf = async (username: string): Promise<number> => {
    const start = performance.now();
    await service.signIn({ username, password: 'wrong' });
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
    const fastest = (who: 'known' | 'unknown' | 'google') => Math.min(...times.map((time) => time[who]));
    expect(fastest('unknown')).toBeGreaterThan(fastest('known') / 2);
    expect(fastest('google')).toBeGreaterThan(fastest('known') / 2);
  });
});
