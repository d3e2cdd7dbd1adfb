import { sql, type Kysely } from 'kysely';

/** The hashed files of the page of the last releases: see `page/keptFiles.ts`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('page_builds')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('part', 'text', (column) => column.notNull())
    .addColumn('files', 'jsonb', (column) => column.notNull())
    .addColumn('seal', 'text', (column) => column.notNull())
    .addColumn('used_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .execute();
  await db.schema
    .createTable('page_files')
    .addColumn('hash', 'text', (column) => column.primaryKey())
    .addColumn('content', 'bytea', (column) => column.notNull())
    .execute();
  // It is compressed already.
  await sql`alter table page_files alter column content set storage external`.execute(db);
}
