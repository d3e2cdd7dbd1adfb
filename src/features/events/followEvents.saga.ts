import { nextPoll, untilLeft, wakeUps } from '@features/session';
import { createChunk } from '@shared/chunk';
import type { Deps } from '@shared/deps';
import { call } from '@shared/sagas/call.saga';
import { withChannel } from '@shared/sagas/withChannel.saga';
import { delay, race } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import type { liveEvents } from './liveEvents.saga';

/** Long enough for a sign-in page to leave, ms. */
const beforeEventsMs = 1000;
const eventsChunk = createChunk(() => import(/* webpackChunkName: "events" */ './liveEvents.saga'));

/** How long after a failure live events are tried again, unless the tab is woken before, ms. */
const eventsRetryMs = 60_000;

/**
 * Listens to the other tabs from the start. While the page is in the back/forward cache, no channel is open. This saga starts again
 * when the page has returned and its session has been checked.
 */
export function* followEvents(deps: Deps, uid: string): SagaGenerator<void> {
  const line = deps.broadcast.open(`${deps.config.cookies.prefix}-events`);
  try {
    yield* withChannel(line.subscribe, function* (heard) {
      yield* race({ work: call(runEvents, deps, { uid, line, heard }), left: call(untilLeft, deps) });
    });
  } finally {
    line.close();
  }
}

/** The polling notices the same changes, so a failure is only logged. */
function* runEvents(deps: Deps, others: Parameters<typeof liveEvents>[1]): SagaGenerator<void> {
  yield* delay(beforeEventsMs);
  for (;;) {
    try {
      const chunk = yield* call(eventsChunk.load);
      yield* call(chunk.liveEvents, deps, others);
    } catch (error) {
      yield* call(deps.log.error, 'live events failed', error);
    }
    yield* withChannel(wakeUps(deps), (events) => call(nextPoll, events, eventsRetryMs));
  }
}
