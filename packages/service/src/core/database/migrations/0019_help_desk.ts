import type { Kysely } from 'kysely';

/** An account may require a new password, and the audit log names the administrator. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('users')
    .addColumn('must_change_password', 'boolean', (column) => column.notNull().defaultTo(false))
    .execute();
  await db.schema.alterTable('audit_log').addColumn('administrator', 'text').execute();
}
