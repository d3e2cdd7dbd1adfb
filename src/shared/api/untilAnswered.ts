import type { Clock } from '../platform/platform';
import { ApiError } from './apiError';

/** A refresh is given up so long after it began, ms (decisions §8). The lock that it runs under is held no longer. */
const limitMs = 10_000;

/**
 * When the same token is sent, ms after the beginning. A service may have exchanged it although its answer was lost, and
 * answers it again for 10 s only; after that a spent token looks stolen, and the session ends. So it is sent again while
 * the first call still hangs, and early enough that the last one, too, arrives within those 10 s.
 */
const sentAtMs: readonly number[] = [0, 3000, 6000];
/** A timer that is later than this, ms, was held up with its page: by now the token may be another tab's to spend. */
const longestDelayMs = 1000;

/** What one of the calls has to keep to. */
export interface Timing {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

type Answer<T> = { readonly value: T } | { readonly refused: unknown };

/**
 * Makes a call that may be repeated, until it is answered by whatever status, or 10 s are over. The others are dropped
 * then, and so is one whose turn comes late, because the page slept or lay in the back/forward cache: it would be taken
 * for a stolen token.
 *
 * @throws ApiError as `send` does
 */
export async function untilAnswered<T>(send: (timing: Timing) => Promise<T>, clock: Clock): Promise<T> {
  const passed = stopwatch(clock);
  const over = new AbortController();
  const { signal } = over;
  const tries = sentAtMs.map(async (startMs): Promise<Answer<T>> => {
    if (startMs > 0) await clock.pause(startMs);
    if (signal.aborted || passed() > startMs + longestDelayMs) throw new ApiError('network');
    try {
      return { value: await send({ timeoutMs: limitMs - startMs, signal }) };
    } catch (error) {
      if (isUnanswered(error)) throw error;
      return { refused: error };
    }
  });
  try {
    const answer = await Promise.any(tries);
    if ('value' in answer) return answer.value;
    throw answer.refused;
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

const isUnanswered = (error: unknown): boolean =>
  error instanceof ApiError && (error.kind === 'network' || error.kind === 'timeout');
