import { showAlert } from '@features/ui-dialogs';
import type { FinishSignIn } from '@shared/deps';
import { call } from '@shared/sagas/call.saga';
import { wayEnded } from '@shared/slots';
import { put } from 'typed-redux-saga';
import { authMessages } from '../auth.messages';
import { decideTokenResponse } from './tokenResponse';
import { followTokenResponse } from './tokenResponse.saga';

/**
 * Follows the token response of another way, which needs no second step. After a failure it returns when the dialog is
 * closed. After a success the page leaves the screen, which cancels the caller.
 */
export const finishSignIn: FinishSignIn = function* (deps, response, user) {
  const { kind } = decideTokenResponse(response);
  if (kind !== 'session' && kind !== 'setup') return false;
  const failure = yield* call(followTokenResponse, deps, response, { ...user, method: null });
  if (!failure) return true;
  yield* put(wayEnded());
  yield* call(showAlert, { ...authMessages.loginError, ...failure });
  return true;
};
