/** @jest-environment node */
import * as fc from 'fast-check';
import type { CookieJar } from '../src/cookies';
import { createLease, createLocks, leaseMs, type Lease, type OnLeave } from '../src/lease';
import { createFakeCookieJar, type FakeCookieJar } from './support/fakeCookieJar';

/** A page that can be left. */
function openPage() {
  const listeners = new Set<() => void>();
  const onLeave: OnLeave = (listener) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  return { onLeave, listeners, leave: () => [...listeners].forEach((listener) => listener()) };
}

describe('a web lock', () => {
  type Granted = (lock: Lock | null) => Promise<unknown>;

  /** The used part of the Web Locks API, with the names that are currently held. */
  function lockManager() {
    const held = new Set<string>();
    const asked: unknown[] = [];
    const request = async (name: string, options: LockOptions, granted: Granted) => {
      asked.push(options);
      await Promise.resolve();
      if (held.has(name)) return granted(null);
      held.add(name);
      try {
        return await granted({ name, mode: 'exclusive' });
      } finally {
        held.delete(name);
      }
    };
    return { manager: { request } as unknown as LockManager, held, asked };
  }

  const refusing = (error: Error) => ({ request: () => Promise.reject(error) }) as unknown as LockManager;
  const freeLease: Lease = async (_name, work) => ({ held: true, value: await work() });
  const done = () => Promise.resolve('done');
  const name = 'payments-test-refresh';

  it('runs the work under an exclusive lock, requested without waiting and never stolen', async () => {
    const { manager, held, asked } = lockManager();
    const locks = createLocks(manager, openPage().onLeave, freeLease);
    const outcome = await locks.tryRun(name, () => Promise.resolve([...held]));
    expect(outcome).toEqual({ held: true, value: [name] });
    expect(asked).toEqual([{ ifAvailable: true }]);
    expect(held.size).toBe(0);
  });

  it('returns at once while another tab works, and starts nothing', async () => {
    const { manager } = lockManager();
    const [one, other] = [openPage(), openPage()].map(({ onLeave }) =>
      createLocks(manager, onLeave, freeLease),
    );
    const ends: ((value: string) => void)[] = [];
    const first = one?.tryRun(name, () => new Promise<string>((resolve) => ends.push(resolve)));
    const work = jest.fn(done);
    await expect(other?.tryRun(name, work)).resolves.toEqual({ held: false });
    expect(work).not.toHaveBeenCalled();
    ends[0]?.('done');
    await expect(first).resolves.toEqual({ held: true, value: 'done' });
    await expect(other?.tryRun(name, work)).resolves.toEqual({ held: true, value: 'done' });
  });

  it('is released when the page is left although the work continues, and the work’s value is still returned', async () => {
    const { manager, held } = lockManager();
    const page = openPage();
    const ends: ((value: string) => void)[] = [];
    const outcome = createLocks(manager, page.onLeave, freeLease).tryRun(
      name,
      () => new Promise<string>((resolve) => ends.push(resolve)),
    );
    await new Promise(process.nextTick);
    expect(held.size).toBe(1);
    page.leave();
    await new Promise(process.nextTick);
    expect(held.size).toBe(0);
    ends[0]?.('done');
    await expect(outcome).resolves.toEqual({ held: true, value: 'done' });
    expect(page.listeners.size).toBe(0);
  });

  it.each<[string, () => Promise<never>]>([
    ['rejects', () => Promise.reject(new Error('broke'))],
    [
      'throws',
      () => {
        throw new Error('broke');
      },
    ],
  ])('is released when the work %s, and the failure is passed on', async (_how, work) => {
    const { manager, held } = lockManager();
    const page = openPage();
    await expect(createLocks(manager, page.onLeave, freeLease).tryRun(name, work)).rejects.toThrow('broke');
    expect(held.size).toBe(0);
    expect(page.listeners.size).toBe(0);
  });

  it('does not run the work while a page of another origin holds the lease', async () => {
    const { manager, held } = lockManager();
    const work = jest.fn(done);
    const locks = createLocks(manager, openPage().onLeave, () => Promise.resolve({ held: false }));
    await expect(locks.tryRun(name, work)).resolves.toEqual({ held: false });
    expect(work).not.toHaveBeenCalled();
    expect(held.size).toBe(0);
  });

  describe('leaves it to the lease', () => {
    const lease = jest.fn<ReturnType<Lease>, Parameters<Lease>>(async (_name, work) => ({
      held: true,
      value: await work(),
    }));
    beforeEach(() => lease.mockClear());

    it('if the browser has no locks', async () => {
      const outcome = await createLocks(undefined, openPage().onLeave, lease as Lease).tryRun(name, done);
      expect(outcome).toEqual({ held: true, value: 'done' });
      expect(lease).toHaveBeenCalledWith(name, done);
    });

    it('if it refuses them, as in a frame whose storage is blocked', async () => {
      const work = jest.fn(done);
      const manager = refusing(new DOMException('access denied', 'SecurityError'));
      await createLocks(manager, openPage().onLeave, lease as Lease).tryRun(name, work);
      expect(lease).toHaveBeenCalledTimes(1);
      expect(work).toHaveBeenCalledTimes(1);
    });

    it('but not when the lock is lost during the work, which is not run twice', async () => {
      const work = jest.fn(done);
      const manager = {
        request: async (_name: string, _options: LockOptions, granted: Granted) => {
          await granted({ name, mode: 'exclusive' });
          throw new DOMException('stolen', 'AbortError');
        },
      } as unknown as LockManager;
      const outcome = await createLocks(manager, openPage().onLeave, lease as Lease).tryRun(name, work);
      expect(outcome).toEqual({ held: true, value: 'done' });
      expect(work).toHaveBeenCalledTimes(1);
      expect(lease).toHaveBeenCalledTimes(1);
    });
  });
});

