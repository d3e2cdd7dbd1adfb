import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../src/core/database/tables.ts';

/** Resolves when this many calls wait for a lock in this database: they were stopped half-way. */
export async function waitForLockWaits(db: Kysely<Tables>, howMany = 1): Promise<void> {
  const deadline = Date.now() + 30_000;
  for (;;) {
    // Otherwise a transaction does not see connections in pg_stat_activity that were made since its first query.
    await sql`select pg_stat_clear_snapshot()`.execute(db);
    const { rows } = await sql`select distinct pid from pg_locks join pg_stat_activity using (pid)
      where not granted and datname = current_database()`.execute(db);
    if (rows.length >= howMany) return;
    if (Date.now() > deadline) throw new Error('Too few wait for a lock.');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
