import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../../service/database/tables';

/** Resolves when so many wait for a lock on this server: the sign of calls that were stopped half-way. */
export async function untilSomebodyWaits(db: Kysely<Tables>, howMany = 1): Promise<void> {
  const deadline = Date.now() + 30_000;
  for (;;) {
    // Not pg_stat_activity: a transaction does not see there who has connected since it first looked.
    const { rows } = await sql`select distinct pid from pg_locks where not granted`.execute(db);
    if (rows.length >= howMany) return;
    if (Date.now() > deadline) throw new Error('Too few wait for a lock.');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
