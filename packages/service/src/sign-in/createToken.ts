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
import { submitChallenge } from '../mfa/submitChallenge.ts';
import { resendCode } from '../mfa/challenge.ts';
import type { CallContext } from '../serviceContext.ts';
import { signInWithPassword } from './passwordSignIn.ts';
import { completeSignIn } from './verifiedSignIn.ts';

/**
 * `POST /auth/v1/token`: the variants of the contract's `TokenRequest`, distinguished by their properties. Requests
 * with a code, and for a new code, may repeat the password or provider code of the first request, so their own
 * properties are tested first.
 */
export async function createToken(
  context: CallContext,
  request: TokenRequest,
): Promise<TokenResponse | MagicLinkResponse> {
  if ('mfaCode' in request) return submitChallenge(context, request);
  if ('authVerificationToken' in request) return resendCode(context, request);
  if ('password' in request) return signInWithPassword(context, request);
  if (request.method === 'magiclink') return exchangeMagicLink(context, request);
  return signInWithProvider(context, request);
}

/** The attempt of a request, for the audit log. */
export function attemptOf(request: TokenRequest): Attempt {
  if ('authVerificationToken' in request) return { event: 'second-step', username: request.username };
  if ('magiclinkId' in request) return { event: 'link-used', method: 'application' };
  return { event: 'sign-in', username: request.username, method: request.method };
}

/**
 * `POST /auth/v1/token` with a provider's code. Not subject to the lockout: a code cannot be guessed, and failed
 * passwords must not block the owner's other method.
 *
 * @throws ServiceError as `proveByProvider`.
 */
async function signInWithProvider(
  context: CallContext,
  request: GoogleTokenRequest | MicrosoftTokenRequest,
): Promise<TokenResponse> {
  const found = await findByUsername(context.db, request.username);
  const account = await proveByProvider(context, found, request.method, request);
  return completeSignIn(context, account, request.method, request.trustedJWT);
}
