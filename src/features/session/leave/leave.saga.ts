import type { Deps } from '@shared/deps';
import { call } from '@shared/sagas/call.saga';
import { put, takeLeading } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { endSession } from '../endSession.saga';
import { allowConfigured } from '../redirectDoor';
import { backRequested, logoutRequested, sessionEnded } from '../session.slice';
import { isSetupMode } from '../sessionCookies';
import { endHeldSessions } from './revoke';

type LeaveDeps = Pick<Deps, 'api' | 'cookies' | 'config' | 'navigation' | 'parentFrame' | 'vault'>;

/** Back and Logout in the header (specification §4 Session). */
export function* watchLeaving(deps: LeaveDeps): SagaGenerator<void> {
  yield* takeLeading(backRequested, goBack, deps);
  yield* takeLeading(logoutRequested, logOut, deps);
}

function* goBack(deps: LeaveDeps): SagaGenerator<void> {
  if (isSetupMode(deps)) yield* call(goToSignOn, deps);
  else yield* call(leaveTo, deps, deps.config.links.supplierSite);
}

function* logOut(deps: LeaveDeps): SagaGenerator<void> {
  if (isSetupMode(deps)) {
    yield* call(goToSignOn, deps);
    return;
  }
  yield* call(endHeldSessions, deps);
  yield* call(endSession, deps, 'signedOut');
}

/** Goes to the sign-on base address. Setup mode ends with it (specification §4 Session); a session goes on. */
export function* goToSignOn(deps: LeaveDeps): SagaGenerator<void> {
  if (isSetupMode(deps)) {
    yield* call(endHeldSessions, deps);
    yield* call(deps.vault.dropOfSession);
    yield* put(sessionEnded({ reason: 'signedOut' }));
  }
  yield* call(leaveTo, deps, deps.config.signOnUrl);
}

function* leaveTo({ navigation }: LeaveDeps, configured: string): SagaGenerator<void> {
  const url = allowConfigured(configured);
  if (url) yield* call(navigation.leave, url);
}
