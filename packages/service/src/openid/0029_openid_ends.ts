import { sql, type Kysely } from 'kysely';

/**
 * The connections of a session expire when it ends, whatever ends it, so that a process finds those that applications have to hear of
 * without reading the others.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
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
  await sql`create index openid_artifacts_ends on openid_artifacts (expires_at) where model = 'Connection'`.execute(
    db,
  );
  await sql`
    update openid_artifacts set expires_at = coalesce(
      (select expires_at from sessions where sessions.id = session_id and ended_at is null), '-infinity')
    where model = 'Connection'`.execute(db);
}
