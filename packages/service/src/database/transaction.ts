import type { Kysely, Transaction } from 'kysely';
import type { Tables } from './tables.ts';

const afterCommit = new WeakMap<Kysely<Tables>, (() => void)[]>();

/** Does work in a transaction, then what the work has left to `onceCommitted`. Any error of `work` undoes all of it. */
export async function inTransaction<Result>(
  db: Kysely<Tables>,
  work: (trx: Transaction<Tables>) => Promise<Result>,
): Promise<Result> {
  const later: (() => void)[] = [];
  const result = await db.transaction().execute((trx) => {
    afterCommit.set(trx, later);
    return work(trx);
  });
  for (const one of later) one();
  return result;
}

/** Does `work` when the transaction of `db` (see `inTransaction`) has been committed, and never if it is not; at once where `db` is none. */
export function onceCommitted(db: Kysely<Tables>, work: () => void): void {
  const later = afterCommit.get(db);
  if (later === undefined) work();
  else later.push(work);
}
