import type { Deps } from '@shared/deps';
import { paths } from '@vestibule/contract/paths';
import { call } from '@shared/sagas/call.saga';
import { put, takeLeading } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { endStoredSessions, endSession } from './endSession.saga';
import { allowConfigured } from './redirect/redirectAllowlist';
import { takeReturn } from './redirect/returnPlace';
import { backRequested, logoutRequested, sessionEnded } from './session.slice';
import { isSetupMode } from './sessionCookies';

/** Back and Logout in the header (docs/behaviour.md#back-and-logout). */
export function* watchSignOut(deps: Deps): SagaGenerator<void> {
  yield* takeLeading(backRequested, goBack, deps);
  yield* takeLeading(logoutRequested, signOut, deps);
}

function* goBack(deps: Deps): SagaGenerator<void> {
  if (isSetupMode(deps)) yield* call(goToSignOn, deps);
  else yield* call(leaveTo, deps, deps.config.links.supplierSite);
}

function* signOut(deps: Deps): SagaGenerator<void> {
  if (isSetupMode(deps)) {
    yield* call(goToSignOn, deps);
    return;
  }
  yield* call(endStoredSessions, deps);
  yield* call(endSession, deps, 'signedOut');
}

/**
 * Goes to `signOnUrl`. This ends setup mode, but not a session; `/login` then leads to where the sign-in was to lead. A frame goes to the same path without loading a document,
 * because another document may not know its parent (docs/decisions.md#a-frame-keeps-its-document).
 */
export function* goToSignOn(deps: Deps): SagaGenerator<void> {
  let path = '/';
  if (isSetupMode(deps)) {
    const search = takeReturn(deps);
    if (search !== '') path = paths.login(search);
    yield* call(endStoredSessions, deps);
    yield* call(deps.vault.dropOfSession);
    yield* put(sessionEnded({ reason: 'signedOut' }));
  }
  if (deps.parentFrame.embedded) yield* call(deps.navigation.replace, path);
  else yield* call(leaveTo, deps, deps.config.signOnUrl + path);
}

function* leaveTo({ navigation }: Deps, configured: string): SagaGenerator<void> {
  const url = allowConfigured(configured);
  if (url) yield* call(navigation.leave, url);
}
