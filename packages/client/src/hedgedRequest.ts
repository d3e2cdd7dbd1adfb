import type { LeaseClock } from './lease.ts';

/** A refresh is given up after this time, ms. Its lock lasts a little longer. */
const limitMs = 10_000;

/**
 * When copies of the call are sent, ms after the beginning, and how long each may take to arrive. A service may have
 * exchanged the token although its response was lost. Within its grace period it returns the successor again;
 * later, or without a grace period, a spent token looks stolen, and the session ends.
 */
const sentAtMs: readonly number[] = [0, 3000, 6000];
const arrivesWithinMs = 4000;
/** If a timer is later than this, ms, the page was suspended, and another tab may have used the token. */
const longestDelayMs = 1000;

/** Limits of one copy of the call. */
export interface Timing {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * Makes a call until a response with any status arrives, or 10 s are over. If the service has a grace period, copies are sent
 * while the response is outstanding, as long as they arrive within that period. The first response aborts the others. A copy
 * that is late, because the page was suspended or in the back/forward cache, is not sent: its token would look stolen.
 *
 * @param send - rejects only if there is no response
 * @param graceMs - how long the service accepts a used token again, ms; with 0 no copy is sent
 * @throws AggregateError with the errors of `send`
 */
export async function hedgedRequest<T>(
  send: (timing: Timing) => Promise<T>,
  { now, monotonic, pause }: LeaseClock,
  graceMs: number,
): Promise<T> {
  const [wall, steady] = [now(), monotonic()];
  const over = new AbortController();
  const { signal } = over;
  const sent = sentAtMs.filter((startMs) => !startMs || startMs + arrivesWithinMs <= graceMs);
  const tries = sent.map(async (startMs) => {
    if (startMs) await pause(startMs);
    // The monotonic clock may stop while the computer sleeps.
    const passedMs = Math.max(now() - wall, monotonic() - steady);
    if (signal.aborted || passedMs > startMs + longestDelayMs) throw new Error();
    const endMs = startMs ? Math.min(limitMs, graceMs) : limitMs;
    return await send({ timeoutMs: endMs - startMs, signal });
  });
  try {
    return await Promise.any(tries);
  } finally {
    over.abort();
  }
}
