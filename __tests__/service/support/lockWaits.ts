import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../../service/database/tables';

/** Resolves when somebody waits for a lock in this database: the sign of a call that was stopped half-way. */
export async function untilSomebodyWaits(db: Kysely<Tables>): Promise<void> {
  const deadline = Date.now() + 30_000;
  for (;;) {
    const { rows } = await sql`select pid from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
    if (rows.length > 0) return;
    if (Date.now() > deadline) throw new Error('Nobody waits for a lock.');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
