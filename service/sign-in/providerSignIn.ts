import type { GoogleTokenRequest, MicrosoftTokenRequest, TokenAnswer } from '@contract/schema.gen';
import { findByUsername } from '../directory/accounts';
import { proveByProvider } from '../provider/proveByProvider';
import type { CallContext } from '../serviceContext';
import { answerVerifiedSignIn } from './verifiedSignIn';

/**
 * `POST /auth/v1/token` with a provider's code. Not subject to the lockout: a code cannot be guessed, and whoever fails
 * with passwords must not lock the owner out of another way in.
 *
 * @throws ServiceError as `proveByProvider` says.
 */
export async function signInWithProvider(
  context: CallContext,
  request: GoogleTokenRequest | MicrosoftTokenRequest,
): Promise<TokenAnswer> {
  const found = await findByUsername(context.db, request.username);
  const account = await proveByProvider(context, found, request.method, request);
  return answerVerifiedSignIn(context, account, request.method, request.trustedJWT);
}
