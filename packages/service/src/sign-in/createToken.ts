import type {
  GoogleTokenRequest,
  MagicLinkResponse,
  MicrosoftTokenRequest,
  TokenResponse,
  TokenRequest,
} from '@vestibule/contract/schema';
import { sessionEvents } from '../session/events.ts';
import { linkEvents } from '../links/events.ts';
import { mfaEvents } from '../mfa/events.ts';
import { findByUsername } from '../accounts/accounts.ts';
import { recordingRefusal, type Attempt } from '../core/audit/refusals.ts';
import { proveByProvider } from '../identity/proveByProvider.ts';
import { exchangeMagicLink } from '../links/exchangeMagicLink.ts';
import { submitChallenge } from '../mfa/submitChallenge.ts';
import { resendCode } from '../mfa/challenge.ts';
import type { CallContext } from '../core/context.ts';
import { signInWithPassword } from './passwordSignIn.ts';
import { completeSignIn } from './verifiedSignIn.ts';

/**
 * `POST /auth/v1/token`: one of five operations, which the properties of the request tell apart. Requests with a code, and
 * for a new code, may repeat the password or provider code of the first request, so their own properties are tested first.
 */
export function createToken(
  context: CallContext,
  request: TokenRequest,
): Promise<TokenResponse | MagicLinkResponse> {
  const recorded = <Response>(attempt: Attempt, work: () => Promise<Response>): Promise<Response> =>
    recordingRefusal(context, attempt, work);
  if ('authVerificationToken' in request) {
    const attempt: Attempt = { event: mfaEvents['second-step'], username: request.username };
    return 'mfaCode' in request
      ? recorded(attempt, () => submitChallenge(context, request))
      : recorded(attempt, () => resendCode(context, request));
  }
  if (request.method === 'magiclink')
    return recorded({ event: linkEvents['link-used'], method: 'application' }, () =>
      exchangeMagicLink(context, request),
    );
  const attempt: Attempt = {
    event: sessionEvents['sign-in'],
    username: request.username,
    method: request.method,
  };
  return 'password' in request
    ? recorded(attempt, () => signInWithPassword(context, request))
    : recorded(attempt, () => signInWithProvider(context, request));
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
