import { sql, type Kysely } from 'kysely';
import { retryWhileAway } from '../database/retry.ts';
import type { Tables } from '../database/tables.ts';
import type { LockoutOptions } from '../settings/options.ts';
import { createAttemptCounts, type CountedAttempt, type Most } from './attemptCounts.ts';
import type { AttemptKey } from './attemptKeys.ts';

/** How long a network is known after a success, in seconds: 30 days. */
const knownSeconds = 2_592_000;

/** What an attempt is told before it may check the secret. */
export type Reservation =
  | { readonly allowed: true; readonly counted: readonly CountedAttempt[] }
  /** `retryAfterSeconds`: whole seconds until the lock ends. */
  | { readonly allowed: false; readonly retryAfterSeconds: number };

type Allowed = Extract<Reservation, { readonly allowed: true }>;

/** What a failure leads to. */
export interface FailureOutcome {
  /** Whole seconds until the lock that it brought ends, `null` for none. */
  readonly retryAfterSeconds: number | null;
  /** Whether it was the last try of a day. */
  readonly isLastOfDay: boolean;
}

/**
 * Counts failed attempts and locks after too many: each source by itself, with locks that grow, and all unknown networks of
 * an account together, over a day. A network is known for 30 days after an attempt from it succeeded.
 */
export interface Attempts {
  /**
   * Counts the attempt BEFORE the secret is checked: a burst of parallel guesses then gets no more tries than a
   * sequence would. The attempt stays counted unless `succeeded` or `release` is called. One that is refused is not counted.
   */
  readonly reserve: (key: AttemptKey) => Promise<Reservation>;
  readonly failed: (reservation: Allowed) => Promise<FailureOutcome>;
  /** Takes the attempt back: its secret was not found wrong, and the call may be carried out again. */
  readonly release: (reservation: Allowed) => Promise<void>;
  /** Forgets the failures of this source. Other sources may be guessing still, so theirs stay. */
  readonly succeeded: (key: AttemptKey, reservation: Allowed) => Promise<void>;
  /** Whole seconds until the lock ends, `null` where there is none. Counts nothing. */
  readonly lockedFor: (key: AttemptKey) => Promise<number | null>;
  /** Locks unknown networks out. */
  readonly lock: (scope: string) => Promise<void>;
  /** Forgets all failures, and which networks are known. */
  readonly forget: (scopes: readonly string[]) => Promise<void>;
}

export function createAttempts(db: Kysely<Tables>, limits: LockoutOptions, now: () => number): Attempts {
  const { add, lockIfLast, takeBack } = createAttemptCounts(db, limits, now);
  // Each by itself: a call that is carried out again, because a later statement failed, must not count twice.
  const counts = { add: steadily(add), lockIfLast: steadily(lockIfLast), takeBack: steadily(takeBack) };
  const after = (seconds: number): Date => new Date(now() + seconds * 1000);
  const secondsUntil = (end: number): number => Math.max(1, Math.ceil((end - now()) / 1000));
  const mostOfSource: Most = { attempts: limits.attempts, perDay: limits.attemptsPerDay };
  const mostOfUnknown = ({ kind }: AttemptKey): Most => ({
    attempts: Infinity,
    perDay: kind === 'password' ? limits.passwordsPerDay : limits.codesPerDay,
  });

  const look = async (key: AttemptKey): Promise<{ isUnknown: boolean; lockedFor: number | null }> => {
    const rows = await db
      .selectFrom('sign_in_attempts')
      .select(['subject', 'locked_until', 'known_until'])
      .where('subject', 'in', [key.source, key.scope])
      .execute();
    const own = rows.find(({ subject }) => subject === key.source);
    const isUnknown = key.isNetwork && (own?.known_until?.getTime() ?? 0) <= now();
    const met = isUnknown ? rows : [own];
    const end = Math.max(...met.map((row) => row?.locked_until?.getTime() ?? 0), 0);
    return { isUnknown, lockedFor: end > now() ? secondsUntil(end) : null };
  };

  return {
    reserve: async (key) => {
      const { isUnknown, lockedFor } = await look(key);
      if (lockedFor !== null) return { allowed: false, retryAfterSeconds: lockedFor };
      // A row that takes no more and is not locked: the last tries that it took are being checked.
      const full = { allowed: false, retryAfterSeconds: limits.lockSeconds } as const;
      const own = await counts.add(key.source, key.scope, mostOfSource);
      if (own === null) return full;
      if (!isUnknown) return { allowed: true, counted: [own] };
      const all = await counts.add(key.scope, key.scope, mostOfUnknown(key));
      if (all !== null) return { allowed: true, counted: [own, all] };
      await counts.takeBack(own);
      return full;
    },
    failed: async ({ counted }) => {
      const ends = await Promise.all(counted.map(counts.lockIfLast));
      const end = Math.max(...ends.map((one) => one ?? 0));
      return {
        retryAfterSeconds: end === 0 ? null : secondsUntil(end),
        isLastOfDay: counted.some((one) => one.day_failures >= one.most.perDay),
      };
    },
    release: async ({ counted }) => {
      await Promise.all(counted.map(counts.takeBack));
    },
    succeeded: async ({ source, isNetwork }, { counted }) => {
      // Row by row: two statements that lock the same two rows could wait for each other.
      await Promise.all(counted.filter(({ subject }) => subject !== source).map(counts.takeBack));
      const known_until = isNetwork ? after(knownSeconds) : null;
      const known = db
        .updateTable('sign_in_attempts')
        .set({
          failures: 0,
          day_failures: sql<number>`greatest(day_failures - 1, 0)`,
          locks: 0,
          locked_until: null,
          known_until,
        })
        .where('subject', '=', source);
      await retryWhileAway(() => known.execute());
    },
    lockedFor: async (key) => (await look(key)).lockedFor,
    lock: async (scope) => {
      const row = { last_failed_at: after(0), locked_until: after(limits.lockSeconds) };
      await db
        .insertInto('sign_in_attempts')
        .values({ subject: scope, scope, failures: 0, ...row })
        .onConflict((conflict) => conflict.column('subject').doUpdateSet(row))
        .execute();
    },
    forget: async (scopes) => {
      await db.deleteFrom('sign_in_attempts').where('scope', 'in', scopes).execute();
    },
  };
}

/** The same, done again while the database is away. */
function steadily<Args extends readonly unknown[], Result>(
  work: (...args: Args) => Promise<Result>,
): (...args: Args) => Promise<Result> {
  return (...args) => retryWhileAway(() => work(...args));
}
