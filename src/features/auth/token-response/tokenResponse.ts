import type { Destination } from '@features/session';
import { createAction } from '@reduxjs/toolkit';
import type { LoginMethodName, TokenResponse, TokenPair, TwoStepMethod } from '@shared/api/decoders';

/** What `/two-auth` shows and sends. Token, code and verifier are in the vault. */
export interface Challenge {
  readonly username: string;
  readonly method: LoginMethodName;
  readonly secondStep: TwoStepMethod;
  readonly authyId: string | null;
  readonly uid: string | null;
}

/** The token response requires a challenge. */
export const challengeIssued = createAction<Challenge>('challenge/challengeIssued');

/** There is a session, from this sign-in or an earlier one. */
export const signInCompleted = createAction<Destination>('signIn/signInCompleted');

/** The next step after a token response. */
export type TokenDecision =
  | { readonly kind: 'setup'; readonly mfaToken: string }
  | ({ readonly kind: 'challenge'; readonly authVerificationToken: string } & Pick<
      Challenge,
      'secondStep' | 'authyId' | 'uid'
    >)
  /** The challenge has no token: 'Authentication error. Please try again.' */
  | { readonly kind: 'challengeBroken' }
  /** A challenge that does not name its second step leads back to `/login`. */
  | { readonly kind: 'challengeUntyped' }
  | { readonly kind: 'session'; readonly tokens: TokenPair }
  /** The response has neither tokens nor a further step and counts as a failed call. */
  | { readonly kind: 'empty' };

/** Reads a token response in the order of docs/behaviour.md#token-response: setup mode, challenge, session. */
export function decideTokenResponse(response: TokenResponse): TokenDecision {
  if (response.mfaJWT) return { kind: 'setup', mfaToken: response.mfaJWT };
  if (response.mfaRequired) {
    const { authVerificationToken, secondStep, authyId = null, uid = null } = response;
    if (!authVerificationToken) return { kind: 'challengeBroken' };
    if (!secondStep) return { kind: 'challengeUntyped' };
    return { kind: 'challenge', authVerificationToken, secondStep, authyId, uid };
  }
  const { token, refresh } = response;
  return token && refresh ? { kind: 'session', tokens: { token, refresh } } : { kind: 'empty' };
}
