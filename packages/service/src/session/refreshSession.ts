import type { RefreshResponse, RefreshRequest } from '@vestibule/contract/schema';
import { inTransaction } from '../platform/database/transaction.ts';
import { sessionEnded } from '../core/errors.ts';
import type { Caller } from '../platform/http/caller.ts';
import type { ServiceContext } from '../core/context.ts';
import { sessionEvents } from './events.ts';
import { claimsOf } from './claims.ts';
import { rotate, rotateAgain, type Sign } from './rotation.ts';

/**
 * `POST /auth/v1/refresh`. The new token has the present claims of the account, so a changed persona takes effect
 * with the next refresh.
 *
 * @param caller whether it has hung up.
 * @throws ServiceError 401 `invalid_refresh`: the session has ended.
 */
export async function refreshSession(
  { db, settings, tokens, audit }: ServiceContext,
  request: RefreshRequest,
  caller: Pick<Caller, 'gone'>,
): Promise<RefreshResponse> {
  const sign: Sign = (session) => tokens.signSession(claimsOf(session, session.method), session.id);
  const rotation =
    (await rotate(db, settings, request.refresh, sign)) ??
    // A refusal is a result and not an exception, because the end of a reused session must be committed.
    (await inTransaction(db, async (trx) => {
      const outcome = await rotateAgain(trx, settings, request.refresh, sign, caller);
      if (outcome.kind === 'reused') {
        const { uid, method } = outcome.session;
        await audit.record(trx, { event: sessionEvents['refresh-reuse'], outcome: 'failure', uid, method });
      }
      return outcome;
    }));
  if (rotation.kind !== 'rotated') throw sessionEnded('invalid_refresh');
  const { refresh, token } = rotation;
  return { token, refresh };
}
