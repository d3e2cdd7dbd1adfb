import type { Deps } from '@shared/deps';

/** More events than this in one second are a fault: an idle page dispatches none, and no user clicks so fast. */
const mostPerSecond = 50;

/** Warns in development of events that come too fast: a loop between sagas, or a tick in the store. */
export interface RateGuard {
  readonly start: (ports: Pick<Deps, 'clock' | 'log'>) => void;
  readonly count: (type: string) => void;
}

export function createRateGuard(): RateGuard {
  let ports: Pick<Deps, 'clock' | 'log'> | null = null;
  let second = { began: 0, count: 0 };
  return {
    start: (given) => {
      ports = given;
    },
    count: (type) => {
      if (!ports) return;
      const now = ports.clock.monotonic();
      if (now - second.began >= 1000) second = { began: now, count: 0 };
      second = { ...second, count: second.count + 1 };
      // The warning is given once in each second.
      if (second.count === mostPerSecond + 1)
        ports.log.warn('more events in a second than a user can cause', { type, count: second.count });
    },
  };
}
