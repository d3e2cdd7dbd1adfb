import type { RefreshAnswer, RefreshRequest } from '@contract/schema.gen';
import { findByUid } from '../accounts/accounts';
import { inTransaction } from '../database/transaction';
import { sessionEnded } from '../errors';
import type { ServiceContext } from '../serviceContext';
import { claimsOf } from './claims';
import { rotate } from './rotation';

/**
 * `POST /auth/v1/refresh`. The new token carries the account as it is now, so a changed persona arrives with the next
 * refresh.
 *
 * @param gone aborted when the caller has hung up.
 * @throws ServiceError 401 `invalid_refresh`: the session is over.
 */
export async function refreshSession(
  { db, settings, tokens, audit }: Pick<ServiceContext, 'db' | 'settings' | 'tokens' | 'audit'>,
  request: RefreshRequest,
  gone: AbortSignal,
): Promise<RefreshAnswer> {
  // Refusal is an outcome, not an exception: the end of a reused session has to be committed.
  const rotation = await inTransaction(db, async (trx) => {
    const outcome = await rotate(trx, settings, request.refresh, gone);
    if (outcome.kind === 'reused') {
      const { uid, method } = outcome.session;
      await audit.record(trx, { event: 'refresh-reuse', outcome: 'failure', uid, method });
    }
    return outcome;
  });
  if (rotation.kind !== 'rotated') throw sessionEnded('invalid_refresh');

  const account = await findByUid(db, rotation.session.uid);
  if (account === null) throw sessionEnded('invalid_refresh');
  const claims = claimsOf(account.user, rotation.session.method);
  return { token: await tokens.signSession(claims, rotation.session.id), refresh: rotation.refresh };
}
