import type { Kysely } from 'kysely';
import type { SignInMethod } from '@vestibule/contract/schema';
import type { Tables } from '../core/database/tables.ts';
import { compiledOnce } from '../platform/database/compiledOnce.ts';
import { sessionEnded } from '../core/errors.ts';
import type { Bearer, SessionBearer, SetupBearer } from '../core/keys/signedTokens.ts';
import { isTrustedKey } from '../core/keys/signingKeys.ts';
import { isSpent } from '../core/spentProofs.ts';
import type { ServiceContext } from '../core/context.ts';
import { matchesCredentials } from './setupGrounds.ts';

/**
 * Reads the bearer from the `Authorization` header. Although it has not expired, a token is rejected if its session
 * was ended, its signing key was revoked, or the account was disabled; a setup token also if it was revoked, or if
 * password, e-mail or identity bindings have changed.
 *
 * @throws ServiceError 401 `unauthorized` for anything but a valid token of an enabled account.
 */
export async function readBearer(
  context: ServiceContext,
  authorization: string | undefined,
): Promise<Bearer> {
  const token = /^Bearer ([A-Za-z0-9._~+/=-]{1,8192})$/i.exec(authorization ?? '')?.[1];
  const bearer = token === undefined ? null : await context.tokens.readBearer(token);
  if (bearer === null) throw sessionEnded('unauthorized');
  const isAlive =
    bearer.kind === 'setup' ? await isValidSetup(context, bearer) : await isLiveSession(context, bearer);
  if (!isAlive) throw sessionEnded('unauthorized');
  return bearer;
}

/**
 * The bearer of a call that does not accept setup tokens.
 *
 * @throws ServiceError 401 `unauthorized`.
 */
export function sessionBearer(bearer: Bearer): SessionBearer {
  if (bearer.kind === 'setup') throw sessionEnded('unauthorized');
  return bearer;
}

/**
 * The method of the bearer's sign-in: it decides how they verify their identity
 * (docs/behaviour.md#proof-of-identity).
 *
 * @throws ServiceError 401 `unauthorized` if the session has just ended.
 */
export async function methodOfSession(
  { db }: ServiceContext,
  { sessionId }: SessionBearer,
): Promise<SignInMethod> {
  const session = await db
    .selectFrom('sessions')
    .select('method')
    .where('id', '=', sessionId)
    .executeTakeFirst();
  if (session === undefined) throw sessionEnded('unauthorized');
  return session.method;
}

async function isLiveSession(
  { db, settings }: ServiceContext,
  { uid, sessionId, kid }: SessionBearer,
): Promise<boolean> {
  const { rows } = await liveSession(db, sessionId, uid, kid, new Date(settings.now()));
  return rows.length > 0;
}

/** The live session of a bearer, with what applications learn of it. */
export const liveSession = compiledOnce(
  (db: Kysely<Tables>, sessionId: string, uid: string, kid: string, now: Date) =>
    db
      .selectFrom('sessions')
      .innerJoin('users', 'users.uid', 'sessions.uid')
      .select(['sessions.id', 'sessions.uid', 'sessions.created_at', 'sessions.amr', 'sessions.method'])
      .where('sessions.id', '=', sessionId)
      .where('users.uid', '=', uid)
      .where('disabled_at', 'is', null)
      .where('ended_at', 'is', null)
      .where('expires_at', '>', now)
      .where(isTrustedKey(kid))
      .compile(),
);

/** Whether a setup token is not revoked, and was issued for the present password, e-mail and identity bindings. */
async function isValidSetup({ db }: ServiceContext, bearer: SetupBearer): Promise<boolean> {
  const user = await db
    .selectFrom('users')
    .select(['password_hash', 'email', 'identities_version'])
    .where('uid', '=', bearer.uid)
    .where('disabled_at', 'is', null)
    .where(isTrustedKey(bearer.kid))
    .executeTakeFirst();
  return (
    user !== undefined && matchesCredentials(bearer, user) && !(await isSpent(db, 'setup', bearer.tokenId))
  );
}
