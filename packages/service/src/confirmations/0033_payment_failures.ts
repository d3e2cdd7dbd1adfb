import type { Kysely } from 'kysely';

/** Failures in a row over all payments of a user, by method. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('payment_failures')
    .addColumn('uid', 'text', (column) => column.notNull().references('users.uid').onDelete('cascade'))
    .addColumn('method', 'text', (column) => column.notNull())
    .addColumn('failures', 'integer', (column) => column.notNull())
    .addColumn('blocks', 'integer', (column) => column.notNull())
    .addColumn('blocked_until', 'timestamptz')
    .addColumn('counted_at', 'timestamptz', (column) => column.notNull())
    .addPrimaryKeyConstraint('payment_failures_pkey', ['uid', 'method'])
    .execute();
}
