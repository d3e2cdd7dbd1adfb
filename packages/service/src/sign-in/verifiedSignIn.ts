import type { SignInMethod, TokenResponse } from '@vestibule/contract/schema';
import { sessionEvents } from '../session/events.ts';
import { recordOf, type AccountRecord } from '../accounts/accounts.ts';
import type { UserRow } from '../core/database/tables.ts';
import { startChallenge } from '../mfa/challenge.ts';
import { trustedDeviceOf } from '../mfa/trustedDevices.ts';
import type { CallContext, ServiceContext } from '../core/context.ts';
import { claimsOf } from '../session/claims.ts';
import { setupGroundsOf } from '../session/setupGrounds.ts';
import { firstStepOf } from '../session/authentication.ts';
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
    return issueSetupToken(context, user, method);
  }
  if (factor !== undefined && (await trustedDeviceOf(context, user.uid, trustedJWT)) === null) {
    const challenge = await startChallenge(context, user, method, factor);
    return challenge ?? repeatWithPresentFactors(context, user, method, trustedJWT);
  }
  return withCurrentCredentials(context, user, method, (trx) =>
    // The device was trusted after a second step.
    startSession(
      { ...context, db: trx },
      user,
      method,
      factor === undefined ? {} : { amr: [firstStepOf(method), 'mfa'] },
    ),
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

/**
 * Begins setup mode, for a user who has to enrol a factor first.
 *
 * @param method how the user verifies the identity.
 * @param signedInBy how the user signed in.
 */
export async function issueSetupToken(
  { db, tokens, audit }: ServiceContext,
  user: UserRow,
  method: SignInMethod,
  signedInBy: string = method,
): Promise<TokenResponse> {
  const mfaJWT = tokens.signSetup(claimsOf(user, method), setupGroundsOf(user));
  const entry = { event: sessionEvents['sign-in'], outcome: 'pending', uid: user.uid } as const;
  await audit.record(db, { ...entry, method: signedInBy, reason: 'set-up' });
  return { mfaJWT, uid: user.uid };
}
