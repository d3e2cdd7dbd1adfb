import { sql, type Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';
import type { LockoutOptions } from '../settings/options.ts';

const daySeconds = 86_400;

/** The limits of a row of `sign_in_attempts`. */
export interface AttemptLimits {
  /** Failures within the window of the lockout. */
  readonly attempts: number;
  readonly perDay: number;
}

/** An attempt as counted in one row. */
export interface CountedAttempt {
  readonly limitsOfRow: AttemptLimits;
  readonly subject: string;
  /** The number of failures within the window. */
  readonly failures: number;
  /** Previous consecutive locks. */
  readonly locks: number;
  /** The number of failures within the day, which starts with the first one. */
  readonly day_failures: number;
  readonly day_ends_at: Date;
}

/** Counts attempts in rows of `sign_in_attempts`. */
interface AttemptCounts {
  /** @returns `null`, without counting, for an attempt beyond the limits. */
  readonly add: (
    subject: string,
    scope: string,
    limitsOfRow: AttemptLimits,
  ) => Promise<CountedAttempt | null>;
  readonly takeBack: (counted: CountedAttempt) => Promise<void>;
  /** The end of the lock that a failure of this attempt causes, in milliseconds since 1970; `null` for none. */
  readonly lockEndOf: (counted: CountedAttempt) => number | null;
  /** @returns `false`: the counts are lower by now, because the right secret was entered in the meantime. */
  readonly lock: (trx: Kysely<Tables>, counted: CountedAttempt, end: number) => Promise<boolean>;
}

export function createAttemptCounts(
  db: Kysely<Tables>,
  limits: LockoutOptions,
  now: () => number,
): AttemptCounts {
  const after = (seconds: number): Date => new Date(now() + seconds * 1000);

  const lockEndOf = (counted: CountedAttempt): number | null => {
    const grown = Math.min(limits.lockSeconds * 2 ** counted.locks, limits.longestLockSeconds);
    const ends = [
      ...(counted.failures >= counted.limitsOfRow.attempts ? [after(grown).getTime()] : []),
      ...(counted.day_failures >= counted.limitsOfRow.perDay ? [counted.day_ends_at.getTime()] : []),
    ];
    return ends.length === 0 ? null : Math.max(...ends);
  };

  return {
    add: async (subject, scope, limitsOfRow) => {
      const at = after(0);
      const dayEnd = after(daySeconds);
      const isOver = sql`(present.locked_until <= ${at} or present.last_failed_at <= ${after(-limits.windowSeconds)})`;
      const isQuiet = sql`greatest(present.last_failed_at, present.locked_until) <= ${after(-limits.longestLockSeconds)}`;
      const isNewDay = sql`coalesce(present.day_ends_at <= ${at}, true)`;
      // One statement, so that the row's lock serialises parallel attempts.
      const { rows } = await sql<Omit<CountedAttempt, 'limitsOfRow'>>`
        insert into sign_in_attempts as present (subject, scope, failures, last_failed_at, day_failures, day_ends_at)
        values (${subject}, ${scope}, 1, ${at}, 1, ${dayEnd})
        on conflict (subject) do update set
          failures = case when ${isOver} then 1 else present.failures + 1 end,
          last_failed_at = ${at},
          locked_until = null,
          locks = case when ${isQuiet} then 0 else present.locks end,
          day_failures = case when ${isNewDay} then 1 else present.day_failures + 1 end,
          day_ends_at = case when ${isNewDay} then ${dayEnd} else present.day_ends_at end
        where coalesce(present.locked_until <= ${at}, true)
          and (${isOver} or present.failures < cast(${limitsOfRow.attempts} as float8))
          and (${isNewDay} or present.day_failures < ${limitsOfRow.perDay})
        returning subject, failures, locks, day_failures, day_ends_at`.execute(db);
      return rows[0] === undefined ? null : { ...rows[0], limitsOfRow };
    },
    takeBack: async ({ subject }) => {
      await db
        .updateTable('sign_in_attempts')
        .set({
          failures: sql<number>`greatest(failures - 1, 0)`,
          day_failures: sql<number>`greatest(day_failures - 1, 0)`,
        })
        .where('subject', '=', subject)
        .execute();
    },
    lockEndOf,
    lock: async (trx, counted, end) => {
      const { numUpdatedRows } = await trx
        .updateTable('sign_in_attempts')
        .set((eb) => ({ locked_until: new Date(end), locks: eb('locks', '+', 1) }))
        .where('subject', '=', counted.subject)
        .where('failures', '>=', counted.failures)
        .where('day_failures', '>=', counted.day_failures)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
  };
}
