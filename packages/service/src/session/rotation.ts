import { sql, type Kysely, type Transaction } from 'kysely';
import { compiledOnce } from '../platform/database/compiledOnce.ts';
import type { SessionRow, Tables, UserRow } from '../core/database/tables.ts';
import type { Caller } from '../platform/http/caller.ts';
import { hashOfToken, successorOf } from '../platform/security/opaqueTokens.ts';
import type { ServiceSettings } from '../core/settings/options.ts';

/** The data of a session that a refresh needs, with the present claims of its user. */
type RefreshedSession = Pick<SessionRow, 'id' | 'method' | 'rotation_key' | 'expires_at' | 'ended_at'> &
  Pick<UserRow, 'uid' | 'personas' | 'username' | 'email' | 'first_name' | 'disabled_at'>;

/** The outcome of a refresh. */
type Rotation =
  | { readonly kind: 'rotated'; readonly refresh: string; readonly token: string }
  /** Unknown, expired, or of an ended session. */
  | { readonly kind: 'refused' }
  /** A rotated token was sent again after the grace period: someone has a copy. The session is now ended. */
  | { readonly kind: 'reused'; readonly session: RefreshedSession };

/** Signs the new session token. */
export type Sign = (session: RefreshedSession) => string;

/**
 * Exchanges the newest refresh token of a session in two round trips. Its successor is computed here, because the
 * database gets hashes only.
 *
 * @param sign runs first, so that no refresh token is used up without a session token.
 * @returns `null` for a token that was exchanged before, also by a concurrent call: see `rotateAgain`.
 */
export async function rotate(
  db: Kysely<Tables>,
  settings: ServiceSettings,
  refresh: string,
  sign: Sign,
): Promise<Rotation | null> {
  const now = settings.now();
  const hash = hashOfToken(refresh);
  const found = (await find(db, hash)).rows[0];
  if (found === undefined || isOver(found, now)) return { kind: 'refused' };
  if (found.rotated_at !== null) return null;
  if (found.token_expires_at.getTime() <= now) return { kind: 'refused' };
  const next = { refresh: successorOf(refresh, found.rotation_key), token: sign(found) };
  const isExchanged = await exchange(db, settings, { ...found, hash, refresh: next.refresh });
  return isExchanged ? { kind: 'rotated', ...next } : null;
}

/**
 * Handles a refresh token that `rotate` did not exchange, inside a transaction. It locks the session's row first, so
 * that of two concurrent calls with one token the second gets the same successor: docs/behaviour.md#refresh-call.
 *
 * @param caller if it has hung up, the call is not treated as reuse: it may have waited in a process
 * that hung while another process served it, and a thief would wait for the response.
 */
export async function rotateAgain(
  trx: Transaction<Tables>,
  settings: ServiceSettings,
  refresh: string,
  sign: Sign,
  caller: Pick<Caller, 'gone'>,
): Promise<Rotation> {
  const now = settings.now();
  await trx
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', (eb) =>
      eb.selectFrom('refresh_tokens').select('session_id').where('token_hash', '=', hashOfToken(refresh)),
    )
    .forUpdate()
    .executeTakeFirst();

  const graceStart = now - settings.refreshGraceSeconds * 1000;
  let leaf = refresh;
  // Within the grace period the newest token of the chain is returned, which may be several rotations later.
  for (;;) {
    const found = (await find(trx, hashOfToken(leaf))).rows[0];
    if (found === undefined || isOver(found, now)) return { kind: 'refused' };
    if (found.rotated_at === null) return { kind: 'rotated', refresh: leaf, token: sign(found) };
    if (found.rotated_at.getTime() < graceStart) {
      if (caller.gone.aborted) return { kind: 'refused' };
      await endSession(trx, found.id, 'reuse', now);
      return { kind: 'reused', session: found };
    }
    leaf = successorOf(leaf, found.rotation_key);
  }
}

type FoundToken = RefreshedSession & { readonly rotated_at: Date | null; readonly token_expires_at: Date };

const find = compiledOnce((db: Kysely<Tables>, tokenHash: string) =>
  db
    .selectFrom('refresh_tokens')
    .innerJoin('sessions', 'sessions.id', 'refresh_tokens.session_id')
    .innerJoin('users', 'users.uid', 'sessions.uid')
    .select(['refresh_tokens.rotated_at', 'refresh_tokens.expires_at as token_expires_at'])
    .select(['sessions.id', 'method', 'rotation_key', 'sessions.expires_at', 'ended_at'])
    .select(['users.uid', 'personas', 'username', 'email', 'first_name', 'disabled_at'])
    .where('token_hash', '=', tokenHash)
    .compile(),
);

function isOver({ ended_at, expires_at, disabled_at }: RefreshedSession, now: number): boolean {
  return ended_at !== null || disabled_at !== null || expires_at.getTime() <= now;
}

/**
 * One statement, which waits for the lock of the session's row, so that only one of two concurrent calls exchanges
 * the token.
 *
 * @returns `false` if it was exchanged, or its session ended, in the meantime.
 */
async function exchange(
  db: Kysely<Tables>,
  settings: ServiceSettings,
  { id, expires_at, hash, refresh }: FoundToken & { readonly hash: string; readonly refresh: string },
): Promise<boolean> {
  const now = settings.now();
  const end = new Date(Math.min(now + settings.refreshTokenSeconds * 1000, expires_at.getTime()));
  const { numAffectedRows } = await insertSuccessor(db, id, hash, hashOfToken(refresh), new Date(now), end);
  return numAffectedRows === 1n;
}

const insertSuccessor = compiledOnce(
  (db: Kysely<Tables>, sessionId: string, hash: string, successor: string, now: Date, end: Date) =>
    sql`
    with live as (
      select id from sessions where id = ${sessionId} and ended_at is null for no key update
    ), exchanged as (
      update refresh_tokens set rotated_at = ${now} from live
      where token_hash = ${hash} and session_id = live.id and rotated_at is null
      returning session_id
    )
    insert into refresh_tokens (token_hash, session_id, created_at, expires_at)
    select ${successor}, session_id, ${now}::timestamptz, ${end}::timestamptz from exchanged`.compile(db),
);

/** Ends a session; its tokens are rejected from now on. */
async function endSession(
  trx: Transaction<Tables>,
  sessionId: string,
  reason: NonNullable<SessionRow['end_reason']>,
  now: number,
): Promise<void> {
  await trx
    .updateTable('sessions')
    .set({ ended_at: new Date(now), end_reason: reason })
    .where('id', '=', sessionId)
    .where('ended_at', 'is', null)
    .execute();
}
