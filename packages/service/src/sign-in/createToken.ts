import type {
  GoogleTokenRequest,
  MagicLinkResponse,
  MicrosoftTokenRequest,
  TokenResponse,
  TokenRequest,
} from '@vestibule/contract/schema';
import { findByUsername } from '../accounts/accounts.ts';
import type { Attempt } from '../audit/refusals.ts';
import { proveByProvider } from '../identity/proveByProvider.ts';
import { exchangeMagicLink } from '../links/exchangeMagicLink.ts';
import { answerChallenge } from '../mfa/answerChallenge.ts';
import { resendCode } from '../mfa/challenge.ts';
import type { CallContext } from '../serviceContext.ts';
import { signInWithPassword } from './passwordSignIn.ts';
import { answerVerifiedSignIn } from './verifiedSignIn.ts';

/**
 * `POST /auth/v1/token`: the forms of the contract's `TokenRequest`, told apart by their properties. The MFA-code and
 * resend forms may bring the password or a provider's code along, which were used at the first call; so they are told by
 * what they have more.
 */
export async function createToken(
  context: CallContext,
  request: TokenRequest,
): Promise<TokenResponse | MagicLinkResponse> {
  if ('mfaCode' in request) return answerChallenge(context, request);
  if ('authVerificationToken' in request) return resendCode(context, request);
  if ('password' in request) return signInWithPassword(context, request);
  if (request.method === 'magiclink') return exchangeMagicLink(context, request);
  return signInWithProvider(context, request);
}

/** What such a request attempts, for the audit log. */
export function attemptOf(request: TokenRequest): Attempt {
  if ('authVerificationToken' in request) return { event: 'second-step', username: request.username };
  if ('magiclinkId' in request) return { event: 'link-used', method: 'application' };
  return { event: 'sign-in', username: request.username, method: request.method };
}

/**
 * `POST /auth/v1/token` with a provider's code. Not subject to the lockout: a code cannot be guessed, and failed
 * passwords must not lock the owner out of another way in.
 *
 * @throws ServiceError as `proveByProvider` says.
 */
async function signInWithProvider(
  context: CallContext,
  request: GoogleTokenRequest | MicrosoftTokenRequest,
): Promise<TokenResponse> {
  const found = await findByUsername(context.db, request.username);
  const account = await proveByProvider(context, found, request.method, request);
  return answerVerifiedSignIn(context, account, request.method, request.trustedJWT);
}
