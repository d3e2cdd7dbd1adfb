import { sql, type Kysely } from 'kysely';

/**
 * Sessions and trusted devices get client details. The end of a session and changes of an account are announced to all processes,
 * by triggers, so that processes of the previous release and statements of an administrator announce them too.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['sessions', 'trusted_devices'])
    await db.schema
      .alterTable(table)
      .addColumn('browser', 'text')
      .addColumn('system', 'text')
      .addColumn('network', 'text')
      .execute();
  await db.schema.alterTable('sessions').addColumn('signed_in_by', 'text').execute();

  await sql`
    create function announce_session_end() returns trigger language plpgsql as $$
    begin
      perform pg_notify('vestibule_events', json_build_object('uid', new.uid, 'session', new.id)::text);
      return null;
    end $$`.execute(db);
  await sql`
    create trigger announce after update of ended_at on sessions for each row
    when (old.ended_at is null and new.ended_at is not null) execute function announce_session_end()`.execute(
    db,
  );
  await sql`
    create function announce_account_change() returns trigger language plpgsql as $$
    begin
      perform pg_notify(
        'vestibule_events',
        json_build_object('uid', coalesce(new.uid, old.uid), 'what', tg_argv[0])::text
      );
      return null;
    end $$`.execute(db);
  // Compared in the function: a trigger that names columns would keep them from being dropped.
  await sql`
    create function announce_profile_change() returns trigger language plpgsql as $$
    begin
      if row(old.username, old.email, old.first_name, old.last_name, old.personas, old.password_changed_at)
        is distinct from
        row(new.username, new.email, new.first_name, new.last_name, new.personas, new.password_changed_at)
      then
        perform pg_notify('vestibule_events', json_build_object('uid', new.uid, 'what', 'profile')::text);
      end if;
      return null;
    end $$`.execute(db);
  await sql`
    create trigger announce after update on users for each row
    execute function announce_profile_change()`.execute(db);
  await sql`
    create trigger announce after insert or update or delete on mfa_factors for each row
    execute function announce_account_change('mfa')`.execute(db);
  await sql`
    create trigger announce after insert or delete on trusted_devices for each row
    execute function announce_account_change('sessions')`.execute(db);
}
