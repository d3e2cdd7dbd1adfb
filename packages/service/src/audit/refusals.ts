import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { usernameKey } from '../database/usernameKey.ts';
import { callerGone, ServiceError, type ErrorCode } from '../errors.ts';
import type { Logger } from '../settings/options.ts';
import type { Audit, AuditEvent } from './audit.ts';

/** What a call attempts, as far as it is known before its outcome. */
export interface Attempt {
  readonly event: AuditEvent;
  readonly method?: string;
  /** Whose account it is about: by the username that was entered, or by the bearer. */
  readonly username?: string;
  readonly uid?: string;
}

/**
 * Refusals that say something about the caller. The others (busy, too fast, locked out, a provider that fails, a password against
 * the rules) are only counted: a flood of them must cost the database nothing.
 */
const verdicts: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'invalid_credentials',
  'no_access',
  'invalid_code',
  'invalid_verification',
  'invalid_link',
  'forbidden',
  'not_found',
]);

interface RefusalContext {
  readonly db: Kysely<Tables>;
  readonly audit: Audit;
  readonly settings: { readonly logger: Logger };
}

/**
 * Carries out a call, and records its refusal. What it achieved is recorded where it is done, in its transaction; a refusal has
 * none that would stay.
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
    if (verdicts.has(code)) await recordRefusal(context, attempt, code);
    // A caller who hung up was refused nothing.
    else if (error !== callerGone) context.audit.count(attempt.event, attempt.method ?? null, code);
    throw error;
  }
}

/** Before the answer, so that a flood cannot outrun the database. The same queries for known and unknown usernames. */
async function recordRefusal(
  { db, audit, settings }: RefusalContext,
  { event, method, username, uid }: Attempt,
  reason: ErrorCode,
): Promise<void> {
  try {
    const owner = username === undefined ? (uid ?? null) : await uidOf(db, username);
    await audit.record(db, { event, outcome: 'failure', uid: owner, method, reason });
  } catch (error) {
    // The caller is told of the refusal all the same.
    const cause = error instanceof Error ? error.message : 'unknown';
    settings.logger.error('a refusal was not recorded', { what: event, reason: cause });
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
