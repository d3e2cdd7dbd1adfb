import { keepReturn, readSession, redirectUrlOf, seemsExpired, sessionEnded } from '@features/session';
import type { Deps, ScreenModule } from '@shared/deps';
import { paths } from '@vestibule/contract/paths';
import { callApi } from '@shared/sagas/callApi.saga';
import { call } from '@shared/sagas/call.saga';
import { fork, put, take } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { forgotEntered, forgotSubmitted, isVerifyMode, resetLinkSent } from './forgot.slice';
import { ForgotPassword } from './ForgotPassword.container';

/** `/forgot-password`: requests a reset link at each submit. */
function* forgot(deps: Deps): SagaGenerator<never> {
  if (isVerifyMode(deps.navigation.current().search)) yield* fork(leaveAtSignOut, deps);
  yield* put(forgotEntered(knownEmail(deps)));
  for (;;) {
    const { payload: email } = yield* take(forgotSubmitted);
    // The link in the mail is opened in another tab.
    const url = redirectUrlOf(deps);
    if (url !== null) yield* call(keepReturn, deps, url);
    const result = yield* callApi(deps.api.password.forgot, email);
    // Only the log shows a failure: the screen must not reveal whether there is an account.
    if (!result.ok) deps.log.warn('forgot-password failed', { kind: result.error.kind });
    yield* put(resetLinkSent());
  }
}

/** Leaves the screen in verify mode when the user signs out. The route itself is public. */
function* leaveAtSignOut({ navigation }: Deps): SagaGenerator<void> {
  yield* take(sessionEnded);
  yield* call(navigation.replace, paths.login());
}

/** The e-mail of the account while there is a session. */
function knownEmail(deps: Deps): string {
  const stored = isVerifyMode(deps.navigation.current().search) ? readSession(deps) : null;
  const isHere = stored?.kind === 'present' && !seemsExpired(deps, stored.claims);
  return isHere ? stored.claims.email : '';
}

/** `/forgot-password`. */
export const forgotScreen: ScreenModule = { Screen: ForgotPassword, saga: forgot };
