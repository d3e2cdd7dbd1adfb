import type { Kysely } from 'kysely';

/** How the user of a session signed in (RFC 8176). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('sessions').addColumn('amr', 'text').execute();
}
