import { readSession, type Claims } from '@features/session';
import { askConfirm } from '@features/ui-dialogs';
import { ApiError } from '@shared/api/apiError';
import type { Deps } from '@shared/deps';
import type { VaultContents } from '@shared/ports/vault';
import { callApi, type ApiResult } from '@shared/sagas/callApi.saga';
import { call } from '@shared/sagas/call.saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { turnOffMessages } from './turnOff.messages';

export function* confirmTurnOff(): SagaGenerator<boolean> {
  return yield* call(askConfirm, turnOffMessages.dialog);
}

/**
 * Turns two-step verification off after identity was verified: sends the password again where the account has one,
 * otherwise the verification token alone.
 */
export function* disableMfa(deps: Deps): SagaGenerator<ApiResult<void>> {
  const { api, vault } = deps;
  const stored = readSession(deps);
  const proof = vault.get('verification');
  if (stored.kind !== 'present' || !proof) return { ok: false, error: new ApiError('unexpected') };
  return yield* callApi(api.mfa.disable, stored.tokens.token, bodyOf(stored.claims, proof));
}

/** The body of the call. A session token with `isMfaSetup` replaces the verification token, but then the password is sent. */
function bodyOf(
  { isMfaSetup }: Pick<Claims, 'isMfaSetup'>,
  proof: VaultContents['verification'],
): VaultContents['verification'] | { readonly password: string } {
  const { password } = proof;
  return isMfaSetup && password !== undefined ? { password } : proof;
}
