import type { Deps, FinishSignIn } from '@shared/deps';
import { call } from '@shared/sagas/call.saga';
import { wayEnded, type WayUser } from '@shared/slots';
import type * as contract from '@vestibule/contract/schema';
import { put } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { askPasskey, sendPasskey, showPasskeyFailure } from './askPasskey.saga';
import { passkeyMessages } from './passkeys.messages';

/** Signs in by button, at the method step and at the second step. */
export function* signInByPasskey(deps: Deps, user: WayUser, finish: FinishSignIn): SagaGenerator<void> {
  const { username } = user;
  const asked = yield* call(askPasskey, deps, () => deps.api.passkeys.signInOptions({ username }));
  if (asked.kind === 'chosen') {
    yield* call(signInWith, deps, asked.assertion, user, finish);
    return;
  }
  yield* put(wayEnded());
  if (asked.kind === 'failed') yield* call(showPasskeyFailure, passkeyMessages.failed.signIn, asked.error);
}

/** Signs in with a passkey that was chosen. After a failure, returns when the dialog is closed. */
export function* signInWith(
  deps: Deps,
  assertion: contract.PasskeyAssertionRequest,
  user: WayUser,
  finish: FinishSignIn,
): SagaGenerator<void> {
  const result = yield* sendPasskey(deps, assertion, deps.api.passkeys.signIn);
  if (result.ok && (yield* call(finish, deps, result.value, user))) return;
  yield* put(wayEnded());
  yield* call(showPasskeyFailure, passkeyMessages.failed.signIn, result.ok ? null : result.error);
}
