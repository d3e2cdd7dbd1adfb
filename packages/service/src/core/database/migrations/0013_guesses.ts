import { sql, type Kysely } from 'kysely';

/** Attempts are counted per source, within a window and a day. Earlier counts apply to every source. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('sign_in_attempts')
    .addColumn('scope', 'text', (column) => column.notNull().defaultTo(''))
    .addColumn('locks', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('day_failures', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('day_ends_at', 'timestamptz')
    .addColumn('known_until', 'timestamptz')
    .execute();
  await sql`update sign_in_attempts set scope = subject`.execute(db);
  await db.schema.createIndex('sign_in_attempts_scope').on('sign_in_attempts').column('scope').execute();
}
