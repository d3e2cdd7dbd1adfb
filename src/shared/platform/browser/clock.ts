import type { Clock } from '../platform';

/** The browser's two clocks, both in milliseconds, and its timer. */
export function createClock({ performance, setTimeout }: Pick<Window, 'performance' | 'setTimeout'>): Clock {
  return {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    pause: (ms) => new Promise((resolve) => void setTimeout(resolve, ms)),
  };
}
