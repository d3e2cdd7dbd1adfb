import { sql, type Kysely } from 'kysely';

/** The database is behind a connection pooler that the service cannot use. */
export class PoolingError extends Error {
  override readonly name = 'PoolingError';

  constructor() {
    super(
      'DATABASE_URL leads to a connection pooler in transaction mode, which loses announcements and locks: set it to session mode.',
    );
  }
}

/**
 * Refuses a pooler that assigns its connections for a transaction or a statement only. Behind it, two open connections
 * share a process of the server, or one of them changes its process, which is impossible otherwise. The order detects poolers
 * that assign connections in turn or the latest first; repeating it detects them under load too.
 *
 * @throws PoolingError
 */
export async function refuseTransactionPooling<Tables>(db: Kysely<Tables>): Promise<void> {
  await db.connection().execute((one) =>
    db.connection().execute(async (other) => {
      const processes = new Set<string>();
      const pairs = new Set<string>();
      for (const connection of [one, other, other, one, one, other, other, one]) {
        const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(connection);
        const pid = String(rows[0]?.pid);
        processes.add(pid);
        pairs.add(`${connection === one ? 'one' : 'other'} ${pid}`);
        if (pairs.size > Math.min(2, processes.size)) throw new PoolingError();
      }
    }),
  );
}
