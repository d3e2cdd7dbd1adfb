import { sessionEnded } from '../core/errors.ts';
import { ServiceError } from '../platform/errors.ts';
import type { SessionBearer } from '../core/keys/signedTokens.ts';
import type { PaymentContext } from './settings.ts';
import { signInOf, type Authentication } from '../session/authentication.ts';
import { confirmationTexts } from './confirmations.messages.ts';
import type { ConfirmationRow } from './tables.ts';

/**
 * The proof of identity that a receipt names: the latest one for this confirmation in this session, otherwise the sign-in.
 *
 * @throws ServiceError 401 `unauthorized` if the session has ended.
 */
export async function authenticationOf(
  { db }: PaymentContext,
  { identity }: Pick<ConfirmationRow, 'identity'>,
  { sessionId }: Pick<SessionBearer, 'sessionId'>,
): Promise<Authentication> {
  const session = await db
    .selectFrom('sessions')
    .select(['created_at', 'amr', 'method'])
    .where('id', '=', sessionId)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  if (session === undefined) throw sessionEnded('unauthorized');
  return identity?.sessionId === sessionId ? identity : signInOf(session);
}

/** Whether the application demands a more recent proof than the sign-in. A proof for this confirmation counts until its end. */
export async function needsIdentity(
  context: PaymentContext,
  row: Pick<ConfirmationRow, 'state' | 'identity' | 'max_auth_age'>,
  bearer: Pick<SessionBearer, 'sessionId'>,
): Promise<boolean> {
  const { state, identity, max_auth_age: maxAuthAge } = row;
  if (state !== 'open' || maxAuthAge === null || identity?.sessionId === bearer.sessionId) return false;
  return isTooOld(context, row, await authenticationOf(context, row, bearer));
}

/** Whether a proof is older than the application accepts. */
export const isTooOld = (
  { settings }: PaymentContext,
  { max_auth_age: maxAuthAge }: Pick<ConfirmationRow, 'max_auth_age'>,
  { at }: Pick<Authentication, 'at'>,
): boolean => maxAuthAge !== null && settings.now() - at > maxAuthAge * 1000;

/** @throws ServiceError 403 `identity_required`. */
export async function expectIdentity(...given: Parameters<typeof needsIdentity>): Promise<void> {
  if (await needsIdentity(...given))
    throw new ServiceError(403, 'identity_required', confirmationTexts.identityRequired);
}
