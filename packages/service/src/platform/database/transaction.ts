import type { Kysely, Transaction } from 'kysely';

const afterCommit = new WeakMap<object, (() => void)[]>();

/**
 * Runs work in a transaction, and after its commit the callbacks of `onceCommitted`. An error of `work` rolls it
 * back.
 */
export async function inTransaction<Tables, Result>(
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

/**
 * Runs `work` after the commit of the transaction `db` (see `inTransaction`), and never after a rollback; at once if
 * `db` is no transaction.
 */
export function onceCommitted(db: object, work: () => void): void {
  const later = afterCommit.get(db);
  if (later === undefined) work();
  else later.push(work);
}

/** The PostgreSQL setting that is on in a trial. */
export const trialSetting = 'vestibule.trial';
