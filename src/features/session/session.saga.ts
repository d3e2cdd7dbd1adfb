import { cancel, fork, take } from 'typed-redux-saga';
import { isAnyOf } from '@reduxjs/toolkit';
import type { SagaGenerator } from 'typed-redux-saga';
import type { Deps } from '@shared/deps';
import { watchLeaving } from './leave/leave.saga';
import { watchProfile } from './profile/loadProfile.saga';
import type { RefreshDeps } from './refresh/refreshDeps';
import { refreshPolling } from './refresh/refreshPolling.saga';
import { sessionEnded, sessionRestored, sessionStarted, setupStarted } from './session.slice';

/** Root of the session feature. */
export function* sessionSaga(deps: Deps): SagaGenerator<void> {
  yield* fork(keepAlive, deps);
  yield* fork(watchLeaving, deps);
  yield* fork(watchProfile, deps);
}

/**
 * Starts the polling with the session and stops it with its end.
 *
 * @param poll - the work; a test passes its own, so that the life cycle can be seen apart from it
 */
export function* keepAlive(deps: RefreshDeps, poll = refreshPolling): SagaGenerator<void> {
  for (;;) {
    const { payload: claims } = yield* take(isAnyOf(sessionStarted, sessionRestored));
    const polling = yield* fork(poll, deps, claims);
    // A sign-in that has to set up its second step first takes the place of whoever was here.
    yield* take(isAnyOf(sessionEnded, setupStarted));
    yield* cancel(polling);
  }
}
