import { delay } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import type { Clock } from '../ports/ports';

/** How often a deadline is compared with the clock, ms. */
const stepMs = 1000;

/**
 * Returns when `deadline` (ms since the epoch) has passed by either reading of the clock: the wall clock goes on while
 * the laptop sleeps, the monotonic one when the time is set back. Checked in short steps: one long timer would be
 * stretched by the sleep.
 */
export function* waitUntil(clock: Clock, deadline: number): SagaGenerator<void> {
  const monotonicDeadline = clock.monotonic() + (deadline - clock.now());
  const left = (): number => Math.min(deadline - clock.now(), monotonicDeadline - clock.monotonic());
  for (let rest = left(); rest > 0; rest = left()) yield* delay(Math.min(rest, stepMs));
}