describe('a lease', () => {
  const name = 'payments-test-refresh';
  const cookie = `${name}-lease`;
  const now = Date.UTC(2026, 0, 1);
  const done = { held: true, value: 'done' };

  let ids = 0;

  /** One tab of a browser without locks; `wait` is its random number from [0, 1) for each wait. */
  function tabOn(cookies: CookieJar, wait = 0.5) {
    const page = openPage();
    let isId = false;
    const lease = createLease(
      cookies,
      {
        now: () => Date.now(),
        monotonic: () => Date.now(),
        pause: (ms) => new Promise((resolve) => void setTimeout(resolve, ms)),
      },
      page.onLeave,
      () => {
        isId = !isId;
        return isId ? 1 / (ids += 1) : wait;
      },
    );
    return { page, lease };
  }

  const takes = (ms: number) => () =>
    new Promise<string>(
      (resolve) =>
        void setTimeout(() => {
          resolve('done');
        }, ms),
    );

  beforeEach(() => {
    jest.useFakeTimers({ now });
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  it('runs the work after 50 to 150 ms, and removes its cookie', async () => {
    const jar = createFakeCookieJar();
    const work = jest.fn(takes(0));
    const outcome = tabOn(jar, 0).lease(name, work);
    await jest.advanceTimersByTimeAsync(49);
    expect(work).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(2);
    await expect(outcome).resolves.toEqual(done);
    expect(jar.names()).toEqual([]);
  });

  /** How long a write of one process may be invisible to a read in another, ms. */
  const lagMs = 30;

  /** The cookies as seen by several processes: a tab that reads within the lag after a write finds none. */
  function seenFromAfar(jar: FakeCookieJar): () => CookieJar {
    let writtenAt = -Infinity;
    return () => {
      let reads = 0;
      return {
        ...jar,
        readAll: (cookieName) => {
          reads += 1;
          return reads === 1 && Date.now() - writtenAt < lagMs ? [] : jar.readAll(cookieName);
        },
        write: (...cookieAndLife) => {
          writtenAt = Date.now();
          return jar.write(...cookieAndLife);
        },
      };
    };
  }

  it('is granted to the later of two tabs that both found it free', async () => {
    const view = seenFromAfar(createFakeCookieJar());
    const works = [jest.fn(takes(10)), jest.fn(takes(10))] as const;
    const outcomes = Promise.all([tabOn(view()).lease(name, works[0]), tabOn(view()).lease(name, works[1])]);
    await jest.runAllTimersAsync();
    expect(await outcomes).toEqual([{ held: false }, done]);
    expect(works.map((work) => work.mock.calls.length)).toEqual([0, 1]);
  });

  it('never runs two works at once, for any arrivals and durations', async () => {
    const tab = fc.record({
      arrives: fc.nat(120),
      works: fc.nat(11_000),
      wait: fc.double({ min: 0, max: 0.999, noNaN: true }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(tab, { minLength: 2, maxLength: 8 }), async (tabs) => {
        const jar = createFakeCookieJar();
        const view = seenFromAfar(jar);
        let running = 0;
        let most = 0;
        const all = tabs.map(async ({ arrives, works, wait }) => {
          await takes(arrives)();
          return tabOn(view(), wait).lease(name, async () => {
            running += 1;
            most = Math.max(most, running);
            await takes(works)();
            running -= 1;
          });
        });
        await jest.runAllTimersAsync();
        const outcomes = await Promise.all(all);
        expect(most).toBeLessThanOrEqual(1);
        expect(outcomes.some(({ held }) => held)).toBe(true);
        expect(jar.names()).toEqual([]);
      }),
      { numRuns: 200 },
    );
  }, 30_000);

  it('returns at once while another tab holds it, and starts nothing', async () => {
    const jar = createFakeCookieJar();
    void tabOn(jar).lease(name, takes(5000));
    await jest.advanceTimersByTimeAsync(200);
    const work = jest.fn(takes(0));
    await expect(tabOn(jar).lease(name, work)).resolves.toEqual({ held: false });
    expect(work).not.toHaveBeenCalled();
    await jest.runAllTimersAsync();
  });

  it('is free again 12 s after its holder crashed', async () => {
    const jar = createFakeCookieJar();
    expect(jar.write(cookie, 'a tab that was killed', Date.now() + leaseMs)).toBe(true);
    await jest.advanceTimersByTimeAsync(11_900);
    await expect(tabOn(jar).lease(name, takes(0))).resolves.toEqual({ held: false });
    await jest.advanceTimersByTimeAsync(200);
    const outcome = tabOn(jar).lease(name, takes(0));
    await jest.runAllTimersAsync();
    await expect(outcome).resolves.toEqual(done);
  });

  it('is taken over when a page sees the same one for more than 12 s: its cookie does not expire', async () => {
    const jar = createFakeCookieJar();
    jar.write(cookie, 'a lease of a clock that was set back');
    const { lease } = tabOn(jar);
    await expect(lease(name, takes(0))).resolves.toEqual({ held: false });
    await jest.advanceTimersByTimeAsync(11_900);
    await expect(lease(name, takes(0))).resolves.toEqual({ held: false });
    await jest.advanceTimersByTimeAsync(200);
    const outcome = lease(name, takes(0));
    await jest.runAllTimersAsync();
    await expect(outcome).resolves.toEqual(done);
  });

  it('is given up by a page that was held up before its write, and keeps the others out', async () => {
    const jar = createFakeCookieJar();
    const work = jest.fn(takes(0));
    const slow: CookieJar = {
      ...jar,
      write: (...given) => {
        jest.setSystemTime(Date.now() + 50);
        return jar.write(...given);
      },
    };
    await expect(tabOn(slow).lease(name, work)).resolves.toEqual({ held: false });
    await expect(tabOn(jar).lease(name, work)).resolves.toEqual({ held: false });
    expect(work).not.toHaveBeenCalled();
  });

  it('writes a lease of 12 s', async () => {
    const jar = createFakeCookieJar();
    void tabOn(jar).lease(name, takes(0));
    expect(jar.expiryOf(cookie)).toBe(now + 12_000);
    await jest.runAllTimersAsync();
  });

  it('is released when the page is left, although the work continues', async () => {
    const jar = createFakeCookieJar();
    const { lease, page } = tabOn(jar);
    const outcome = lease(name, takes(5000));
    await jest.advanceTimersByTimeAsync(200);
    expect(jar.names()).toEqual([cookie]);
    page.leave();
    expect(jar.names()).toEqual([]);
    await jest.runAllTimersAsync();
    await expect(outcome).resolves.toEqual(done);
    expect(page.listeners.size).toBe(0);
  });

  it('is released when the work fails, and the failure is passed on', async () => {
    const jar = createFakeCookieJar();
    const failure = tabOn(jar)
      .lease(name, () => Promise.reject(new Error('broke')))
      .catch((error: unknown) => error);
    await jest.runAllTimersAsync();
    await expect(failure).resolves.toEqual(new Error('broke'));
    expect(jar.names()).toEqual([]);
  });

  it("does not remove another tab's lease when it ends", async () => {
    const jar = createFakeCookieJar();
    const outcome = tabOn(jar).lease(name, takes(20_000));
    await jest.advanceTimersByTimeAsync(13_000);
    jar.write(cookie, 'another holder');
    await jest.runAllTimersAsync();
    await outcome;
    expect(jar.readAll(cookie)).toEqual(['another holder']);
  });

  it('is not granted if cookies are not stored', async () => {
    const jar = createFakeCookieJar();
    jar.switchOff();
    const work = jest.fn(takes(0));
    await expect(tabOn(jar).lease(name, work)).resolves.toEqual({ held: false });
    expect(work).not.toHaveBeenCalled();
  });
});
