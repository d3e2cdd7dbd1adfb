import { readSession } from '@features/session';
import { ApiError } from '@shared/api/apiError';
import type { Deps } from '@shared/deps';
import { attempt, type Attempt } from '@shared/sagas/attempt.saga';
import type { SagaGenerator } from 'typed-redux-saga';

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
  return yield* attempt(api.mfa.disable, stored.tokens.token, proof);
}
