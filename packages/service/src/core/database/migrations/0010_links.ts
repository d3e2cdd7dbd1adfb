import { sql, type Kysely } from 'kysely';

/** One-time links, and the credentials of API users that they create. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('links')
    .addColumn('id_hash', 'text', (column) => column.primaryKey())
    .addColumn('kind', 'text', (column) =>
      column.notNull().check(sql`kind in ('activate', 'reset-password', 'secret-key', 'application')`),
    )
    .addColumn('uid', 'text', (column) => column.references('users.uid').onDelete('cascade'))
    .addColumn('api_user', 'text')
    .addColumn('application', 'text')
    .addColumn('redirect_url', 'text')
    .addColumn('is_magic', 'boolean', (column) => column.notNull())
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .addColumn('expires_at', 'timestamptz', (column) => column.notNull())
    .addColumn('exchanged_at', 'timestamptz')
    .addColumn('used_at', 'timestamptz')
    .addCheckConstraint(
      'links_lead_somewhere',
      sql`case kind
        when 'secret-key' then api_user is not null
        when 'application' then uid is not null and application is not null and is_magic
        else uid is not null
      end`,
    )
    .execute();
  await db.schema.createIndex('links_uid').on('links').column('uid').execute();
  await db.schema.createIndex('links_expires_at').on('links').column('expires_at').execute();

  await db.schema
    .createTable('api_credentials')
    .addColumn('api_key', 'text', (column) => column.primaryKey())
    .addColumn('secret_hash', 'text', (column) => column.notNull())
    .addColumn('api_user', 'text', (column) => column.notNull())
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .execute();

  // 'Forgot password' looks up accounts by address.
  await db.schema
    .createIndex('users_email_lower')
    .on('users')
    .expression(sql`lower(email)`)
    .execute();
}
