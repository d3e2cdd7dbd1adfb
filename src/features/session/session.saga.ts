import { isAnyOf } from '@reduxjs/toolkit';
import type { Deps } from '@shared/deps';
import { call } from '@shared/sagas/call.saga';
import { contain } from '@shared/sagas/contain.saga';
import { withChannel } from '@shared/sagas/withChannel.saga';
import type { EventChannel, Task } from 'redux-saga';
import { cancel, fork, put, take } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
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

/** Whether the other tabs must know. If the cookie was missing, another tab has ended the session and has notified them. */
function concernsOthers(change: AccessChange): boolean {
  if (sessionEnded.match(change)) return change.payload.reason !== 'missing';
  return sessionStarted.match(change) || setupStarted.match(change);
}

function* pollFor(deps: Deps, events: EventChannel<WakeUp>, change: AccessChange): SagaGenerator<void> {
  if (sessionAbsent.match(change) || sessionEnded.match(change)) {
    yield* call(waitForSignIn, deps, events);
    return;
  }
  // The channel is opened before the screens start, so that no change is missed after they have read the cookies.
  if (!setupStarted.match(change))
    for (const { name, whileSignedIn } of deps.features)
      if (whileSignedIn) yield* fork(contain, deps, name, () => whileSignedIn(deps, change.payload.uid));
  const { session, setup } = yield* call(loadPolling, deps);
  // A sign-out may leave the page in the same turn, so the code of its call is loaded before.
  if (deps.features.some((feature) => feature.endAtService)) yield* fork(deps.api.warmUp);
  if (setupStarted.match(change)) yield* call(setup, deps, events, change.payload);
  else yield* call(session, deps, events, change.payload);
}

/** Waits until the page is left. */
export function* untilLeft({ pageLife }: Deps): SagaGenerator<void> {
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
