import type { LockOutcome, Locks, PageLife } from '../platform';
import type { Lease } from './lease';

/**
 * Exclusive sections across tabs (decisions §8): the Web Locks API, and the lease cookie where the API is missing or
 * refuses (an old browser, a frame whose storage is blocked). Asked for with `ifAvailable`, never with `steal`: two
 * sections would run at once.
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
