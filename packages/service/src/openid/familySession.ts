import { expiredCookies } from '@vestibule/contract/expiredCookies';
import { compiledOnce } from '../platform/database/compiledOnce.ts';
import type { SessionRow } from '../platform/database/tables.ts';
import { inTransaction } from '../platform/database/transaction.ts';
import { hashOfToken } from '../platform/security/opaqueTokens.ts';
import type { SessionBearer } from '../platform/security/signedTokens.ts';
import type { ServiceContext } from '../platform/serviceContext.ts';
import { amrOfProof, signInOf, type Authentication } from '../session/authentication.ts';
import { liveSession } from '../session/readBearer.ts';
import type { OidcContext, Payload } from './library.ts';
import { writeArtifact } from './artifacts.ts';

/** The session of the family, as an application sees it. */
export interface FamilySession {
  readonly id: string;
  readonly uid: string;
  /** When the user signed in or, if that is later, proved the identity to continue to an application; ms since 1970. */
  readonly authenticatedAt: number;
  /** RFC 8176. */
  readonly amr: readonly string[];
  /** The applications that it is connected to, by client. */
  readonly connections: Readonly<Record<string, Connection>>;
}

interface Connection {
  readonly grantId: string;
  /** Ms since 1970. */
  readonly at: number;
}

type Context = Pick<ServiceContext, 'db' | 'settings'>;

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
 * The live session of a cookie, with the checks of a bearer; `null` without one. Where no page of the family has refreshed the token
 * in time, the refresh token beside it names the session. It is not used up.
 */
export async function sessionOfCookies(
  context: Context & Pick<ServiceContext, 'tokens'>,
  header: string | undefined,
): Promise<FamilySession | null> {
  const { openid, now } = context.settings;
  const stored = openid === undefined ? null : tokensInCookies(header, openid.cookiePrefix);
  if (stored === null) return null;
  const bearer = await context.tokens.readBearer(stored.token);
  if (bearer?.kind === 'session') return familySession(context, bearer);
  const { rows } = await refreshable(context.db, hashOfToken(stored.refresh), new Date(now()));
  const [session] = rows;
  return session === undefined ? null : withArtifacts(context, session);
}

/** Removes the cookies of a session. */
export function expireCookies({ settings }: Pick<ServiceContext, 'settings'>, { res }: OidcContext): void {
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
export async function expireEndedSession(
  context: Pick<ServiceContext, 'settings' | 'tokens'>,
  ctx: OidcContext,
): Promise<void> {
  const stored = tokensInCookies(ctx.req.headers.cookie, context.settings.openid?.cookiePrefix ?? '');
  const bearer = stored === null ? null : await context.tokens.readBearer(stored.token);
  if (bearer?.kind === 'session') expireCookies(context, ctx);
}

/** The live session of a bearer; `null` if it has ended. */
export async function familySession(
  context: Context,
  { sessionId, uid, kid }: Pick<SessionBearer, 'sessionId' | 'uid' | 'kid'>,
): Promise<FamilySession | null> {
  const now = new Date(context.settings.now());
  const { rows } = await liveSession(context.db, sessionId, uid, kid, now);
  const [session] = rows;
  return session === undefined ? null : withArtifacts(context, session);
}

async function withArtifacts(
  { db, settings }: Context,
  session: Pick<SessionRow, 'id' | 'uid' | 'created_at' | 'method'> & { readonly amr: string | null },
): Promise<FamilySession> {
  const artifacts = await artifactsOf(db, session.id, new Date(settings.now()));
  const proof = artifacts.rows.find(({ model }) => model === 'Proof')?.payload;
  const connections = artifacts.rows.flatMap(({ model, client_id, grant_id: grantId, payload }) =>
    model === 'Connection' && client_id !== null && grantId !== null
      ? [[client_id, { grantId, at: payload['at'] as number }] as const]
      : [],
  );
  const { at, amr } = latest(signInOf(session), proof);
  const { id, uid } = session;
  return { id, uid, authenticatedAt: at, amr, connections: Object.fromEntries(connections) };
}

/** A proof by a passkey raises the level; any other leaves it. */
function latest(signedIn: Authentication, proof: Payload | undefined): Authentication {
  if (proof === undefined) return signedIn;
  const { at, amr } = proof as unknown as Authentication;
  return { at, amr: amr.includes('mfa') || !signedIn.amr.includes('mfa') ? amr : signedIn.amr };
}

/** Only the newest refresh token of a session: an older one may be a copy. */
const refreshable = compiledOnce((db, hash: string, now: Date) =>
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

const artifactsOf = compiledOnce((db, sessionId: string, now: Date) =>
  db
    .selectFrom('openid_artifacts')
    .select(['model', 'client_id', 'grant_id', 'payload'])
    .where('session_id', '=', sessionId)
    .where('model', 'in', ['Connection', 'Proof'])
    .where('expires_at', '>', now)
    .compile(),
);

/**
 * Remembers that a session is connected to an application, so that the application hears of the end. The connection expires with the
 * session; a trigger (`0028_openid.ts`) lets it expire when the session ends earlier.
 */
export async function connect(
  context: Pick<ServiceContext, 'db' | 'settings'>,
  { id, uid, connections }: Pick<FamilySession, 'id' | 'uid' | 'connections'>,
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
    await writeArtifact(
      { ...context, db: trx },
      {
        model: 'Connection',
        id: `${id} ${clientId}`,
        payload: { uid, at: connections[clientId]?.at ?? context.settings.now() },
        expiresIn: (endsAt - context.settings.now()) / 1000,
        sessionId: id,
        clientId,
        grantId,
      },
    );
  });
}

/** Remembers a proof of identity. @param method as the verification token has it. */
export async function noteProof(
  context: Context,
  { sessionId, uid }: Pick<SessionBearer, 'sessionId' | 'uid'>,
  method: string,
): Promise<void> {
  await writeArtifact(context, {
    model: 'Proof',
    id: sessionId,
    payload: { at: context.settings.now(), amr: amrOfProof(method) },
    expiresIn: context.settings.sessionSeconds,
    uid,
    sessionId,
  });
}
