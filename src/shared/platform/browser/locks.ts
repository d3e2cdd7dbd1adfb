import type { Clock, CookieJar, LockOutcome, Locks, PageLife } from '../platform';

/**
 * Exclusive sections across tabs: the Web Locks API, and the lease cookie where the API is missing or refuses (an old
 * browser, a frame whose storage is blocked). Asked for with `ifAvailable`, never with `steal`: two sections would run at once.
 */
export function createLocks(
  manager: LockManager | undefined,
  pageLife: Pick<PageLife, 'subscribe'>,
  lease: Lease,
): Locks {
  return {
    tryRun: async (name, work) =>
      (manager && (await underWebLock(manager, pageLife, name, work))) ?? lease(name, work),
  };
}

/** `undefined`: the lock manager refused the request itself, and `work` has not been started. */
async function underWebLock<T>(
  manager: LockManager,
  pageLife: Pick<PageLife, 'subscribe'>,
  name: string,
  work: () => Promise<T>,
): Promise<LockOutcome<T> | undefined> {
  let answer: { readonly held: true; readonly running: Promise<T> } | { readonly held: false } | undefined;
  try {
    await manager.request(name, { mode: 'exclusive', ifAvailable: true }, async (lock) => {
      answer = lock ? { held: true, running: start(work) } : { held: false };
      if (answer.held) await settledOrLeft(answer.running, pageLife);
    });
  } catch {
    // Refused before it asked us, which leaves no answer; or broken while we hold it, and the work goes on all the same.
  }
  return answer?.held ? { held: true, value: await answer.running } : answer;
}

/**
 * Resolves when the work settles or the page is left, whichever comes first. A lock that a page takes along into the
 * back/forward cache is never granted to a tab that already waits for it (Chromium).
 */
function settledOrLeft(work: Promise<unknown>, pageLife: Pick<PageLife, 'subscribe'>): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      unsubscribe();
      resolve();
    };
    const unsubscribe = pageLife.subscribe((event) => {
      if (event === 'left') finish();
    });
    work.then(finish, finish);
  });
}

/** Turns a synchronous throw of the work into a rejection. */
async function start<T>(work: () => Promise<T>): Promise<T> {
  return await work();
}

/** How long a lease lasts when its holder dies, ms. Longer than a refresh call, which ends after 10 s. */
export const leaseMs = 12_000;

/** Runs the work if the lease of that name is free. The same contract as the lock that it replaces. */
export type Lease = Locks['tryRun'];

/** What the lease is made of. */
export interface LeaseDeps {
  readonly cookies: Pick<CookieJar, 'readAll' | 'remove' | 'write'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly pageLife: Pick<PageLife, 'subscribe'>;
  /** A new id on every call. */
  readonly newId: () => string;
  /** Resolves after `ms` milliseconds. */
  readonly pause: (ms: number) => Promise<void>;
  /** A number in [0, 1). */
  readonly random: () => number;
}

/**
 * A lease on a cookie, for browsers without locks. Two tabs may both find it free; both write, the later one
 * overwrites the earlier, and after 50 to 150 ms each looks whose id has stayed. Only that one goes on.
 */
export function createLease({ cookies, clock, pageLife, newId, pause, random }: LeaseDeps): Lease {
  return async (name, work) => {
    const cookie = `${name}-lease`;
    const id = newId();
    const isOurs = () => cookies.readAll(cookie).every((value) => value === id);
    const release = () => {
      if (cookies.readAll(cookie).includes(id)) cookies.remove(cookie);
    };
    if (cookies.readAll(cookie).length > 0) return { held: false };
    if (!cookies.write(cookie, id, { kind: 'until', at: clock.now() + leaseMs })) return { held: false };
    const unsubscribe = pageLife.subscribe((event) => {
      if (event === 'left') release();
    });
    try {
      await pause(50 + random() * 100);
      if (cookies.readAll(cookie).length === 0 || !isOurs()) return { held: false };
      return { held: true, value: await work() };
    } finally {
      unsubscribe();
      release();
    }
  };
}
