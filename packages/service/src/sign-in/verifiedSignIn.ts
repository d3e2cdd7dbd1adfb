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
 * What follows once the password or the provider's code was accepted: a set-up token for a user who must set up
 * two-step verification and has not, a challenge where it is on and the device is not trusted, a session otherwise.
 *
 * @param account as it was when the proof was given.
 * @throws ServiceError 401 when the password was changed meanwhile; as `startChallenge`.
 */
export async function answerVerifiedSignIn(
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
    return challenge ?? startOver(context, user, method, trustedJWT);
  }
  return withCurrentCredentials(context, user, method, (trx) =>
    startSession({ ...context, db: trx }, user, method),
  );
}

/**
 * The second factor was changed or turned off while this sign-in was under way: what counts is what there is now. It is
 * read while the proof stands, for the password that is read with it is from then on the one that was proven.
 */
async function startOver(
  context: CallContext,
  user: UserRow,
  method: SignInMethod,
  trustedJWT: string | undefined,
): Promise<TokenResponse> {
  const present = await withCurrentCredentials(context, user, method, recordOf);
  return answerVerifiedSignIn(context, present, method, trustedJWT);
}
