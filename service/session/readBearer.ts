import { sessionEnded } from '../errors';
import type { Bearer } from '../security/signedTokens';
import type { ServiceContext } from '../serviceContext';

/**
 * Who calls, from the `Authorization` header. A session token whose session was ended is refused at once, although
 * the token itself would live on.
 *
 * @throws ServiceError 401 `unauthorized` for anything but a live token of a living account.
 */
export async function readBearer(
  { db, settings, tokens }: Pick<ServiceContext, 'db' | 'settings' | 'tokens'>,
  authorization: string | undefined,
): Promise<Bearer> {
  const token = /^Bearer ([A-Za-z0-9._~+/=-]{1,8192})$/i.exec(authorization ?? '')?.[1];
  const bearer = token === undefined ? null : await tokens.readBearer(token);
  if (bearer === null) throw sessionEnded('unauthorized');
  const alive =
    bearer.sessionId === null
      ? await db.selectFrom('users').select('uid').where('uid', '=', bearer.uid).executeTakeFirst()
      : await db
          .selectFrom('sessions')
          .select('uid')
          .where('id', '=', bearer.sessionId)
          .where('uid', '=', bearer.uid)
          .where('ended_at', 'is', null)
          .where('expires_at', '>', new Date(settings.now()))
          .executeTakeFirst();
  if (alive === undefined) throw sessionEnded('unauthorized');
  return bearer;
}
