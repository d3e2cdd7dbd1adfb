import { sql, type Kysely } from 'kysely';

/** The sessions of oidc-provider are stored and found by the session of the family. They hold the proofs, and access tokens are opaque. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index openid_artifacts_session`.execute(db);
  await sql`create index openid_artifacts_session on openid_artifacts (session_id) where model in ('Connection', 'Session')`.execute(
    db,
  );
  await sql`delete from openid_artifacts where model in ('Proof', 'AccessToken')`.execute(db);
}
