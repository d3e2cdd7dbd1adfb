import { nextPoll, untilLeft, wakeUps } from '@features/session';
import { createChunk } from '@shared/chunk';
import type { Deps } from '@shared/deps';
import { call } from '@shared/sagas/call.saga';
import { withChannel } from '@shared/sagas/withChannel.saga';
import { delay, race } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import type { liveEvents } from './liveEvents.saga';

/** The pause before the stream is opened, ms. A sign-in page leaves within it. */
const beforeEventsMs = 1000;
const eventsChunk = createChunk(() => import(/* webpackChunkName: "events" */ './liveEvents.saga'));

/** The pause after a failure, ms, unless a wake-up ends it. */
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
