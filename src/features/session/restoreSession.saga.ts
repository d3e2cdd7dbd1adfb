import type { Deps } from '@shared/deps';
import { locationChanged } from '@shared/routing/location.slice';
import { call } from '@shared/sagas/call.saga';
import { decideOpening } from '@vestibule/client/tokenClock';
import { put, race, take } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { endSession } from './endSession.saga';
import { loadPolling } from './refresh/loadPolling.saga';
import { dropWrongSkew, hasExpired, readUncertain, tokenClock } from './refresh/tokenClock';
import { sessionAbsent, sessionRestored, setupStarted, signInChosen } from './session.slice';
import { clearOrphanRefresh, clearSetup, readSession, readSetup } from './sessionCookies';

/**
 * Reads the state of the session from the cookies when a page opens (docs/behaviour.md#entering-the-login-page). A malformed
 * cookie, an expired token and a refresh token without its session are cleared. The parent is notified if there is no
 * session.
 *
 * @param isPublic - the screen needs no session, so it is shown at once while an uncertain session is checked
 */
export function* restoreSession(deps: Deps, isPublic: boolean): SagaGenerator<void> {
  const opened = readSession(deps);
  const present = opened.kind === 'present' ? opened : readSetup(deps);
  if (present) yield* call(dropWrongSkew, deps, present.claims);
  if (readUncertain(deps) !== null && !isPublic) {
    yield* put(locationChanged({ route: null, pathname: '/', search: '', key: '' }));
    // The call goes on when the user chooses to sign in. Its session then counts as the sign-in of another tab.
    yield* race({ asked: call(askByRefresh, deps), isLeft: take(signInChosen) });
  }
  const stored = readSession(deps);
  const setup = readSetup(deps);
  const decision = decideOpening(stored, tokenClock(deps));
  if (decision === 'active' || decision === 'uncertain') {
    // An uncertain session stays unknown here. The saga that waits for a sign-in checks it.
    yield* put(
      decision === 'active' && stored.kind === 'present' ? sessionRestored(stored.claims) : sessionAbsent(),
    );
    return;
  }
  if (decision === 'none') {
    yield* call(clearOrphanRefresh, deps);
    yield* call(deps.parentFrame.notify, 'removed_tokens');
  } else {
    yield* call(endSession, deps, decision);
  }
  if (setup && !hasExpired(deps, setup.claims)) {
    yield* put(setupStarted(setup.claims));
    return;
  }
  yield* call(clearSetup, deps);
  if (decision === 'none') yield* put(sessionAbsent());
}

/** An uncertain session may be valid: one refresh decides (docs/behaviour.md#clock-skew). */
export function* askByRefresh(deps: Deps): SagaGenerator<void> {
  if (readUncertain(deps) === null) return;
  const { settle } = yield* call(loadPolling, deps);
  yield* call(settle, deps);
}
