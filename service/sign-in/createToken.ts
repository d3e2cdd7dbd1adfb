import type { MagicLinkAnswer, TokenAnswer, TokenRequest } from '@contract/schema.gen';
import { notImplemented } from '../errors';
import type { ServiceContext } from '../serviceContext';
import { signInWithPassword } from './passwordSignIn';
import { signInWithProvider } from './providerSignIn';

/**
 * `POST /auth/v1/token`: the forms of the contract's `TokenRequest`, told apart by their properties. The MFA-code,
 * resend and magic-link forms answer 501 until their capability is built. The first two may bring a provider's code
 * along, which is not exchanged again.
 */
export async function createToken(
  context: ServiceContext,
  request: TokenRequest,
): Promise<TokenAnswer | MagicLinkAnswer> {
  if ('password' in request) return signInWithPassword(context, request);
  if ('authVerificationToken' in request || request.method === 'magiclink') throw notImplemented();
  return signInWithProvider(context, request);
}
