import type { DoneResponse, EndSessionsRequest, SessionsResponse } from '@vestibule/contract/schema';
import { withAnyUserLocked } from '../accounts/lockUser.ts';
import { anyOf } from '../database/anyOf.ts';
import type { SessionBearer } from '../security/signedTokens.ts';
import type { ServiceContext } from '../serviceContext.ts';

type ListedMethod = SessionsResponse['sessions'][number]['method'];

/**
 * `GET /auth/v1/sessions`, of the extension `sessions`. A session was last seen when its newest refresh token was
 * issued, so no further write is needed.
 */
export async function listSessions(
  { db, settings }: Pick<ServiceContext, 'db' | 'settings'>,
  uid: string,
  currentId: string | null = null,
): Promise<SessionsResponse> {
  const rows = await db
    .selectFrom('sessions')
    .innerJoin('refresh_tokens', 'session_id', 'sessions.id')
    .select(['sessions.id', 'sessions.created_at', 'method', 'signed_in_by', 'browser', 'system', 'network'])
    .select((eb) => eb.fn.max('refresh_tokens.created_at').as('seen_at'))
    .where('uid', '=', uid)
    .where('ended_at', 'is', null)
    .where('sessions.expires_at', '>', new Date(settings.now()))
    .groupBy('sessions.id')
    // A session whose refresh tokens have expired cannot be continued.
    .having((eb) => eb(eb.fn.max('refresh_tokens.expires_at'), '>', new Date(settings.now())))
    .orderBy('sessions.created_at', 'desc')
    .execute();
  return {
    sessions: rows.map(({ id, created_at, seen_at, method, signed_in_by, browser, system, network }) => ({
      id,
      current: id === currentId,
      startedAt: created_at.toISOString(),
      lastSeenAt: seen_at.toISOString(),
      method: (signed_in_by === 'magiclink' ? 'link' : (signed_in_by ?? method)) as ListedMethod,
      browser,
      system,
      network,
    })),
  };
}

/** `POST /auth/v1/sessions/end`, of the extension `sessions`. */
export async function endSessions(
  context: EndContext,
  { uid, sessionId }: SessionBearer,
  request: EndSessionsRequest,
): Promise<DoneResponse> {
  const choice = 'ids' in request ? request : { allBut: sessionId };
  await endSomeSessions(context, uid, choice, 'elsewhere');
  return {};
}

type EndContext = Pick<ServiceContext, 'db' | 'settings' | 'audit'>;

/** Ends sessions of a user, and the identities that were verified in them. Ids of others are ignored. */
export async function endSomeSessions(
  { db, settings, audit }: EndContext,
  uid: string,
  choice: { readonly ids: readonly string[] } | { readonly allBut: string },
  reason: 'elsewhere' | 'administrator',
): Promise<void> {
  await withAnyUserLocked(db, uid, async (trx) => {
    const open = trx
      .updateTable('sessions')
      .set({ ended_at: new Date(settings.now()), end_reason: reason })
      .where('uid', '=', uid)
      .where('ended_at', 'is', null)
      .returning('id');
    const ended = await (
      'ids' in choice ? open.where('id', '=', anyOf(choice.ids)) : open.where('id', '!=', choice.allBut)
    ).execute();
    if (ended.length === 0) return;
    const ids = ended.map(({ id }) => id);
    await trx.deleteFrom('verification_tokens').where('session_id', '=', anyOf(ids)).execute();
    await audit.record(trx, { event: 'sessions-ended', outcome: 'success', uid });
  });
}
