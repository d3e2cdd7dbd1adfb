import type { Kysely } from 'kysely';

/** RSA keys, which are rotated with the others. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('signing_keys').addColumn('rsa_key', 'text').execute();
}
