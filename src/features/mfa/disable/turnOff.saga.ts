import { readSession, type Claims } from '@features/session';
import { askConfirm } from '@features/ui-dialogs';
import { ApiError } from '@shared/api/apiError';
import type { Deps } from '@shared/deps';
import type { VaultContents } from '@shared/platform/vault';
import { attempt, type Attempt } from '@shared/sagas/attempt.saga';
import { call } from '@shared/sagas/call.saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { turnOffMessages } from './turnOff.messages';

/** The Turn Off confirmation (specification §2, account settings). */
export function* confirmTurnOff(): SagaGenerator<boolean> {
  const { title, message, cancel, confirm } = turnOffMessages;
  return yield* call(askConfirm, {
    id: 'turn-off-mfa',
    title,
    message,
    confirmLabel: confirm,
    cancelLabel: cancel,
    tone: 'danger',
  });
}

/**
 * Turns two-step verification off for somebody who has just proved their identity: with the password once more where
 * there is one, with the token alone otherwise (decisions §15).
 */
export function* disableMfa({
  api,
  vault,
  ...deps
}: Pick<Deps, 'api' | 'config' | 'cookies' | 'vault'>): SagaGenerator<Attempt<void>> {
  const stored = readSession(deps);
  const proof = vault.get('verification');
  if (stored.kind !== 'present' || !proof) return { ok: false, error: new ApiError('unexpected') };
  return yield* attempt(api.mfa.disable, stored.tokens.token, bodyOf(stored.claims, proof));
}

/** A token with `isMfaSetup` takes the place of the verification token (specification §6), but one proof is always sent. */
function bodyOf(
  { isMfaSetup }: Pick<Claims, 'isMfaSetup'>,
  proof: VaultContents['verification'],
): VaultContents['verification'] | { readonly password: string } {
  const { password } = proof;
  return isMfaSetup && password !== undefined ? { password } : proof;
}
