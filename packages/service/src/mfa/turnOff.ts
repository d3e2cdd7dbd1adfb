import type { DisableMfaRequest, DoneResponse } from '@vestibule/contract/schema';
import { findByUid } from '../accounts/accounts.ts';
import { withUserLocked } from '../accounts/lockUser.ts';
import { identityRefused, sessionEnded } from '../core/errors.ts';
import { proveOwnPassword } from '../identity/verifyIdentity.ts';
import type { Bearer } from '../core/keys/signedTokens.ts';
import type { ServiceContext } from '../core/context.ts';
import { checkIdentityToken, useIdentityToken } from '../session/identityTokens.ts';
import { sessionBearer } from '../session/readBearer.ts';
import { mfaEvents } from './events.ts';
import { removeFactors } from './factors.ts';

/**
 * `POST /mfa/v1/disable`. A user who was verified by a password sends it with the verification token
 * (docs/behaviour.md#turn-off), others only the token. The call also succeeds if two-step verification is off.
 *
 * @throws ServiceError 401 `invalid_verification` or `invalid_credentials`, 429 while the session is locked.
 */
export async function turnOffMfa(
  context: ServiceContext,
  anyBearer: Bearer,
  { password, authVerificationToken }: DisableMfaRequest,
): Promise<DoneResponse> {
  const bearer = sessionBearer(anyBearer);
  const { method } = await checkIdentityToken(context, bearer, authVerificationToken);
  if (method === 'basic') {
    const account = await findByUid(context.db, bearer.uid);
    if (account === null) throw sessionEnded('unauthorized');
    if (password === undefined) throw identityRefused();
    await proveOwnPassword(context, bearer, account, password);
  }
  const done = await withUserLocked(context.db, bearer.uid, async (trx) => {
    await useIdentityToken(trx, bearer, authVerificationToken);
    await removeFactors(trx, bearer.uid);
    await context.audit.record(trx, {
      event: mfaEvents['two-step-off'],
      outcome: 'success',
      uid: bearer.uid,
    });
    return {};
  });
  if (done === null) throw sessionEnded('unauthorized');
  return done;
}
