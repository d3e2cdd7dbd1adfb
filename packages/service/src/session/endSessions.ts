import type { Transaction } from 'kysely';
import type { SessionRow, Tables } from '../database/tables.ts';
import { closeIdentityChecks } from './identityTokens.ts';

/**
 * Ends every session of the user, and the identities that were verified in them. A change that is in progress must
 * consume a verified identity, and so cannot outlive its session.
 *
 * @param trx holds the lock of the user's row: see `withUserLocked`.
 */
export async function endSessionsOf(
  trx: Transaction<Tables>,
  uid: string,
  reason: NonNullable<SessionRow['end_reason']>,
  now: Date,
): Promise<void> {
  await trx
    .updateTable('sessions')
    .set({ ended_at: now, end_reason: reason })
    .where('uid', '=', uid)
    .where('ended_at', 'is', null)
    .execute();
  await closeIdentityChecks(trx, uid);
}
