import { sql, type Kysely } from 'kysely';

/**
 * What oidc-provider stores, by the hash of its id: see `artifacts.ts`. The connections of a session expire when it ends, whatever ends
 * it, so that a process finds those that applications have to hear of without reading the others.
 */
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
  await sql`create index openid_artifacts_ends on openid_artifacts (expires_at) where model = 'Connection'`.execute(
    db,
  );
  await sql`
    create function end_openid_connections() returns trigger language plpgsql as $$
    begin
      update openid_artifacts set expires_at = '-infinity' where session_id = old.id and model = 'Connection';
      return null;
    end $$`.execute(db);
  await sql`
    create trigger end_openid_connections after update of ended_at on sessions for each row
    when (old.ended_at is null and new.ended_at is not null) execute function end_openid_connections()`.execute(
    db,
  );
  await sql`
    create trigger end_openid_connections_removed after delete on sessions for each row
    execute function end_openid_connections()`.execute(db);
}
