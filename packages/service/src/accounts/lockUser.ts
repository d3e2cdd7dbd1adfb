import type { Kysely, Transaction } from 'kysely';
import { userColumns, type Tables, type UserRow } from '../core/database/tables.ts';
import { inTransaction } from '../platform/database/transaction.ts';

/**
 * Runs work in a transaction that locks the user's row, so that changes of a user's password, sessions, factors and
 * links are serialised and cannot deadlock. Any error of `work` rolls it back.
 *
 * @returns `null`, without running the work, for an unknown user and for a disabled account.
 */
export function withUserLocked<Result>(
  db: Kysely<Tables>,
  uid: string,
  work: (trx: Transaction<Tables>, user: UserRow) => Promise<Result>,
): Promise<Result | null> {
  return withAnyUserLocked(db, uid, async (trx, user) =>
    user.disabled_at === null ? work(trx, user) : null,
  );
}

/** As `withUserLocked`, for an administrator, who may change a disabled account. @returns `null` for an unknown user. */
export function withAnyUserLocked<Result>(
  db: Kysely<Tables>,
  uid: string,
  work: (trx: Transaction<Tables>, user: UserRow) => Promise<Result>,
): Promise<Result | null> {
  return inTransaction(db, async (trx) => {
    const user = await trx
      .selectFrom('users')
      .select(userColumns)
      .where('uid', '=', uid)
      // This lock does not block inserts that only reference the user.
      .forNoKeyUpdate()
      .executeTakeFirst();
    return user === undefined ? null : work(trx, user);
  });
}
