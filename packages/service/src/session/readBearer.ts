import type { SignInMethod } from '@vestibule/contract/schema';
import { compiledOnce } from '../database/compiledOnce.ts';
import { sessionEnded } from '../errors.ts';
import type { Bearer, SessionBearer, SetupBearer } from '../security/signedTokens.ts';
import { isTrustedKey } from '../security/signingKeys.ts';
import type { ServiceContext } from '../serviceContext.ts';
import { isSetupRevoked } from './revokedSetups.ts';
import { standsFor } from './setupGrounds.ts';

/**
 * Who calls, from the `Authorization` header. A session token whose session was ended is refused at once, although
 * the token itself would stay valid; so is a set-up token that was revoked, or whose password or e-mail has been changed since, and
 * any token of a disabled account or of a signing key that was revoked.
 *
 * @throws ServiceError 401 `unauthorized` for anything but a live token of a living account.
 */
export async function readBearer(
  context: Pick<ServiceContext, 'db' | 'settings' | 'tokens'>,
  authorization: string | undefined,
): Promise<Bearer> {
  const token = /^Bearer ([A-Za-z0-9._~+/=-]{1,8192})$/i.exec(authorization ?? '')?.[1];
  const bearer = token === undefined ? null : await context.tokens.readBearer(token);
  if (bearer === null) throw sessionEnded('unauthorized');
  const isAlive = bearer.kind === 'setup' ? await countsStill(context, bearer) : await lives(context, bearer);
  if (!isAlive) throw sessionEnded('unauthorized');
  return bearer;
}

/**
 * The bearer of a call that set-up tokens are not good for.
 *
 * @throws ServiceError 401 `unauthorized`.
 */
export function sessionBearer(bearer: Bearer): SessionBearer {
  if (bearer.kind === 'setup') throw sessionEnded('unauthorized');
  return bearer;
}

/**
 * What the bearer signed in with: it decides how they verify their identity (docs/behaviour.md#proof-of-identity).
 *
 * @throws ServiceError 401 `unauthorized` when the session ended just now.
 */
export async function methodOfSession(
  { db }: Pick<ServiceContext, 'db'>,
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

async function lives(
  { db, settings }: Pick<ServiceContext, 'db' | 'settings'>,
  { uid, sessionId, kid }: SessionBearer,
): Promise<boolean> {
  return (await liveSession(db, sessionId, uid, kid, new Date(settings.now()))) !== undefined;
}

const liveSession = compiledOnce((db, sessionId: string, uid: string, kid: string, now: Date) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.uid', 'sessions.uid')
    .select('users.uid')
    .where('sessions.id', '=', sessionId)
    .where('users.uid', '=', uid)
    .where('disabled_at', 'is', null)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
    .where(isTrustedKey(kid)),
);

/** A set-up token stands for the password, e-mail and identity that it was given for, until it is revoked. */
async function countsStill({ db }: Pick<ServiceContext, 'db'>, bearer: SetupBearer): Promise<boolean> {
  const user = await db
    .selectFrom('users')
    .select(['password_hash', 'email', 'identities_version'])
    .where('uid', '=', bearer.uid)
    .where('disabled_at', 'is', null)
    .where(isTrustedKey(bearer.kid))
    .executeTakeFirst();
  return user !== undefined && standsFor(bearer, user) && !(await isSetupRevoked(db, bearer));
}
