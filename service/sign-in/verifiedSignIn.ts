import type { SignInMethod, TokenAnswer } from '@contract/schema.gen';
import type { AccountRecord } from '../directory/accounts';
import { isTrustedDevice } from '../mfa/trustedDevices';
import { startChallenge } from '../mfa/challenge';
import { claimsOf } from '../session/claims';
import { startSession } from '../session/startSession';
import type { ServiceContext } from '../serviceContext';

/**
 * What follows once the password or the provider's code was accepted: a set-up token for a user who must set up
 * two-step verification and has not, a challenge where it is on and the device is not trusted, a session otherwise.
 */
export async function answerVerifiedSignIn(
  context: ServiceContext,
  account: AccountRecord,
  method: SignInMethod,
  trustedJWT: string | undefined,
): Promise<TokenAnswer> {
  const [factor] = account.factors;
  if (factor === undefined && account.user.must_set_up_mfa) {
    return { mfaJWT: await context.tokens.signSetup(claimsOf(account.user, method)), uid: account.user.uid };
  }
  if (factor !== undefined && !(await isTrustedDevice(context, account.user.uid, trustedJWT))) {
    return startChallenge(context, account.user.uid, method, factor);
  }
  return startSession(context, account.user, method);
}
