import type { Kysely, Transaction } from 'kysely';
import { userColumns, type Tables, type UserRow } from '../database/tables.ts';
import { inTransaction } from '../database/transaction.ts';

/**
 * Does work in a transaction that holds the user's row, so that a user's password, sessions, factors and links change
 * one step after another, always locked in this order. Any error of `work` undoes all of it.
 *
 * @returns `null`, without any work, for an unknown user and for one whose account is disabled.
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

/** The same for an administrator, who may change a disabled account. @returns `null` for an unknown user. */
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
      // Rows that only refer to the user need not wait.
      .forNoKeyUpdate()
      .executeTakeFirst();
    return user === undefined ? null : work(trx, user);
  });
}
