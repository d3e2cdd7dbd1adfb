import type { Kysely } from 'kysely';

/** How the passkeys and phones of users were added, and when they may confirm payments. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('payment_elements')
    .addColumn('uid', 'text', (column) => column.notNull().references('users.uid').onDelete('cascade'))
    .addColumn('element', 'text', (column) => column.notNull())
    .addColumn('added_at', 'timestamptz', (column) => column.notNull())
    .addColumn('added_by', 'text', (column) => column.notNull())
    .addColumn('permitted_at', 'timestamptz')
    .addColumn('mailed_at', 'timestamptz')
    .addColumn('denied_at', 'timestamptz')
    .addColumn('needs_use', 'boolean', (column) => column.notNull())
    .addColumn('code_hash', 'text')
    .addColumn('code_phone', 'text')
    .addColumn('code_expires_at', 'timestamptz')
    .addPrimaryKeyConstraint('payment_elements_pkey', ['uid', 'element'])
    .execute();
}
