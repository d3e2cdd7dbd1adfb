import type { SignInMethod, TokenResponse } from '@vestibule/contract/schema';
import { recordOf, type AccountRecord } from '../accounts/accounts.ts';
import type { UserRow } from '../database/tables.ts';
import { startChallenge } from '../mfa/challenge.ts';
import { trustedDeviceOf } from '../mfa/trustedDevices.ts';
import type { CallContext } from '../serviceContext.ts';
import { claimsOf } from '../session/claims.ts';
import { setupGroundsOf } from '../session/setupGrounds.ts';
import { startSession } from '../session/startSession.ts';
import { withCurrentCredentials } from '../session/withCurrentCredentials.ts';

/**
 * Completes a sign-in whose password or provider code was accepted: a setup token if the user still has to enrol a
 * factor, a challenge if two-step verification is on and the device is not trusted, otherwise a session.
 *
 * @param account as of the proof.
 * @throws ServiceError 401 if the password was changed in the meantime; as `startChallenge`.
 */
export async function completeSignIn(
  context: CallContext,
  account: AccountRecord,
  method: SignInMethod,
  trustedJWT: string | undefined,
): Promise<TokenResponse> {
  const { user, factors } = account;
  const [factor] = factors;
  if (factor === undefined && user.must_set_up_mfa) {
    const mfaJWT = context.tokens.signSetup(claimsOf(user, method), setupGroundsOf(user));
    await context.audit.record(context.db, {
      event: 'sign-in',
      outcome: 'pending',
      uid: user.uid,
      method,
      reason: 'set-up',
    });
    return { mfaJWT, uid: user.uid };
  }
  if (factor !== undefined && (await trustedDeviceOf(context, user.uid, trustedJWT)) === null) {
    const challenge = await startChallenge(context, user, method, factor);
    return challenge ?? repeatWithPresentFactors(context, user, method, trustedJWT);
  }
  return withCurrentCredentials(context, user, method, (trx) =>
    startSession({ ...context, db: trx }, user, method),
  );
}

/**
 * Repeats the decision with the present account, because the second factor was changed during this sign-in. The
 * account is read under the user's lock, while the proof is still valid.
 */
async function repeatWithPresentFactors(
  context: CallContext,
  user: UserRow,
  method: SignInMethod,
  trustedJWT: string | undefined,
): Promise<TokenResponse> {
  const present = await withCurrentCredentials(context, user, method, recordOf);
  return completeSignIn(context, present, method, trustedJWT);
}
