import type { Clock } from '../platform';

/** The browser's two clocks, both in milliseconds. */
export function createClock({ performance }: Pick<Window, 'performance'>): Clock {
  return { now: () => Date.now(), monotonic: () => performance.now() };
}
