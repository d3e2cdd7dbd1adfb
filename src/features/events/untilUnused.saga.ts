import type { Clock, PageLifeEvent } from '@shared/ports/ports';
import { call } from '@shared/sagas/call.saga';
import { waitUntil } from '@shared/sagas/waitUntil.saga';
import { longestHiddenMs } from '@vestibule/client/eventRules';
import type { EventChannel } from 'redux-saga';
import { race, take } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';

/** Waits until the page has been hidden for five minutes. */
export function* untilUnused(clock: Clock, life: EventChannel<PageLifeEvent>): SagaGenerator<void> {
  for (;;) {
    let event: PageLifeEvent | undefined = yield* take(life);
    while (event === 'hidden') {
      const hidden = yield* race({
        over: call(waitUntil, clock, clock.now() + longestHiddenMs),
        event: take(life),
      });
      if (!hidden.event) return;
      event = hidden.event;
    }
  }
}
