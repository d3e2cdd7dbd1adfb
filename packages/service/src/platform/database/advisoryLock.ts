import { sql, type Kysely } from 'kysely';

/** The id of the lock, unique in the database. */
const housekeepingLock = 7_303_014_771;

/**
 * Runs housekeeping unless another process holds the lock. The lock belongs to the connection, so PostgreSQL releases
 * it when a process dies.
 *
 * @param work must use the database that it is given: the embedded one has a single connection.
 */
export async function advisoryLock<Tables>(
  db: Kysely<Tables>,
  work: (db: Kysely<Tables>) => Promise<void>,
): Promise<void> {
  await db.connection().execute(async (own) => {
    const { rows } = await sql<{ isFree: boolean }>`
      select pg_try_advisory_lock(${housekeepingLock}) as "isFree"`.execute(own);
    if (rows[0]?.isFree !== true) return;
    try {
      await work(own);
    } finally {
      await sql`select pg_advisory_unlock(${housekeepingLock})`.execute(own);
    }
  });
}
