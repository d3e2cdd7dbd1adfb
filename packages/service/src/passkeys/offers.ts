import type { TokenResponse } from '@vestibule/contract/schema';
import { verificationOver } from '../core/errors.ts';
import type { SessionBearer } from '../core/keys/signedTokens.ts';
import type { StartedSession } from '../core/context.ts';
import type { PasskeyContext } from './settings.ts';
import { takeOnce } from './challenges.ts';

const tokenType = 'passkey-offer+jwt';

/** How long after the start of its session an offer, and the challenge that it permits, can be used, ms. */
const lifeMs = 300_000;

/** The claims of an offer. */
interface PasskeyOffer {
  /** The id of the session. */
  readonly session: string;
}

/**
 * Offers a session that began with a password to add one passkey without another proof. The session token alone must not permit
 * it, because cookies hold that token. Nothing is stored.
 */
export function offerPasskey(
  { settings, tokens }: PasskeyContext,
  { id: session, signedInBy, startedAt }: StartedSession,
): Pick<TokenResponse, 'passkeyOffer'> {
  if (settings.passkeys === undefined || signedInBy !== 'basic') return {};
  const claims = { session } satisfies PasskeyOffer;
  return { passkeyOffer: tokens.sign(tokenType, { ...claims }, new Date(startedAt + lifeMs)) };
}

/**
 * Consumes the offer of a session, even if no passkey is then added.
 *
 * @returns when the offer ends, milliseconds since 1970.
 * @throws ServiceError 401 `invalid_verification` for an offer that is expired, used, or of another session.
 */
export async function takeOffer(
  context: PasskeyContext,
  { sessionId }: SessionBearer,
  token: string,
): Promise<number> {
  const taken = await takeOnce<PasskeyOffer>(context, [tokenType, token], ({ session }) =>
    session === sessionId ? ['passkey-offer', session] : null,
  );
  if (taken === null) throw verificationOver();
  return taken.exp * 1000;
}
