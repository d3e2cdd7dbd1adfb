import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { usernameKey } from '../database/usernameKey.ts';
import { callerGone, Refusal, ServiceError } from '../../platform/errors.ts';
import type { Logger } from '../../platform/settings/options.ts';
import type { Audit, AuditEntry, AuditEvent } from './audit.ts';

/** What a call attempts, before its outcome is known. */
export interface Attempt {
  readonly event: AuditEvent;
  readonly method?: string | undefined;
  /** The account: by the entered username, or by the bearer. */
  readonly username?: string;
  readonly uid?: string;
  readonly details?: AuditEntry['details'];
}

interface RefusalContext {
  readonly db: Kysely<Tables>;
  readonly audit: Audit;
  readonly settings: { readonly logger: Logger };
}

/**
 * Runs a call and records its `Refusal`, because a refusal has no transaction that commits. A success is recorded by the work itself, in its
 * transaction. Other failures (overload, limits, lockout, errors of providers, password rules) are only counted, so that a flood of them does
 * not load the database.
 *
 * @throws what `work` throws.
 */
export async function recordingRefusal<Context extends RefusalContext, Result>(
  context: Context,
  attempt: Attempt,
  work: (context: Context) => Promise<Result>,
): Promise<Result> {
  try {
    return await work(context);
  } catch (error) {
    const code = error instanceof ServiceError ? error.code : 'unexpected';
    if (error instanceof Refusal) await recordRefusal(context, attempt, code);
    // A call whose caller hung up is not a refusal.
    else if (error !== callerGone) context.audit.count(attempt.event, attempt.method ?? null, code);
    throw error;
  }
}

/**
 * Runs before the response, so that a flood cannot outrun the database. Known and unknown usernames cost the same
 * queries.
 */
export async function recordRefusal(
  { db, audit, settings }: RefusalContext,
  { event, method, username, uid, details }: Attempt,
  reason: string,
): Promise<void> {
  try {
    const owner = username === undefined ? (uid ?? null) : await uidOf(db, username);
    await audit.record(db, { event, outcome: 'failure', uid: owner, method, reason, details });
  } catch (error) {
    // The caller still gets the refusal.
    const cause = error instanceof Error ? error.message : 'unknown';
    settings.logger.error('a refusal was not recorded', { what: event.name, reason: cause });
  }
}

async function uidOf(db: Kysely<Tables>, username: string): Promise<string | null> {
  const user = await db
    .selectFrom('users')
    .select('uid')
    .where('username_key', '=', usernameKey(username))
    .executeTakeFirst();
  return user?.uid ?? null;
}
