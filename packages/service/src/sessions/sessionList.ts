import type { DoneResponse, EndSessionsRequest, SessionsResponse } from '@vestibule/contract/schema';
import type { SessionBearer } from '../core/keys/signedTokens.ts';
import type { ServiceContext } from '../core/context.ts';
import { endSomeSessions } from '../session/endSessions.ts';

type ListedMethod = SessionsResponse['sessions'][number]['method'];

/**
 * `GET /auth/v1/sessions`, of the extension `sessions`. A session was last seen when its newest refresh token was
 * issued, so no further write is needed.
 */
export async function listSessions(
  { db, settings }: ServiceContext,
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
  context: ServiceContext,
  { uid, sessionId }: SessionBearer,
  request: EndSessionsRequest,
): Promise<DoneResponse> {
  const choice = 'ids' in request ? request : { allBut: sessionId };
  await endSomeSessions(context, uid, choice, 'elsewhere');
  return {};
}
