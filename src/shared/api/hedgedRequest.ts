import type { Clock } from '../ports/ports';
import { ApiError } from './apiError';

/** A refresh is given up after this time, ms. The lock under which it runs is held no longer. */
const limitMs = 10_000;

/**
 * When copies of the call are sent, ms after the beginning, and how long each may take to arrive. A service may have
 * exchanged the token although its response was lost. Within its grace it responds the spent token with the successor;
 * after that, and without a grace at all, a spent token looks stolen, and the session ends.
 */
const copiesAtMs: readonly number[] = [3000, 6000];
const arrivesWithinMs = 4000;
/** A timer that is later than this, ms, was held up with its page: by now the token may be another tab's to spend. */
const longestDelayMs = 1000;

/** What one of the calls has to keep to. */
export interface Timing {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

type Answer<T> = { readonly value: T } | { readonly refused: unknown };

/**
 * Makes a call until it is answered with any status, or 10 s are over. Where the service has a grace, copies are sent
 * while the response is outstanding, as long as they arrive within it. The others are dropped with the first response, and so
 * is a copy whose turn comes late, because the page slept or was in the back/forward cache: it would be taken for a
 * stolen token.
 *
 * @param graceMs - how long the service responds with a spent token once more; 0: not at all, and no copy is sent
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
  const tries = [0, ...copies].map(async (startMs): Promise<Answer<T>> => {
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

/** Time since it was made, ms; sleep counts, by whichever of the clocks noticed it. */
function stopwatch({ now, monotonic }: Clock): () => number {
  const [wall, steady] = [now(), monotonic()];
  return () => Math.max(now() - wall, monotonic() - steady);
}

const hasNoResponse = (error: unknown): boolean =>
  error instanceof ApiError && (error.kind === 'network' || error.kind === 'timeout');
