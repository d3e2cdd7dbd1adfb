import { sql, type Kysely } from 'kysely';

/** Users, the methods they may use, and failed attempts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('users')
    .addColumn('uid', 'text', (column) => column.primaryKey())
    .addColumn('username', 'text', (column) => column.notNull())
    .addColumn('username_key', 'text', (column) => column.notNull().unique())
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('first_name', 'text', (column) => column.notNull())
    .addColumn('last_name', 'text', (column) => column.notNull())
    .addColumn('password_hash', 'text')
    .addColumn('password_changed_at', 'timestamptz')
    .addColumn('personas', 'jsonb', (column) => column.notNull())
    .addColumn('must_set_up_mfa', 'boolean', (column) => column.notNull())
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .execute();

  await db.schema
    .createTable('login_methods')
    .addColumn('uid', 'text', (column) => column.notNull().references('users.uid').onDelete('cascade'))
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('method', 'text', (column) =>
      column.notNull().check(sql`method in ('basic', 'google', 'microsoft')`),
    )
    .addColumn('tenant_id', 'text')
    .addColumn('client_id', 'text')
    .addPrimaryKeyConstraint('login_methods_pkey', ['uid', 'method'])
    .addCheckConstraint(
      'login_methods_microsoft_configured',
      sql`method <> 'microsoft' or (tenant_id is not null and client_id is not null)`,
    )
    .execute();

  await db.schema
    .createTable('sign_in_attempts')
    .addColumn('subject', 'text', (column) => column.primaryKey())
    .addColumn('failures', 'integer', (column) => column.notNull())
    .addColumn('last_failed_at', 'timestamptz', (column) => column.notNull())
    .addColumn('locked_until', 'timestamptz')
    .execute();
}
