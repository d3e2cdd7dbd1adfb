import { sql, type Kysely } from 'kysely';

/** Unused recovery codes. Announced, and removed with the last factor, by triggers: see `0020_devices`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('recovery_codes')
    .addColumn('uid', 'text', (column) => column.notNull().references('users.uid').onDelete('cascade'))
    .addColumn('code_hash', 'text', (column) => column.notNull())
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .addPrimaryKeyConstraint('recovery_codes_pkey', ['uid', 'code_hash'])
    .execute();
  await sql`
    create trigger announce after insert or delete on recovery_codes for each row
    execute function announce_account_change('recovery-codes')`.execute(db);
  await sql`
    create function remove_recovery_codes() returns trigger language plpgsql as $$
    begin
      if not exists (select 1 from mfa_factors where uid = old.uid) then
        delete from recovery_codes where uid = old.uid;
      end if;
      return null;
    end $$`.execute(db);
  // Checked at the commit, because another factor may replace the removed one in the same transaction.
  await sql`
    create constraint trigger remove_recovery_codes after delete on mfa_factors
    deferrable initially deferred for each row execute function remove_recovery_codes()`.execute(db);
}
