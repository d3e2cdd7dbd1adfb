import type { Deps } from '@shared/deps';
import { call } from '@shared/sagas/call.saga';
import { wayEnded } from '@shared/slots';
import { put } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { askPasskey, sendPasskey, showPasskeyFailure } from './askPasskey.saga';
import { passkeyMessages } from './passkeys.messages';

/**
 * Proves the identity of the signed-in user with a passkey.
 *
 * @param readToken - the bearer
 * @returns the verification token, or `null` after an attempt that was cancelled or refused
 */
export function* verifyByPasskey(deps: Deps, readToken: () => string): SagaGenerator<string | null> {
  const { verifyOptions, verify } = deps.api.passkeys;
  const asked = yield* call(askPasskey, deps, () => verifyOptions(readToken()));
  let error = asked.kind === 'failed' ? asked.error : null;
  if (asked.kind === 'chosen') {
    const result = yield* sendPasskey(deps, asked.assertion, (assertion) => verify(readToken(), assertion));
    if (result.ok) return result.value.authVerificationToken;
    error = result.error;
  }
  yield* put(wayEnded());
  if (asked.kind !== 'cancelled') yield* call(showPasskeyFailure, passkeyMessages.failed.verify, error);
  return null;
}
