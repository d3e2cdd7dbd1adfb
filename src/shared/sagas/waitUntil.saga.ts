import { delay } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import type { Clock } from '../ports/ports';

/** How often a deadline is compared with the clock, ms. */
const stepMs = 1000;

/**
 * Measures the time until `deadline` (ms since the epoch), in ms: the shorter one of that by the wall clock, which continues while the
 * computer sleeps, and that by the monotonic clock, which nobody can set back.
 */
export function timeUntil(clock: Clock, deadline: number): () => number {
  const monotonicDeadline = clock.monotonic() + (deadline - clock.now());
  return () => Math.min(deadline - clock.now(), monotonicDeadline - clock.monotonic());
}

/** How long the notice of a new code is shown, ms; until then no other code can be requested. */
const noticeForMs = 5000;

/** Returns when the notice of a new code ends. */
export const untilNoticeEnds = (clock: Clock): SagaGenerator<void> =>
  waitUntil(clock, clock.now() + noticeForMs);

/** Returns when `deadline` (ms since the epoch) has passed. It checks in short steps, because sleep would extend one long timer. */
export function* waitUntil(clock: Clock, deadline: number): SagaGenerator<void> {
  const left = timeUntil(clock, deadline);
  for (let rest = left(); rest > 0; rest = left()) yield* delay(Math.min(rest, stepMs));
}
