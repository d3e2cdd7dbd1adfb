import type { Kysely } from 'kysely';

/** What a mail is about, so that its sending can be noted, and the passkey that has verified an identity. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('outbox_messages').addColumn('about', 'text').execute();
  await db.schema.alterTable('verification_tokens').addColumn('element', 'text').execute();
}
