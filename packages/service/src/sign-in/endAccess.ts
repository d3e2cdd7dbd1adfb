import type { SessionRow } from '../database/tables.ts';
import { closeLinks } from '../links/links.ts';
import { closeChallenges } from '../mfa/openChallenge.ts';
import { revokeTrustedDevices } from '../mfa/trustedDevices.ts';
import type { TransactionContext } from '../serviceContext.ts';
import { endSessionsOf } from '../session/endSessions.ts';

/**
 * Ends all access that was granted for the account: sessions, verified identities, setup tokens, challenges, sign-ins
 * in progress, trusted devices and links.
 *
 * @param context its transaction locks the user's row: see `withUserLocked`.
 */
export async function endAccess(
  { db, settings }: Pick<TransactionContext, 'db' | 'settings'>,
  uid: string,
  reason: NonNullable<SessionRow['end_reason']>,
): Promise<void> {
  await endSessionsOf(db, uid, reason, new Date(settings.now()));
  await closeChallenges(db, uid);
  await revokeTrustedDevices(db, uid);
  await closeLinks({ db, settings }, uid);
  await db
    .updateTable('users')
    .set((eb) => ({ identities_version: eb('identities_version', '+', 1) }))
    .where('uid', '=', uid)
    .execute();
}
