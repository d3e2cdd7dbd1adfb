import { sql, type Kysely } from 'kysely';

/** Messages that wait to be sent, written in the transaction that needs them: see `messages/`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('outbox_messages')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('channel', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('uid', 'text', (column) => column.references('users.uid').onDelete('cascade'))
    .addColumn('topic', 'text')
    .addColumn('body', 'text', (column) => column.notNull())
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .addColumn('expires_at', 'timestamptz')
    .addColumn('give_up_at', 'timestamptz', (column) => column.notNull())
    .addColumn('due_at', 'timestamptz')
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('failed_at', 'timestamptz')
    .addColumn('last_error', 'text')
    .execute();
  await db.schema
    .createIndex('outbox_messages_due')
    .on('outbox_messages')
    .columns(['channel', 'due_at'])
    .where(sql.ref('due_at'), 'is not', null)
    .execute();
  await db.schema.createIndex('outbox_messages_uid').on('outbox_messages').column('uid').execute();
  await db.schema
    .createIndex('outbox_messages_topic')
    .on('outbox_messages')
    .column('topic')
    .where(sql.ref('topic'), 'is not', null)
    .execute();
}
