import { randomUUID } from 'node:crypto';
import { sql, type Kysely, type RawBuilder, type SqlBool } from 'kysely';
import { databaseTime } from '../../platform/database/databaseTime.ts';
import type { Tables } from '../database/tables.ts';
import type { AuditRow } from '../database/tables.ts';

/** Selects entries; without any property, all of them. */
export interface AuditFilter {
  readonly uid?: string;
  /** The name of an event. */
  readonly event?: string;
  readonly since?: Date;
  /** Only entries before it. */
  readonly until?: Date;
  /** An address, or a range in CIDR notation. Entries have the /48 of an IPv6 address. */
  readonly network?: string;
  /** The id of a client. */
  readonly client?: string;
}

/** An entry with the present username of its account; `null` if there is none. */
export type NamedAuditRow = AuditRow & { readonly username: string | null };

/** An account that has signed in from a network. */
export interface NetworkUser {
  readonly uid: string;
  /** `null` if the account was removed. */
  readonly username: string | null;
  readonly signIns: number;
  readonly firstAt: Date;
  readonly lastAt: Date;
}

const pageSize = 1000;

/**
 * Reads the entries, oldest first, in pages: there may be millions.
 *
 * @param clientEvents the events whose method is a client.
 */
export async function* readAuditLog(
  db: Kysely<Tables>,
  filter: AuditFilter = {},
  clientEvents: readonly string[] = [],
): AsyncGenerator<NamedAuditRow> {
  let last = '0';
  for (;;) {
    const page = await db
      .selectFrom('audit_log')
      .leftJoin('users', 'users.uid', 'audit_log.uid')
      .selectAll('audit_log')
      .select('users.username')
      .where('audit_log.id', '>', last)
      .where(isSelected(filter, clientEvents))
      .orderBy('audit_log.id')
      .limit(pageSize)
      .execute();
    for (const { id, at, event, outcome, uid, username, ...rest } of page)
      yield { id, at, event, outcome, uid, username, ...rest };
    const end = page.at(-1);
    if (end === undefined || page.length < pageSize) return;
    last = end.id;
  }
}

/** As `AuditDirectory.signedInFrom`. */
export async function signedInFrom(
  db: Kysely<Tables>,
  filter: Pick<AuditFilter, 'network' | 'since' | 'until'>,
): Promise<readonly NetworkUser[]> {
  const { rows } = await sql<NetworkUser>`
    select audit_log.uid, users.username, count(*)::int as "signIns", min(at) as "firstAt", max(at) as "lastAt"
    from audit_log left join users on users.uid = audit_log.uid
    where event = 'sign-in' and outcome = 'success' and audit_log.uid is not null and ${isSelected(filter)}
    group by audit_log.uid, users.username order by max(at) desc`.execute(db);
  return rows;
}

function isSelected(
  { uid, event, since, until, network, client }: AuditFilter,
  clientEvents: readonly string[] = [],
): RawBuilder<SqlBool> {
  const conditions = [
    uid === undefined ? [] : sql<SqlBool>`audit_log.uid = ${uid}`,
    event === undefined ? [] : sql<SqlBool>`event = ${event}`,
    since === undefined ? [] : sql<SqlBool>`at >= ${since}`,
    until === undefined ? [] : sql<SqlBool>`at < ${until}`,
    // An invalid address is recorded as 'unknown'.
    network === undefined
      ? []
      : sql<SqlBool>`case when network ~ '^[0-9a-f.:/]+$' then network::inet && ${network}::inet else false end`,
    client === undefined
      ? []
      : sql<SqlBool>`(details ->> 'client' = ${client} or method = ${client} and event = any(${clientEvents}::text[]))`,
  ].flat();
  return conditions.length === 0 ? sql<SqlBool>`true` : sql.join(conditions, sql` and `);
}

/**
 * Removes personal data from a user's entries, and replaces the uid by a pseudonym. The events and their times are
 * kept: otherwise erasing an account would erase the traces of an intruder.
 *
 * @returns the pseudonym, for the entry about the erasure.
 */
export async function forgetPerson(db: Kysely<Tables>, uid: string): Promise<string> {
  const pseudonym = `erased-${randomUUID()}`;
  await db
    .updateTable('audit_log')
    .set({ uid: pseudonym, network: null, device: null, details: null })
    .where('uid', '=', uid)
    .execute();
  return pseudonym;
}

/** Failures without an account are kept for fewer days: anyone can cause as many as the limits allow. */
const anonymousFailureDays = 30;
const dayMilliseconds = 86_400_000;
const batch = 10_000;

/** Removes entries that are older than `days`. */
export async function removeOldEntries(db: Kysely<Tables>, now: () => number, days: number): Promise<void> {
  const before = (age: number) => databaseTime(now, age * dayMilliseconds);
  for (;;) {
    const { numDeletedRows } = await db
      .deleteFrom('audit_log')
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('audit_log')
          .select('id')
          .where((one) =>
            one.or([
              one('at', '<', before(days)),
              one.and([
                one('uid', 'is', null),
                one('outcome', '=', 'failure'),
                one('at', '<', before(anonymousFailureDays)),
              ]),
            ]),
          )
          .limit(batch),
      )
      .executeTakeFirst();
    // Entries are removed in batches, each well below the statement timeout.
    if (numDeletedRows < batch) return;
  }
}
