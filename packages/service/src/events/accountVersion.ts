import { sql, type Kysely } from 'kysely';
import type { AccountChange } from '../platform/database/notifications.ts';
import type { Tables } from '../core/database/tables.ts';

/**
 * The version of an account: a text that differs after each change that the event `account-changed` reports. It is computed from the
 * values that the triggers of this event compare, from the ends of sessions, and from the transactions (`xmin`) that wrote the rows of
 * the other tables. So it changes for all processes when a change is committed, and needs no column, on which transactions would wait
 * for each other.
 */
export async function readAccountVersion(
  db: Kysely<Tables>,
  uid: string,
  changes: readonly AccountChange[],
): Promise<string> {
  const writers = (table: string) =>
    sql`(select string_agg(xmin::text, ' ' order by xmin::text) from ${sql.table(table)} where uid = ${uid})`;
  const profile = sql`(
    select row(username, email, first_name, last_name, personas, extract(epoch from password_changed_at))::text
    from users where uid = ${uid})`;
  const ends = sql`(select row(count(ended_at), max(ended_at))::text from sessions where uid = ${uid})`;
  const others = changes.flatMap(({ tables }) => tables).map(writers);
  const { rows } = await sql<{
    version: string;
  }>`select md5(array[${sql.join([profile, ends, ...others])}]::text) as version`.execute(db);
  return rows[0]?.version ?? '';
}
