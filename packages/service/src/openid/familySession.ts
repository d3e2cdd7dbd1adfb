import type { Kysely } from 'kysely';
import { expiredCookies } from '@vestibule/contract/expiredCookies';
import type { IncomingMessage } from 'node:http';
import type Provider from 'oidc-provider';
import { compiledOnce } from '../platform/database/compiledOnce.ts';
import type { SessionRow, Tables } from '../core/database/tables.ts';
import { inTransaction } from '../platform/database/transaction.ts';
import { hashOfToken } from '../platform/security/opaqueTokens.ts';
import type { SessionBearer } from '../core/keys/signedTokens.ts';
import type { OpenIdCall, OpenIdContext } from './context.ts';
import { openIdTables } from './tables.ts';
import { openIdEvents } from './events.ts';
import { signInOf, type Authentication } from '../session/authentication.ts';
import { liveSession } from '../session/readBearer.ts';
import { writeArtifact } from './artifacts.ts';

/** The session of the family, which the cookie of the page names. */
export interface FamilySession {
  readonly id: string;
  readonly uid: string;
  readonly signIn: Authentication;
}

/** What the library's middleware gets (Koa). */
export type RequestContext = Parameters<Parameters<Provider['use']>[0]>[0];

/** What a request to the provider carries. */
interface RequestState {
  session?: Promise<FamilySession | null>;
}

declare module 'node:http' {
  interface IncomingMessage {
    /** The call of the service that a request to the OpenID provider belongs to. */
    openIdCall?: OpenIdCall;
  }
}

/** @throws Error for a request of another route. */
export function callOf({ req }: { readonly req: IncomingMessage }): OpenIdCall {
  if (req.openIdCall === undefined) throw new Error('The request is not one of these routes.');
  return req.openIdCall;
}

/** The live session in the cookie of a request; `null` without one. It is read once. */
export function sessionOf(ctx: RequestContext): Promise<FamilySession | null> {
  const state = ctx.state as RequestState;
  return (state.session ??= sessionOfCookies(callOf(ctx), ctx.req.headers.cookie));
}

interface StoredTokens {
  readonly token: string;
  readonly refresh: string;
}

/**
 * The tokens in the cookie of the session, as the browser sends it; `null` without one. A cookie that arrives twice with two
 * values counts as missing, as on the page.
 */
function tokensInCookies(header: string | undefined, prefix: string): StoredTokens | null {
  const values = cookiesNamed(header, `${prefix}-session`);
  const [value] = values;
  if (value === undefined || values.some((other) => other !== value)) return null;
  try {
    const stored = JSON.parse(decodeURIComponent(value)) as { authenticated?: Partial<StoredTokens> } | null;
    const { token, refresh } = stored?.authenticated ?? {};
    return typeof token === 'string' && typeof refresh === 'string' ? { token, refresh } : null;
  } catch {
    return null;
  }
}

/** The values of the cookies of a name. */
export const cookiesNamed = (header: string | undefined, name: string): readonly string[] =>
  (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));

/**
 * The live session of a cookie, with the checks of a bearer. Where no page of the family has refreshed the token in time, the refresh
 * token beside it names the session. It is not used up.
 */
async function sessionOfCookies(
  context: OpenIdContext,
  header: string | undefined,
): Promise<FamilySession | null> {
  const { openid, now } = context.settings;
  const stored = openid === undefined ? null : tokensInCookies(header, openid.cookiePrefix);
  if (stored === null) return null;
  const bearer = await context.tokens.readBearer(stored.token);
  if (bearer?.kind === 'session') return familySession(context, bearer);
  const { rows } = await refreshable(context.db, hashOfToken(stored.refresh), new Date(now()));
  return rows[0] === undefined ? null : sessionFrom(rows[0]);
}

/** Removes the cookies of a session. */
export function expireCookies({ settings }: OpenIdContext, { res }: RequestContext): void {
  const { openid, issuer } = settings;
  if (openid === undefined) return;
  const { cookiePrefix: prefix, cookieDomain: domain, cookieSameSite: sameSite } = openid;
  const expired = expiredCookies({ prefix, domain, sameSite }, { secure: issuer.startsWith('https:') });
  res.appendHeader('Set-Cookie', expired.slice(0, 2));
}

/**
 * Removes the cookies of a session that has ended before its token has expired. The login page would take them for a session and send
 * the browser back at once.
 */
export async function expireEndedSession(context: OpenIdContext, ctx: RequestContext): Promise<void> {
  const stored = tokensInCookies(ctx.req.headers.cookie, context.settings.openid?.cookiePrefix ?? '');
  const bearer = stored === null ? null : await context.tokens.readBearer(stored.token);
  if (bearer?.kind === 'session') expireCookies(context, ctx);
}

