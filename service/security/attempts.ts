import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Tables } from '../database/tables';
import type { LockoutOptions } from '../options';

/** What an attempt is told before it may check the secret. */
export type Reservation =
  | { readonly allowed: true; readonly number: number }
  /** `retryAfterSeconds`: whole seconds until the lock ends. */
  | { readonly allowed: false; readonly retryAfterSeconds: number };

/** What a failure leads to. */
export type FailureOutcome =
  { readonly locked: false } | { readonly locked: true; readonly retryAfterSeconds: number };

/** Counts failed attempts per subject (see `attemptSubject`) and locks it for a time. */
export interface Attempts {
  /**
   * Counts the attempt BEFORE the secret is checked: a burst of parallel guesses then gets no more tries than a
   * sequence would. The attempt stays counted unless `succeeded` is called.
   */
  readonly reserve: (subject: string) => Promise<Reservation>;
  readonly failed: (subject: string, reservation: { number: number }) => Promise<FailureOutcome>;
  readonly succeeded: (subject: string) => Promise<void>;
  /** Whole seconds until the lock ends, `null` where there is none. Counts nothing. */
  readonly lockedFor: (subject: string) => Promise<number | null>;
  readonly lock: (subject: string) => Promise<void>;
}

export function createAttempts(db: Kysely<Tables>, limits: LockoutOptions, now: () => number): Attempts {
  const lockEnd = (): Date => new Date(now() + limits.lockSeconds * 1000);

  const reserve = async (subject: string): Promise<Reservation> => {
    const at = new Date(now());
    const windowStart = new Date(now() - limits.windowSeconds * 1000);
    const isOver = sql`(present.locked_until <= ${at} or present.last_failed_at <= ${windowStart})`;
    // One statement, so that parallel attempts are counted one after the other under the row's lock.
    const { rows } = await sql<{ failures: number; locked_until: Date | null }>`
      insert into sign_in_attempts as present (subject, failures, last_failed_at, locked_until)
      values (${subject}, 1, ${at}, null)
      on conflict (subject) do update set
        failures = case when ${isOver} then 1 else least(present.failures + 1, 1000000) end,
        last_failed_at = ${at},
        locked_until = case
          when present.locked_until > ${at} then present.locked_until
          when ${isOver} then null
          when present.failures >= ${limits.attempts} then ${lockEnd()}
        end
      returning failures, locked_until`.execute(db);
    const row = rows[0];
    if (row === undefined) throw new Error('An attempt was not counted.');
    return row.locked_until === null
      ? { allowed: true, number: row.failures }
      : { allowed: false, retryAfterSeconds: secondsUntil(row.locked_until, now) };
  };

  return {
    reserve,
    failed: async (subject, reservation) => {
      if (reservation.number < limits.attempts) return { locked: false };
      const end = lockEnd();
      await db
        .updateTable('sign_in_attempts')
        .set({ locked_until: end })
        .where('subject', '=', subject)
        .execute();
      return { locked: true, retryAfterSeconds: secondsUntil(end, now) };
    },
    succeeded: async (subject) => {
      await db.deleteFrom('sign_in_attempts').where('subject', '=', subject).execute();
    },
    lockedFor: async (subject) => {
      const row = await db
        .selectFrom('sign_in_attempts')
        .select('locked_until')
        .where('subject', '=', subject)
        .where('locked_until', '>', new Date(now()))
        .executeTakeFirst();
      const end = row?.locked_until ?? null;
      return end === null ? null : secondsUntil(end, now);
    },
    lock: async (subject) => {
      const row = { failures: limits.attempts, last_failed_at: new Date(now()), locked_until: lockEnd() };
      await db
        .insertInto('sign_in_attempts')
        .values({ subject, ...row })
        .onConflict((conflict) => conflict.column('subject').doUpdateSet(row))
        .execute();
    },
  };
}

function secondsUntil(end: Date, now: () => number): number {
  return Math.max(1, Math.ceil((end.getTime() - now()) / 1000));
}
