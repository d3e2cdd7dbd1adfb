import type { Clock, CookieJar, Locks, PageLife } from '../platform';

/** How long a lease stands when its holder dies, ms (decisions §8). Longer than a refresh call, which ends after 10 s. */
export const leaseMs = 12_000;

/** Runs the work if the lease of that name is free. The same contract as the lock it stands in for. */
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
