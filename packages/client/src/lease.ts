import type { CookieJar } from './cookies.ts';

/** The result of {@link Locks.tryRun}. */
export type LockOutcome<T> = { readonly held: true; readonly value: T } | { readonly held: false };

/** Exclusive sections across all pages of the family (docs/behaviour.md#refresh-call). */
export interface Locks {
  /**
   * Runs `work` while holding the lock, if it is free at once; otherwise resolves to `{ held: false }` without waiting.
   * The lock is released when `work` settles, and on `pagehide` (a lock survives into the back/forward cache).
   */
  readonly tryRun: <T>(name: string, work: () => Promise<T>) => Promise<LockOutcome<T>>;
}

/** Calls the listener each time the page is left. Returns the function that unsubscribes. */
export type OnLeave = (listener: () => void) => () => void;

/** The locks of this page. */
export function createBrowserLocks(browser: Window, cookies: LeaseCookies): Locks {
  const onLeave: OnLeave = (listener) => {
    browser.addEventListener('pagehide', listener);
    return () => browser.removeEventListener('pagehide', listener);
  };
  const lease = createLease(cookies, createClock(browser), onLeave, Math.random);
  // Always present by its type, but missing outside a secure context.
  return createLocks(browser.navigator.locks, onLeave, lease);
}

/**
 * Locks for all pages of the family: a lease in a cookie of the shared domain, because Web Locks end at the origin. A Web
 * Lock comes first if the browser has them: it takes no time, and lets one tab of an origin ask for the lease. It is
 * requested with `ifAvailable` and never with `steal`, with which two sections would run at once.
 */
export function createLocks(manager: LockManager | undefined, onLeave: OnLeave, lease: Lease): Locks {
  return {
    tryRun: async <T>(name: string, work: () => Promise<T>) => {
      let outcome: Promise<LockOutcome<T>> | undefined;
      try {
        await manager?.request(name, { ifAvailable: true }, async (lock) => {
          outcome = lock ? lease(name, work) : Promise.resolve({ held: false });
          // The lock is also released when the page is left, because Chromium never grants a lock of a page in the
          // back/forward cache to a tab that already waits for it.
          let stop: (() => void) | undefined;
          await Promise.race([outcome, new Promise<void>((left) => (stop = onLeave(left)))]).finally(stop);
        });
      } catch {
        // The request was refused before the callback ran, so there is no outcome, or the lock was lost while the work
        // continued.
      }
      return await (outcome ?? lease(name, work));
    },
  };
}

/** The clocks of the browser, and its timer. */
export const createClock = (browser: Window): LeaseClock => ({
  now: () => Date.now(),
  monotonic: () => browser.performance.now(),
  pause: (ms) => pause(browser, ms),
});

/** Resolves after `ms` milliseconds. */
export const pause = (browser: Pick<Window, 'setTimeout'>, ms: number): Promise<void> =>
  new Promise((resolve) => void browser.setTimeout(resolve, ms));

/**
 * The time after which a lease expires if it is not released, ms. It is longer than a refresh call, which ends after 10 s.
 */
export const leaseMs = 12_000;

/** Runs the work if the lease of that name is free. The same contract as the lock that it replaces. */
export type Lease = Locks['tryRun'];

/**
 * A lease is confirmed after this time, ms, and a random time of up to twice as much, so that tabs that asked at the same
 * time do so one after another.
 */
const confirmMs = 50;

type LeaseCookies = Pick<CookieJar, 'readAll' | 'remove' | 'write'>;

/** The clocks and the timer of a page. */
export interface LeaseClock {
  /** The wall clock, ms since the epoch, and one that never steps back, ms. */
  readonly now: () => number;
  readonly monotonic: () => number;
  /** Resolves after `ms` milliseconds. */
  readonly pause: (ms: number) => Promise<void>;
}

/**
 * A lease in a cookie (docs/behaviour.md#refresh-call). Two pages may both find it free and write. The later one overwrites
 * the earlier, and after 50 to 150 ms each reads the id. Only the page with this id continues.
 *
 * @param random - a number in [0, 1): the id of a try, then how long it waits
 */
export function createLease(
  cookies: LeaseCookies,
  clock: LeaseClock,
  onLeave: OnLeave,
  random: () => number,
): Lease {
  /** The lease of another page, and when it was first seen, by the monotonic clock. */
  let seen = '';
  let seenAt = 0;
  return async (name, work) => {
    const cookie = `${name}-lease`;
    const read = () => cookies.readAll(cookie).join();
    // It only has to be unique.
    const id = String(random());
    const lookedAt = clock.monotonic();
    const found = read();
    if (seen !== found) {
      seen = found;
      seenAt = lookedAt;
    }
    // A cookie stays past its expiry if the computer's clock was set back, or if a page wrote it without one.
    const isFree = found === '' || lookedAt - seenAt > leaseMs;
    if (
      isFree &&
      cookies.write(cookie, id, clock.now() + leaseMs) &&
      // After a delay between read and write, this page may have overwritten a lease that was confirmed meanwhile. The cookie
      // stays until it expires, so that no third page takes the lease.
      clock.monotonic() - lookedAt < confirmMs
    ) {
      const release = () => {
        if (read().includes(id)) cookies.remove(cookie);
      };
      const stop = onLeave(release);
      try {
        await clock.pause(confirmMs + random() * 2 * confirmMs);
        if (read() === id) return { held: true, value: await work() };
      } finally {
        stop();
        release();
      }
    }
    return { held: false };
  };
}
