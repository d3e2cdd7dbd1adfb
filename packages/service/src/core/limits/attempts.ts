import { sql, type Kysely, type Transaction } from 'kysely';
import { anyOf } from '../../platform/database/anyOf.ts';
import { retryWhileAway } from '../../platform/database/retry.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import type { Tables } from '../database/tables.ts';
import type { LockoutOptions } from '../settings/options.ts';
import { createAttemptCounts, type CountedAttempt, type AttemptLimits } from './attemptCounts.ts';
import type { AttemptKey } from './attemptKeys.ts';

/** How long a network is known after a success: 30 days. */
const knownSeconds = 2_592_000;

/** Whether an attempt may check the secret. */
type Reservation =
  | { readonly allowed: true; readonly counted: readonly CountedAttempt[] }
  /** `retryAfterSeconds`: whole seconds until the lock ends. */
  | { readonly allowed: false; readonly retryAfterSeconds: number };

type Allowed = Extract<Reservation, { readonly allowed: true }>;

/** The consequences of a failure. */
interface FailureOutcome {
  /** Whole seconds until the end of the lock that it caused, `null` for none. */
  readonly retryAfterSeconds: number | null;
  /** Whether the failure has reached the daily limit. */
  readonly isLastOfDay: boolean;
}

/**
 * Counts failed attempts, and locks after too many: each source separately, with locks that double, and all unknown
 * networks of an account together, per day. A network is known for 30 days after an attempt from it succeeded. The
 * limits: `LockoutOptions`.
 */
export interface Attempts {
  /**
   * Counts the attempt before the secret is checked, so that parallel guesses gain nothing. It stays counted unless
   * `succeeded` or `release` is called. A rejected attempt is not counted.
   */
  readonly reserve: (key: AttemptKey) => Promise<Reservation>;
  /** @param onLocked runs in the transaction of a lock that the failure causes. */
  readonly failed: (
    reservation: Allowed,
    onLocked: (trx: Transaction<Tables>) => Promise<void>,
  ) => Promise<FailureOutcome>;
  /** Removes the attempt from the counts: its secret was not found to be wrong, and the call may be retried. */
  readonly release: (reservation: Allowed) => Promise<void>;
  /** Clears the failures of this source. Those of other sources, which may be attackers, are kept. */
  readonly succeeded: (key: AttemptKey, reservation: Allowed) => Promise<void>;
  /** Whole seconds until the lock ends, `null` without one. Counts nothing. */
  readonly lockedFor: (key: AttemptKey) => Promise<number | null>;
  /** Locks out unknown networks. @param trx the transaction that records it. */
  readonly lock: (trx: Kysely<Tables>, scope: string) => Promise<void>;
  /** Clears all failures, and the known networks. */
  readonly forget: (scopes: readonly string[]) => Promise<void>;
}

export function createAttempts(db: Kysely<Tables>, limits: LockoutOptions, now: () => number): Attempts {
  const { add, lock, lockEndOf, takeBack } = createAttemptCounts(db, limits, now);
  // Each statement is retried separately: a retry of the whole call would count the attempt twice.
  const counts = { add: withRetry(add), takeBack: withRetry(takeBack) };
  const after = (seconds: number): Date => new Date(now() + seconds * 1000);
  const secondsUntil = (end: number): number => Math.max(1, Math.ceil((end - now()) / 1000));
  const mostOfSource: AttemptLimits = { attempts: limits.attempts, perDay: limits.attemptsPerDay };
  const mostOfUnknown = ({ kind }: AttemptKey): AttemptLimits => ({
    attempts: Infinity,
    perDay: kind === 'password' ? limits.passwordsPerDay : limits.codesPerDay,
  });

  const look = async (key: AttemptKey): Promise<{ isUnknown: boolean; lockedFor: number | null }> => {
    const rows = await db
      .selectFrom('sign_in_attempts')
      .select(['subject', 'locked_until', 'known_until'])
      .where('subject', 'in', [key.sourceDigest, key.scope])
      .execute();
    const own = rows.find(({ subject }) => subject === key.sourceDigest);
    const isUnknown = key.isNetwork && (own?.known_until?.getTime() ?? 0) <= now();
    const met = isUnknown ? rows : [own];
    const end = Math.max(...met.map((row) => row?.locked_until?.getTime() ?? 0), 0);
    return { isUnknown, lockedFor: end > now() ? secondsUntil(end) : null };
  };

  return {
    reserve: async (key) => {
      const { isUnknown, lockedFor } = await look(key);
      if (lockedFor !== null) return { allowed: false, retryAfterSeconds: lockedFor };
      // The row is full but not locked: its last attempts are being checked.
      const full = { allowed: false, retryAfterSeconds: limits.lockSeconds } as const;
      const own = await counts.add(key.sourceDigest, key.scope, mostOfSource);
      if (own === null) return full;
      if (!isUnknown) return { allowed: true, counted: [own] };
      const all = await counts.add(key.scope, key.scope, mostOfUnknown(key));
      if (all !== null) return { allowed: true, counted: [own, all] };
      await counts.takeBack(own);
      return full;
    },
    failed: async ({ counted }, onLocked) => {
      const lockAll = async (trx: Transaction<Tables>): Promise<number> => {
        let latest = 0;
        for (const one of counted) {
          const end = lockEndOf(one);
          if (end !== null && (await lock(trx, one, end))) latest = Math.max(latest, end);
        }
        if (latest > 0) await onLocked(trx);
        return latest;
      };
      const isLast = counted.some((one) => lockEndOf(one) !== null);
      const end = isLast ? await retryWhileAway(() => inTransaction(db, lockAll)) : 0;
      return {
        retryAfterSeconds: end === 0 ? null : secondsUntil(end),
        isLastOfDay: counted.some((one) => one.day_failures >= one.limitsOfRow.perDay),
      };
    },
    release: async ({ counted }) => {
      await Promise.all(counted.map(counts.takeBack));
    },
    succeeded: async ({ sourceDigest, isNetwork }, { counted }) => {
      // Row by row: two statements that lock the same two rows could deadlock.
      await Promise.all(counted.filter(({ subject }) => subject !== sourceDigest).map(counts.takeBack));
      const known_until = isNetwork ? after(knownSeconds) : null;
      const known = afterSuccess(db, sourceDigest, known_until);
      await retryWhileAway(() => known.execute());
    },
    lockedFor: async (key) => (await look(key)).lockedFor,
    lock: async (trx, scope) => {
      const row = { last_failed_at: after(0), locked_until: after(limits.lockSeconds) };
      await trx
        .insertInto('sign_in_attempts')
        .values({ subject: scope, scope, failures: 0, ...row })
        .onConflict((conflict) => conflict.column('subject').doUpdateSet(row))
        .execute();
    },
    forget: async (scopes) => {
      await db.deleteFrom('sign_in_attempts').where('scope', '=', anyOf(scopes)).execute();
    },
  };
}

/** The failures of a source are over. */
function afterSuccess(db: Kysely<Tables>, sourceDigest: string, known_until: Date | null) {
  return db
    .updateTable('sign_in_attempts')
    .set({
      failures: 0,
      day_failures: sql<number>`greatest(day_failures - 1, 0)`,
      locks: 0,
      locked_until: null,
      known_until,
    })
    .where('subject', '=', sourceDigest);
}

/** Retries the work while the database is unavailable. */
function withRetry<Args extends readonly unknown[], Result>(
  work: (...args: Args) => Promise<Result>,
): (...args: Args) => Promise<Result> {
  return (...args) => retryWhileAway(() => work(...args));
}
