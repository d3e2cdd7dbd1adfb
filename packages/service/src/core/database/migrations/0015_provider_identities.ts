import { sql, type Kysely } from 'kysely';

/** The provider identities of accounts: bound by the first sign-in or by an administrator. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('provider_identities')
    .addColumn('uid', 'text', (column) => column.notNull().references('users.uid').onDelete('cascade'))
    .addColumn('method', 'text', (column) => column.notNull().check(sql`method in ('google', 'microsoft')`))
    .addColumn('issuer', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('is_assigned', 'boolean', (column) => column.notNull())
    .addColumn('bound_at', 'timestamptz', (column) => column.notNull())
    .addPrimaryKeyConstraint('provider_identities_pkey', ['uid', 'method'])
    .execute();
  await db.schema
    .createIndex('provider_identities_identity')
    .on('provider_identities')
    .columns(['issuer', 'subject'])
    .execute();
  // One account for one identity, unless an administrator has bound it.
  await db.schema
    .createIndex('provider_identities_unassigned')
    .on('provider_identities')
    .columns(['issuer', 'subject'])
    .unique()
    .where(sql.ref('is_assigned'), '=', false)
    .execute();

  await db.schema
    .alterTable('users')
    .addColumn('identities_version', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
}
