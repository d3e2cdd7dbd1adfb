import { locationChanged } from '@shared/routing/location.slice';
import type { EventChannel } from 'redux-saga';
import { delay, race, take } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import type { WakeUp } from './wakeUps';

/** Time between two looks at the cookies, ms (specification §9). */
export const pollEveryMs = 5000;

/**
 * Waits until it is time for the next look: a tick, a wake-up, or a change of address, because a screen that is entered
 * must not find out five seconds later.
 */
export function* nextPoll(events: EventChannel<WakeUp>, waitMs = pollEveryMs): SagaGenerator<WakeUp> {
  const { event } = yield* race({ tick: delay(waitMs), moved: take(locationChanged), event: take(events) });
  return event ?? 'look';
}
