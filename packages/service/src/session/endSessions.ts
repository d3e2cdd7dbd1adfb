import type { Transaction } from 'kysely';
import { withAnyUserLocked } from '../accounts/lockUser.ts';
import { anyOf } from '../platform/database/anyOf.ts';
import type { SessionRow, Tables } from '../core/database/tables.ts';
import type { ServiceContext } from '../core/context.ts';
import { sessionEvents } from './events.ts';
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

/** Ends sessions of a user, and the identities that were verified in them. Ids of others are ignored. */
export async function endSomeSessions(
  { db, settings, audit }: ServiceContext,
  uid: string,
  choice: { readonly ids: readonly string[] } | { readonly allBut: string },
  reason: 'elsewhere' | 'administrator',
): Promise<void> {
  await withAnyUserLocked(db, uid, async (trx) => {
    const open = trx
      .updateTable('sessions')
      .set({ ended_at: new Date(settings.now()), end_reason: reason })
      .where('uid', '=', uid)
      .where('ended_at', 'is', null)
      .returning('id');
    const ended = await (
      'ids' in choice ? open.where('id', '=', anyOf(choice.ids)) : open.where('id', '!=', choice.allBut)
    ).execute();
    if (ended.length === 0) return;
    const ids = ended.map(({ id }) => id);
    await trx.deleteFrom('verification_tokens').where('session_id', '=', anyOf(ids)).execute();
    await audit.record(trx, { event: sessionEvents['sessions-ended'], outcome: 'success', uid });
  });
}
