import { isAnyOf } from '@reduxjs/toolkit';
import type { Deps } from '@shared/deps';
import { call } from '@shared/sagas/call.saga';
import { withChannel } from '@shared/sagas/withChannel.saga';
import type { EventChannel, Task } from 'redux-saga';
import { cancel, delay, fork, put, take } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { watchLeaving } from './leave/leave.saga';
import { pollEveryMs } from './nextPoll.saga';
import { watchProfile } from './profile/loadProfile.saga';
import type { RefreshDeps } from './refresh/refreshDeps';
import {
  sessionAbsent,
  sessionEnded,
  sessionHidden,
  sessionRestored,
  sessionStarted,
  setupStarted,
} from './session.slice';
import { waitForSignIn } from './waitForSignIn.saga';
import { wakeOthers, wakeUps, type WakeUp } from './wakeUps';
import type { watching } from './watching.saga';

/** Root of the session feature. */
export function* sessionSaga(deps: Deps): SagaGenerator<void> {
  yield* fork(keepWatch, deps);
  yield* fork(hideWhenLeft, deps);
  yield* fork(watchLeaving, deps);
  yield* fork(watchProfile, deps);
}

/** So many failures in a row, online, and the session's chunk is taken for lost. */
const mostFailures = 3;

const isTurn = isAnyOf(sessionStarted, sessionRestored, setupStarted, sessionAbsent, sessionEnded);
type Turn = ReturnType<
  | typeof sessionStarted
  | typeof sessionRestored
  | typeof setupStarted
  | typeof sessionAbsent
  | typeof sessionEnded
>;

/** Each turn of who is here begins another watch; those that this tab took are told to the others. */
function* keepWatch(deps: RefreshDeps): SagaGenerator<void> {
  yield* withChannel(wakeUps(deps), function* (events) {
    let running: Task | null = null;
    for (;;) {
      const turn = yield* take(isTurn);
      if (running) yield* cancel(running);
      running = yield* fork(watch, deps, events, turn);
      if (concernsOthers(turn)) yield* call(wakeOthers, deps);
    }
  });
}

/** A session that was found missing is known to whoever took it away. */
function concernsOthers(turn: Turn): boolean {
  if (sessionEnded.match(turn)) return turn.payload.reason !== 'missing';
  return sessionStarted.match(turn) || setupStarted.match(turn);
}

function* watch(deps: RefreshDeps, events: EventChannel<WakeUp>, turn: Turn): SagaGenerator<void> {
  if (sessionAbsent.match(turn) || sessionEnded.match(turn)) {
    yield* call(waitForSignIn, deps, events);
    return;
  }
  const validAt = deps.clock.now();
  const { session, setup } = yield* call(loadWatching, deps);
  // A sign-out may leave the page in the turn of the press: its call cannot wait for a chunk then.
  if (deps.config.extensions.includes('revoke')) yield* fork(deps.api.warmUp);
  if (setupStarted.match(turn)) yield* call(setup, deps, events, turn.payload);
  else yield* call(session, deps, events, turn.payload, validAt);
}

/**
 * Until it is there: nobody may stay signed in without being watched because of one lost answer. Three in a row are more
 * than that, unless the browser is offline, and go up to the supervisor. What wakes the tab meanwhile is kept for then:
 * a page that is left and comes back stays hidden until its session is looked at.
 */
function* loadWatching({ log, pageLife }: RefreshDeps): SagaGenerator<typeof watching> {
  for (let failures = 0; ;) {
    try {
      const chunk = yield* call(() => import(/* webpackChunkName: "session" */ './watching.saga'));
      return chunk.watching;
    } catch (error) {
      yield* call(log.warn, 'session chunk failed to load');
      failures = pageLife.isOnline() ? failures + 1 : 0;
      if (failures === mostFailures) throw error;
    }
    yield* delay(pollEveryMs);
  }
}

/** Before the page goes into the back/forward cache: what comes back shows nothing until the session was looked at. */
function* hideWhenLeft({ pageLife }: Pick<Deps, 'pageLife'>): SagaGenerator<void> {
  yield* withChannel(pageLife.subscribe, function* (life) {
    for (;;) if ((yield* take(life)) === 'left') yield* put(sessionHidden());
  });
}
