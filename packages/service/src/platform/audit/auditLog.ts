import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { databaseTime } from '../database/databaseTime.ts';
import type { AuditRow, Tables } from '../database/tables.ts';
import type { AuditEvent } from './audit.ts';

/** Selects entries; without any property, all of them. */
interface AuditFilter {
  readonly uid?: string;
  readonly event?: AuditEvent;
  readonly since?: Date;
}

const pageSize = 1000;

/** Reads the entries, oldest first, in pages: there may be millions. */
export async function* readAuditLog(db: Kysely<Tables>, filter: AuditFilter = {}): AsyncGenerator<AuditRow> {
  let last = '0';
  for (;;) {
    let query = db.selectFrom('audit_log').selectAll().where('id', '>', last);
    if (filter.uid !== undefined) query = query.where('uid', '=', filter.uid);
    if (filter.event !== undefined) query = query.where('event', '=', filter.event);
    if (filter.since !== undefined) query = query.where('at', '>=', filter.since);
    const page = await query.orderBy('id').limit(pageSize).execute();
    yield* page;
    const end = page.at(-1);
    if (end === undefined || page.length < pageSize) return;
    last = end.id;
  }
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
