import type { Transaction } from 'kysely';
import type { Tables } from '../core/database/tables.ts';
import { sessionEnded } from '../core/errors.ts';
import type { SessionBearer } from '../core/keys/signedTokens.ts';

/**
 * Checks the session of a bearer once more: it may have ended since the bearer was checked, which is before the body arrives.
 *
 * @param trx holds the lock of the user's row, so that the session cannot end before its commit: see `withUserLocked`.
 * @throws ServiceError 401 `unauthorized`.
 */
export async function expectOpenSession(
  trx: Transaction<Tables>,
  { sessionId }: Pick<SessionBearer, 'sessionId'>,
): Promise<void> {
  const session = await trx
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', sessionId)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  if (session === undefined) throw sessionEnded('unauthorized');
}
