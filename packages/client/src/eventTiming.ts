/** The first and the longest wait after a failure, ms. The wait doubles each time, and half of it is random. */
const firstWaitMs = 1000;
const longestWaitMs = 60_000;
/** A stream that was open for longer does not count as a failure, ms. */
const steadyMs = 10_000;

/** How long a hidden page keeps reading the stream, ms. */
export const longestHiddenMs = 300_000;

/** The failures in a row after a stream has ended, with this status and after this time, ms. */
export const failuresAfter = (failures: number, status: number, openMs: number): number =>
  status === 200 && openMs > steadyMs ? 0 : failures + 1;

/** The wait before the next stream, ms. @param random - a number in [0, 1) */
export const waitAfter = (failures: number, random: number): number =>
  Math.min(longestWaitMs, firstWaitMs * 2 ** Math.max(0, failures - 1)) * (0.5 + random / 2);
