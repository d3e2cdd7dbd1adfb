import { sql, type Kysely } from 'kysely';

/** Payments that users confirm. What was asked for is written once. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('confirmations')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('client_id', 'text', (column) => column.notNull())
    .addColumn('client_name', 'text', (column) => column.notNull())
    .addColumn('uid', 'text', (column) => column.notNull().references('users.uid').onDelete('cascade'))
    .addColumn('details', 'text', (column) => column.notNull())
    .addColumn('return_url', 'text')
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .addColumn('expires_at', 'timestamptz', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('decided_at', 'timestamptz')
    .addColumn('failures', 'integer', (column) => column.notNull())
    .addColumn('code_hash', 'text')
    .addColumn('method', 'text')
    .addColumn('proof', 'jsonb')
    .addColumn('receipt', 'text')
    .addColumn('receipt_key', 'jsonb')
    .addColumn('request_key', 'text', (column) => column.unique())
    .addColumn('request_hash', 'text', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('confirmations_uid').on('confirmations').column('uid').execute();
  await db.schema
    .createIndex('confirmations_open')
    .on('confirmations')
    .column('expires_at')
    .where(sql.ref('state'), '=', 'open')
    .execute();
  await db.schema.createIndex('confirmations_created_at').on('confirmations').column('created_at').execute();
}
