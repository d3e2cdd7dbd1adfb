import type { SignInMethod, TokenAnswer } from '@contract/schema.gen';
import type { MfaFactorRow } from '../database/tables';
import { hashOfToken, newOpaqueToken } from '../security/opaqueTokens';
import type { ServiceContext } from '../serviceContext';

/**
 * Answers a sign-in with an MFA challenge. Its `authVerificationToken` stands for the proof already given and is
 * stored hashed.
 */
export async function startChallenge(
  { db, settings }: Pick<ServiceContext, 'db' | 'settings'>,
  uid: string,
  method: SignInMethod,
  factor: MfaFactorRow,
): Promise<TokenAnswer> {
  const authVerificationToken = newOpaqueToken();
  const now = settings.now();
  await db
    .insertInto('verification_tokens')
    .values({
      token_hash: hashOfToken(authVerificationToken),
      uid,
      purpose: 'challenge',
      method,
      mfa_type: factor.type,
      session_id: null,
      created_at: new Date(now),
      expires_at: new Date(now + settings.challengeSeconds * 1000),
    })
    .execute();
  return {
    mfaRequired: true,
    mfaType: factor.type,
    authVerificationToken,
    uid,
    ...(factor.authy_id === null ? {} : { authyId: factor.authy_id }),
  };
}
