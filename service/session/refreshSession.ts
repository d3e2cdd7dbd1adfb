import type { RefreshAnswer, RefreshRequest } from '@contract/schema.gen';
import { findByUid } from '../accounts/accounts';
import { sessionEnded } from '../errors';
import type { ServiceContext } from '../serviceContext';
import { claimsOf } from './claims';
import { rotate } from './rotation';

/**
 * `POST /auth/v1/refresh`. The new token carries the account as it is now, so a changed persona arrives with the next
 * refresh.
 *
 * @throws ServiceError 401 `invalid_refresh`: the session is over.
 */
export async function refreshSession(
  { db, settings, tokens }: Pick<ServiceContext, 'db' | 'settings' | 'tokens'>,
  request: RefreshRequest,
): Promise<RefreshAnswer> {
  // Refusal is an outcome, not an exception: the end of a reused session has to be committed.
  const rotation = await db.transaction().execute((trx) => rotate(trx, settings, request.refresh));
  if (rotation.kind === 'reused') {
    settings.logger.warn('refresh token reused, session ended', {
      session: rotation.session.id,
      uid: rotation.session.uid,
    });
  }
  if (rotation.kind !== 'rotated') throw sessionEnded('invalid_refresh');

  const account = await findByUid(db, rotation.session.uid);
  if (account === null) throw sessionEnded('invalid_refresh');
  const claims = claimsOf(account.user, rotation.session.method);
  return { token: await tokens.signSession(claims, rotation.session.id), refresh: rotation.refresh };
}
