import type { Kysely } from 'kysely';

/** A version of a user's second factors, to detect changes since a token was issued. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('users')
    .addColumn('factors_version', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
}
