import type { SignInMethod, TokenAnswer } from '@contract/schema.gen';
import { findByUid, type AccountRecord } from '../directory/accounts';
import { challengeOver } from '../errors';
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
    const claims = claimsOf(account.user, method);
    const mfaJWT = await context.tokens.signSetup(claims, account.user.factors_version);
    return { mfaJWT, uid: account.user.uid };
  }
  if (factor !== undefined && !(await isTrustedDevice(context, account.user.uid, trustedJWT))) {
    const challenge = await startChallenge(context, account, method, factor);
    return challenge ?? startOver(context, account, method, trustedJWT);
  }
  return startSession(context, account.user, method);
}

/** The second factor was changed or turned off while this sign-in was under way: what counts is what there is now. */
async function startOver(
  context: ServiceContext,
  { user }: AccountRecord,
  method: SignInMethod,
  trustedJWT: string | undefined,
): Promise<TokenAnswer> {
  const present = await findByUid(context.db, user.uid);
  if (present === null) throw challengeOver();
  return answerVerifiedSignIn(context, present, method, trustedJWT);
}
