import type { Kysely } from 'kysely';

/** Tells whether a user's second factors have changed since something was given because of them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('users')
    .addColumn('factors_version', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
}
