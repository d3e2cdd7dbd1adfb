import type { MagicLinkAnswer, TokenAnswer, TokenRequest } from '@contract/schema.gen';
import { notImplemented } from '../errors';
import type { ServiceContext } from '../serviceContext';
import { signInWithPassword } from './passwordSignIn';

/**
 * `POST /auth/v1/token`: the forms of the contract's `TokenRequest`, told apart by their properties. The provider,
 * MFA-code, resend and magic-link forms answer 501 until their capability is built.
 */
export async function createToken(
  context: ServiceContext,
  request: TokenRequest,
): Promise<TokenAnswer | MagicLinkAnswer> {
  if ('password' in request) return signInWithPassword(context, request);
  throw notImplemented();
}
