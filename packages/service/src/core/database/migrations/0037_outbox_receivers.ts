import { sql, type Kysely } from 'kysely';

/** Posts to each address are sent independently of those to others. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('outbox_messages').addColumn('receiver', 'text').execute();
  await db.schema
    .createIndex('outbox_messages_lane')
    .on('outbox_messages')
    .columns(['channel', 'receiver', 'due_at'])
    .where(sql.ref('due_at'), 'is not', null)
    .execute();
  await db.schema.dropIndex('outbox_messages_due').execute();
}
