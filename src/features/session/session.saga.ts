import { isAnyOf } from '@reduxjs/toolkit';
import { createChunk } from '@shared/chunk';
import type { Deps } from '@shared/deps';
import { call } from '@shared/sagas/call.saga';
import { withChannel } from '@shared/sagas/withChannel.saga';
import type { EventChannel, Task } from 'redux-saga';
import { cancel, delay, fork, put, race, take } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import type { liveEvents } from './events/liveEvents.saga';
import { loadPolling } from './refresh/loadPolling.saga';
import { nextPoll, wakeOthers, wakeUps, type WakeUp } from './refresh/nextPoll.saga';
import { seemsExpired } from './refresh/tokenClock';
import { askByRefresh } from './restoreSession.saga';
import {
  sessionAbsent,
  sessionEnded,
  sessionHidden,
  sessionRestored,
  sessionStarted,
  setupStarted,
} from './session.slice';
import { readSession } from './sessionCookies';
import { watchSignOut } from './signOut.saga';

/** Root of the session feature. */
export function* sessionSaga(deps: Deps): SagaGenerator<void> {
  yield* fork(pollCookies, deps);
  yield* fork(hideWhenLeft, deps);
  yield* fork(watchSignOut, deps);
}

const isAccessChange = isAnyOf(sessionStarted, sessionRestored, setupStarted, sessionAbsent, sessionEnded);
type AccessChange = ReturnType<
  | typeof sessionStarted
  | typeof sessionRestored
  | typeof setupStarted
  | typeof sessionAbsent
  | typeof sessionEnded
>;

/** Each change of access restarts the polling. A change made in this tab makes the other tabs poll as well. */
function* pollCookies(deps: Deps): SagaGenerator<void> {
  yield* withChannel(wakeUps(deps), function* (events) {
    let running: Task | null = null;
    for (;;) {
      const change = yield* take(isAccessChange);
      if (running) yield* cancel(running);
      running = yield* fork(pollFor, deps, events, change);
      if (concernsOthers(change)) yield* call(wakeOthers, deps);
    }
  });
}

/** A session that was found missing was ended by another tab, which has notified the others. */
function concernsOthers(change: AccessChange): boolean {
  if (sessionEnded.match(change)) return change.payload.reason !== 'missing';
  return sessionStarted.match(change) || setupStarted.match(change);
}

function* pollFor(deps: Deps, events: EventChannel<WakeUp>, change: AccessChange): SagaGenerator<void> {
  if (sessionAbsent.match(change) || sessionEnded.match(change)) {
    yield* call(waitForSignIn, deps, events);
    return;
  }
  // Before the screens: this tab must hear every change that follows their first reading.
  if (!setupStarted.match(change) && deps.config.extensions.includes('events'))
    yield* fork(followEvents, deps, change.payload.uid);
  const { session, setup } = yield* call(loadPolling, deps);
  // A sign-out may leave the page in the same turn: its call cannot wait for a chunk.
  if (deps.config.extensions.includes('revoke')) yield* fork(deps.api.warmUp);
  if (setupStarted.match(change)) yield* call(setup, deps, events, change.payload);
  else yield* call(session, deps, events, change.payload);
}

/** Long enough for a sign-in page to leave, ms. */
const beforeEventsMs = 1000;
const eventsChunk = createChunk(() => import(/* webpackChunkName: "events" */ './events/liveEvents.saga'));

/** How long after a failure live events are tried again, unless the tab is woken before, ms. */
const eventsRetryMs = 60_000;

/**
 * Listens to the other tabs from the start. While the page is in the back/forward cache, no channel is open. This saga starts again
 * when the page has returned and its session has been checked.
 */
function* followEvents(deps: Deps, uid: string): SagaGenerator<void> {
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

function* untilLeft({ pageLife }: Deps): SagaGenerator<void> {
  yield* withChannel(pageLife.subscribe, function* (life) {
    while ((yield* take(life)) !== 'left');
  });
}

/** While signed out: a sign-in in another tab signs this one in (docs/behaviour.md#several-tabs). */
function* waitForSignIn(deps: Deps, events: EventChannel<WakeUp>): SagaGenerator<void> {
  for (let event: WakeUp = 'poll'; ; event = yield* call(nextPoll, events)) {
    if (event === 'left') continue;
    yield* call(askByRefresh, deps);
    const stored = readSession(deps);
    if (stored.kind === 'present' && !seemsExpired(deps, stored.claims)) {
      yield* call(deps.parentFrame.notify, 'new_tokens');
      yield* put(sessionRestored(stored.claims));
      return;
    }
    // A page that comes back from the back/forward cache starts over.
    if (event === 'restored') yield* put(sessionAbsent());
  }
}

/** Hides the session before the page enters the back/forward cache (docs/behaviour.md#pages-from-the-backforward-cache). */
function* hideWhenLeft(deps: Deps): SagaGenerator<void> {
  for (;;) {
    yield* call(untilLeft, deps);
    yield* put(sessionHidden());
  }
}
