import type { SessionRow } from '../database/tables.ts';
import { closeLinks } from '../links/links.ts';
import { closeChallenges } from '../mfa/openChallenge.ts';
import { revokeTrustedDevices } from '../mfa/trustedDevices.ts';
import type { TransactionContext } from '../serviceContext.ts';
import { endSessionsOf } from '../session/endSessions.ts';

/**
 * Ends all that was given out for the account: sessions, verified identities, set-up tokens, challenges, sign-ins under way, trusted
 * devices and links.
 *
 * @param context its transaction holds the user's row: see `withUserLocked`.
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
