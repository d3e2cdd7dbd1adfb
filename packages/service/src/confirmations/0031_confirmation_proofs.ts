import type { Kysely } from 'kysely';

/** What an application demands of the proof, what a receipt says of it, and signed events. Evidence stays when an account is erased. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('confirmations')
    .alterColumn('uid', (column) => column.dropNotNull())
    .addColumn('pseudonym', 'text')
    .addColumn('methods', 'jsonb')
    .addColumn('max_auth_age', 'integer')
    .addColumn('identity', 'jsonb')
    .addColumn('texted', 'jsonb')
    .addColumn('event', 'text')
    .execute();
}
