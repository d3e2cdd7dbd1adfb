import type { TokenAnswer, TokenPair } from '@shared/api/api';

/** What a token answer asks for next (specification §4, login flow 4). */
export type AfterToken =
  | { readonly kind: 'setup'; readonly mfaToken: string }
  | {
      readonly kind: 'challenge';
      readonly authVerificationToken: string;
      readonly mfaType: 'authy' | 'mfa';
      readonly authyId: string | null;
      readonly uid: string | null;
    }
  /** A second step is required but cannot be taken: 'Authentication error. Please try again.' */
  | { readonly kind: 'challengeBroken' }
  | { readonly kind: 'session'; readonly tokens: TokenPair }
  /** Neither tokens nor a next step: counts as a failed call. */
  | { readonly kind: 'empty' };

/** Reads a token answer in the specification's order: set-up first, then the challenge, then the session. */
export function afterTokenDecision(answer: TokenAnswer): AfterToken {
  if (answer.mfaJWT) return { kind: 'setup', mfaToken: answer.mfaJWT };
  if (answer.mfaRequired) {
    const { authVerificationToken, mfaType, authyId = null, uid = null } = answer;
    if (!authVerificationToken || !mfaType) return { kind: 'challengeBroken' };
    return { kind: 'challenge', authVerificationToken, mfaType, authyId, uid };
  }
  const { token, refresh } = answer;
  return token && refresh ? { kind: 'session', tokens: { token, refresh } } : { kind: 'empty' };
}
