import type { Clock } from '../ports/ports';
import { ApiError } from './apiError';

/** A refresh is given up after this time, ms. The lock under which it runs is held no longer. */
const limitMs = 10_000;

/**
 * When copies of the call are sent, ms after the beginning, and how long each may take to arrive. A service may have
 * exchanged the token although its response was lost. Within its grace period it returns the successor again;
 * later, or without a grace period, a spent token looks stolen, and the session ends.
 */
const copiesAtMs: readonly number[] = [3000, 6000];
const arrivesWithinMs = 4000;
/** A timer more than this late, ms, means that the page was suspended: another tab may have used the token since. */
const longestDelayMs = 1000;

/** Limits of one copy of the call. */
export interface Timing {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

type Attempt<T> = { readonly value: T } | { readonly refused: unknown };

/**
 * Makes a call until a response with any status arrives, or 10 s are over. If the service has a grace period, copies are
 * sent while the response is outstanding, as long as they arrive within that period. The first response aborts the others.
 * A copy that is late, because the page was suspended or in the back/forward cache, is not sent: its token would look stolen.
 *
 * @param graceMs - how long the service accepts a spent token again, ms; 0: not at all, and no copy is sent
 * @throws ApiError as `send` does
 */
export async function hedgedRequest<T>(
  send: (timing: Timing) => Promise<T>,
  clock: Clock,
  graceMs: number,
): Promise<T> {
  const passed = stopwatch(clock);
  const over = new AbortController();
  const { signal } = over;
  const copies = copiesAtMs.filter((startMs) => startMs + arrivesWithinMs <= graceMs);
  const tries = [0, ...copies].map(async (startMs): Promise<Attempt<T>> => {
    if (startMs > 0) await clock.pause(startMs);
    if (signal.aborted || passed() > startMs + longestDelayMs) throw new ApiError('network');
    try {
      const endMs = startMs > 0 ? Math.min(limitMs, graceMs) : limitMs;
      return { value: await send({ timeoutMs: endMs - startMs, signal }) };
    } catch (error) {
      if (hasNoResponse(error)) throw error;
      return { refused: error };
    }
  });
  try {
    const response = await Promise.any(tries);
    if ('value' in response) return response.value;
    throw response.refused;
  } catch (error) {
    throw error instanceof AggregateError ? error.errors[0] : error;
  } finally {
    over.abort();
  }
}

/** Time since its creation, ms, including sleep: the larger difference of the two clocks. */
function stopwatch({ now, monotonic }: Clock): () => number {
  const [wall, steady] = [now(), monotonic()];
  return () => Math.max(now() - wall, monotonic() - steady);
}

const hasNoResponse = (error: unknown): boolean =>
  error instanceof ApiError && (error.kind === 'network' || error.kind === 'timeout');
