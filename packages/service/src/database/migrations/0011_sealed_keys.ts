import { sql, type Kysely } from 'kysely';

/** Signing keys are stored as `SecretBox` seals them, which is text. `sealStoredSecrets` drops those that lay readable. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('signing_keys').renameColumn('private_jwk', 'private_key').execute();
  await sql`alter table signing_keys alter column private_key type text using private_key::text`.execute(db);
}
