import { sql, type Kysely } from 'kysely';

/** What oidc-provider stores, by the hash of its id: see `artifacts.ts`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('openid_artifacts')
    .addColumn('id_hash', 'text', (column) => column.primaryKey())
    .addColumn('model', 'text', (column) => column.notNull())
    .addColumn('uid', 'text', (column) => column.references('users.uid').onDelete('cascade'))
    .addColumn('session_id', 'text')
    .addColumn('client_id', 'text')
    .addColumn('grant_id', 'text')
    .addColumn('payload', 'jsonb', (column) => column.notNull())
    .addColumn('expires_at', 'timestamptz', (column) => column.notNull())
    .addColumn('consumed_at', 'timestamptz')
    .execute();
  await sql`create index openid_artifacts_grant on openid_artifacts (grant_id) where grant_id is not null`.execute(
    db,
  );
  await sql`create index openid_artifacts_session on openid_artifacts (session_id) where model in ('Connection', 'Proof')`.execute(
    db,
  );
  await db.schema.createIndex('openid_artifacts_uid').on('openid_artifacts').column('uid').execute();
  await db.schema
    .createIndex('openid_artifacts_expiry')
    .on('openid_artifacts')
    .column('expires_at')
    .execute();
}
