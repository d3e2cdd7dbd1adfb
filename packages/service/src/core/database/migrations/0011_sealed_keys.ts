import { sql, type Kysely } from 'kysely';

/** Signing keys are stored as text, as `SecretBox` seals them. `sealStoredSecrets` removes those in plaintext. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('signing_keys').renameColumn('private_jwk', 'private_key').execute();
  await sql`alter table signing_keys alter column private_key type text using private_key::text`.execute(db);
}
