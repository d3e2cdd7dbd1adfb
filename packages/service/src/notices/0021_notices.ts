import type { Kysely } from 'kysely';

/** The devices on which a user has signed in, and what mails have asked the user about ('Was this you?'). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('known_devices')
    .addColumn('token_hash', 'text', (column) => column.notNull())
    .addColumn('uid', 'text', (column) => column.notNull().references('users.uid').onDelete('cascade'))
    .addColumn('used_at', 'timestamptz', (column) => column.notNull())
    .addPrimaryKeyConstraint('known_devices_pkey', ['token_hash', 'uid'])
    .execute();
  await db.schema.createIndex('known_devices_uid').on('known_devices').column('uid').execute();

  await db.schema
    .createTable('notices')
    .addColumn('id_hash', 'text', (column) => column.primaryKey())
    .addColumn('uid', 'text', (column) => column.notNull().references('users.uid').onDelete('cascade'))
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('session_id', 'text')
    .addColumn('browser', 'text')
    .addColumn('system', 'text')
    .addColumn('network', 'text')
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .addColumn('expires_at', 'timestamptz', (column) => column.notNull())
    .addColumn('answer', 'text')
    .execute();
  await db.schema.createIndex('notices_uid').on('notices').columns(['uid', 'created_at']).execute();
}
