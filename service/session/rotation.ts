import type { Transaction } from 'kysely';
import type { SessionRow, Tables } from '../database/tables';
import { hashOfToken, successorOf } from '../security/opaqueTokens';
import type { ServiceSettings } from '../settings/options';

/** What presenting a refresh token came to. */
export type Rotation =
  | { readonly kind: 'rotated'; readonly refresh: string; readonly session: SessionRow }
  /** Unknown, expired, or of a session that is over. */
  | { readonly kind: 'refused' }
  /** A dead token came back after the grace window: someone has a copy. The session is now over. */
  | { readonly kind: 'reused'; readonly session: SessionRow };

/**
 * Exchanges a refresh token inside a transaction. The session's row is locked first, so that of two calls with one
 * token the second sees what the first did and is given the same successor: docs/behaviour.md#refresh-call.
 *
 * @param gone aborted when the caller has hung up: a call that waited in a process which stood still, and was answered by another
 *   process meanwhile, is no sign of a thief, who would want the answer.
 */
export async function rotate(
  trx: Transaction<Tables>,
  settings: ServiceSettings,
  token: string,
  gone: AbortSignal,
): Promise<Rotation> {
  const now = settings.now();
  const session = await lockSessionOf(trx, hashOfToken(token));
  if (session?.ended_at !== null || session.expires_at.getTime() <= now) {
    return { kind: 'refused' };
  }

  const graceStart = now - settings.refreshGraceSeconds * 1000;
  let leaf = token;
  // Within the grace window the newest token of the chain is answered, which may be several rotations on.
  for (;;) {
    const row = await trx
      .selectFrom('refresh_tokens')
      .selectAll()
      .where('token_hash', '=', hashOfToken(leaf))
      .executeTakeFirst();
    if (row === undefined) return { kind: 'refused' };
    if (row.rotated_at === null) {
      if (leaf !== token) return { kind: 'rotated', refresh: leaf, session };
      if (row.expires_at.getTime() <= now) return { kind: 'refused' };
      return { kind: 'rotated', refresh: await issueSuccessor(trx, settings, token, session), session };
    }
    if (row.rotated_at.getTime() < graceStart) {
      if (gone.aborted) return { kind: 'refused' };
      await endSession(trx, session.id, 'reuse', now);
      return { kind: 'reused', session };
    }
    leaf = successorOf(leaf, session.rotation_key);
  }
}

/** Ends a session for good; its tokens are refused from now on. */
export async function endSession(
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

function lockSessionOf(trx: Transaction<Tables>, tokenHash: string): Promise<SessionRow | undefined> {
  return trx
    .selectFrom('sessions')
    .selectAll()
    .where('id', '=', (eb) =>
      eb.selectFrom('refresh_tokens').select('session_id').where('token_hash', '=', tokenHash),
    )
    .forUpdate()
    .executeTakeFirst();
}

async function issueSuccessor(
  trx: Transaction<Tables>,
  settings: ServiceSettings,
  token: string,
  session: SessionRow,
): Promise<string> {
  const now = settings.now();
  const successor = successorOf(token, session.rotation_key);
  await trx
    .updateTable('refresh_tokens')
    .set({ rotated_at: new Date(now) })
    .where('token_hash', '=', hashOfToken(token))
    .execute();
  await trx
    .insertInto('refresh_tokens')
    .values({
      token_hash: hashOfToken(successor),
      session_id: session.id,
      created_at: new Date(now),
      expires_at: new Date(Math.min(now + settings.refreshTokenSeconds * 1000, session.expires_at.getTime())),
      rotated_at: null,
    })
    .execute();
  return successor;
}
