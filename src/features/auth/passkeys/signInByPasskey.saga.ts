import type { Deps } from '@shared/deps';
import { showAlert } from '@features/ui-dialogs';
import { call } from '@shared/sagas/call.saga';
import type * as contract from '@vestibule/contract/schema';
import { put } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { authMessages } from '../auth.messages';
import { decideTokenResponse } from '../token-response/tokenResponse';
import { followTokenResponse } from '../token-response/tokenResponse.saga';
import { askPasskey, sendPasskey, showPasskeyFailure } from './askPasskey.saga';
import { passkeyAttemptEnded } from './passkeyAttempt';
import { passkeyMessages } from './passkeys.messages';

/** `rememberMe`: absent if the first step has handled it, or was not submitted. */
interface SignInUser {
  readonly username: string;
  readonly rememberMe?: boolean;
}

/** Signs in by button, at the method step and at the second step. */
export function* signInByPasskey(deps: Deps, user: SignInUser): SagaGenerator<void> {
  const { username } = user;
  const asked = yield* call(askPasskey, deps, () => deps.api.passkeys.signInOptions({ username }));
  if (asked.kind === 'chosen') {
    yield* call(signInWith, deps, asked.assertion, user);
    return;
  }
  yield* put(passkeyAttemptEnded());
  if (asked.kind === 'failed') yield* call(showPasskeyFailure, passkeyMessages.failed.signIn, asked.error);
}

/**
 * Signs in with a passkey that was chosen. After a failure, returns when the dialog is closed. After a success, the page
 * leaves the screen, which cancels the caller.
 */
export function* signInWith(
  deps: Deps,
  assertion: contract.PasskeyAssertionRequest,
  user: SignInUser,
): SagaGenerator<void> {
  const result = yield* sendPasskey(deps, assertion, deps.api.passkeys.signIn);
  const next = result.ok ? decideTokenResponse(result.value).kind : null;
  if (result.ok && (next === 'session' || next === 'setup')) {
    const failure = yield* call(followTokenResponse, deps, result.value, { ...user, method: 'passkey' });
    if (!failure) return;
    yield* put(passkeyAttemptEnded());
    yield* call(showAlert, { ...authMessages.loginError, ...failure });
    return;
  }
  yield* put(passkeyAttemptEnded());
  yield* call(showPasskeyFailure, passkeyMessages.failed.signIn, result.ok ? null : result.error);
}
