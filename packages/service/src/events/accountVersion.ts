import { sql, type Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';

/**
 * The version of an account: another text after each change that the event `account-changed` reports. It is computed from what the
 * triggers of those events compare, and from the transactions (`xmin`) that wrote the rows of the other tables. So it changes with
 * the commit of a change, for all processes at once, and needs no column that transactions would wait for.
 */
export async function readAccountVersion(db: Kysely<Tables>, uid: string): Promise<string> {
  const writers = (table: keyof Tables) =>
    sql`(select string_agg(xmin::text, ' ' order by xmin::text) from ${sql.table(table)} where uid = ${uid})`;
  const profile = sql`(
    select row(username, email, first_name, last_name, personas, extract(epoch from password_changed_at))::text
    from users where uid = ${uid})`;
  const others = (['mfa_factors', 'passkeys', 'trusted_devices', 'recovery_codes'] as const).map(writers);
  const { rows } = await sql<{
    version: string;
  }>`select md5(array[${sql.join([profile, ...others])}]::text) as version`.execute(db);
  return rows[0]?.version ?? '';
}
