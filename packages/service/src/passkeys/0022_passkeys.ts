import { sql, type Kysely } from 'kysely';

/**
 * Passkeys. The handle of a user, which authenticators store, is written when it is first needed: a default would rewrite
 * the table of users. The secret makes the credentials of unknown usernames the same each time.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('users').addColumn('user_handle', 'text').execute();
  await db.schema.createIndex('users_user_handle').unique().on('users').column('user_handle').execute();

  await db.schema
    .createTable('passkeys')
    .addColumn('credential_id', 'text', (column) => column.primaryKey())
    .addColumn('uid', 'text', (column) => column.notNull().references('users.uid').onDelete('cascade'))
    .addColumn('public_key', 'text', (column) => column.notNull())
    .addColumn('counter', 'bigint', (column) => column.notNull())
    .addColumn('transports', 'text', (column) => column.notNull())
    .addColumn('is_syncable', 'boolean', (column) => column.notNull())
    .addColumn('is_synced', 'boolean', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .addColumn('last_used_at', 'timestamptz')
    .execute();
  await db.schema.createIndex('passkeys_uid').on('passkeys').columns(['uid', 'created_at']).execute();
  await sql`
    create trigger announce after insert or update or delete on passkeys for each row
    execute function announce_account_change('passkeys')`.execute(db);

  await db.schema
    .createTable('service_secrets')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('value', 'text', (column) => column.notNull())
    .execute();
  await sql`
    insert into service_secrets
    values ('passkeys', gen_random_uuid()::text || gen_random_uuid()::text)`.execute(db);
}
