import type { SignInMethod } from '@contract/schema.gen';
import { sessionEnded } from '../errors';
import type { SessionBearer } from '../security/signedTokens';
import type { ServiceContext } from '../serviceContext';

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
