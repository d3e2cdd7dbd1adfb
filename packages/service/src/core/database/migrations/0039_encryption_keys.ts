import { sql, type Kysely } from 'kysely';

/** The encryption keys in use, and the processes with the keys that each has. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('encryption_keys')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .execute();
  await db.schema
    .createTable('processes')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('encryption_keys', sql`text[]`, (column) => column.notNull())
    .addColumn('sealing_key', 'text', (column) => column.notNull())
    .addColumn('seen_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .execute();
}
