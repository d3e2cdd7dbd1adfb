import { delay } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import type { Clock } from '../platform/platform';

/** How often a deadline is compared with the clock, ms. */
const stepMs = 1000;

/**
 * Returns when the clock has passed `deadline` (ms since the epoch). Checked in short steps: one long timer would be
 * stretched by the laptop's sleep.
 */
export function* waitUntil(clock: Clock, deadline: number): SagaGenerator<void> {
  for (let left = deadline - clock.now(); left > 0; left = deadline - clock.now()) {
    yield* delay(Math.min(left, stepMs));
  }
}