/** The live session of a bearer; `null` if it has ended. */
export async function familySession(
  { db, settings }: OpenIdContext,
  { sessionId, uid, kid }: Pick<SessionBearer, 'sessionId' | 'uid' | 'kid'>,
): Promise<FamilySession | null> {
  const { rows } = await liveSession(db, sessionId, uid, kid, new Date(settings.now()));
  return rows[0] === undefined ? null : sessionFrom(rows[0]);
}

const sessionFrom = (
  row: Pick<SessionRow, 'id' | 'uid' | 'created_at' | 'method'> & { readonly amr: string | null },
): FamilySession => ({ id: row.id, uid: row.uid, signIn: signInOf(row) });

/** What the library remembers of a session of the family. */
export interface LibrarySession {
  readonly loginTs: number;
  readonly amr?: readonly string[];
  readonly authorizations?: Readonly<Record<string, { readonly wasAsked?: true }>>;
}

/** The sessions of the library that belong to a session, that with the latest authentication first. */
export async function librarySessions(
  { db, settings }: OpenIdContext,
  { id }: FamilySession,
): Promise<readonly LibrarySession[]> {
  const { rows } = await sessionsOf(db, id, new Date(settings.now()));
  return rows
    .map(({ payload }) => payload as unknown as LibrarySession)
    .sort((one, other) => other.loginTs - one.loginTs);
}

/** Whether the user of a session was asked for a level that the proof did not reach, for this client. */
export const wasAskedIn = (sessions: readonly LibrarySession[], clientId: string): boolean =>
  sessions.some(({ authorizations }) => authorizations?.[clientId]?.wasAsked === true);

/** The sign-in or, if that is later, the latest proof of identity in the session. */
export function latestOf({ signIn }: FamilySession, [latest]: readonly LibrarySession[]): Authentication {
  if (latest === undefined || latest.loginTs <= Math.floor(signIn.at / 1000)) return signIn;
  return { at: latest.loginTs * 1000, amr: latest.amr ?? [] };
}

/** Only the newest refresh token of a session: an older one may be a copy. */
const refreshable = compiledOnce((db: Kysely<Tables>, hash: string, now: Date) =>
  db
    .selectFrom('refresh_tokens')
    .innerJoin('sessions', 'sessions.id', 'refresh_tokens.session_id')
    .innerJoin('users', 'users.uid', 'sessions.uid')
    .select(['sessions.id', 'sessions.uid', 'sessions.created_at', 'sessions.amr', 'sessions.method'])
    .where('token_hash', '=', hash)
    .where('rotated_at', 'is', null)
    .where('refresh_tokens.expires_at', '>', now)
    .where('disabled_at', 'is', null)
    .where('ended_at', 'is', null)
    .where('sessions.expires_at', '>', now)
    .compile(),
);

const sessionsOf = compiledOnce((db: Kysely<Tables>, sessionId: string, now: Date) =>
  openIdTables(db)
    .selectFrom('openid_artifacts')
    .select('payload')
    .where('session_id', '=', sessionId)
    .where('model', '=', 'Session')
    .where('expires_at', '>', now)
    .compile(),
);

/**
 * Remembers that a session is connected to an application, so that the application hears of the end. The connection expires with the
 * session; a trigger (`0028_openid.ts`) lets it expire when the session ends earlier.
 */
export async function connect(
  context: OpenIdContext,
  { id, uid }: Pick<FamilySession, 'id' | 'uid'>,
  clientId: string,
  grantId: string,
): Promise<void> {
  await inTransaction(context.db, async (trx) => {
    // Waits while the session is being ended.
    const session = await trx
      .selectFrom('sessions')
      .select(['ended_at', 'expires_at'])
      .where('id', '=', id)
      .forShare()
      .executeTakeFirst();
    const isOpen = session?.ended_at === null;
    const endsAt = isOpen ? session.expires_at.getTime() : 0;
    const former = await openIdTables(trx)
      .selectFrom('openid_artifacts')
      .select('payload')
      .where('session_id', '=', id)
      .where('model', '=', 'Connection')
      .where('client_id', '=', clientId)
      .executeTakeFirst();
    await writeArtifact(
      { ...context, db: trx },
      {
        model: 'Connection',
        id: `${id} ${clientId}`,
        payload: { uid, at: former?.payload['at'] ?? context.settings.now() },
        expiresIn: (endsAt - context.settings.now()) / 1000,
        sessionId: id,
        clientId,
        grantId,
      },
    );
    if (former === undefined)
      await context.audit.record(trx, {
        event: openIdEvents['openid-sign-in'],
        outcome: 'success',
        uid,
        method: clientId,
      });
  });
}
