import type { MfaCodeTokenRequest, TokenResponse } from '@vestibule/contract/schema';
import { mfaTypes } from '../core/database/twoStepMethod.ts';
import { codeRefused } from '../core/errors.ts';
import { underLockout } from '../identity/underLockout.ts';
import { challengeKey } from '../core/limits/attemptKeys.ts';
import type { Passwords } from '../platform/security/passwords.ts';
import type { CallContext, ServiceContext } from '../core/context.ts';
import { firstStepOf } from '../session/authentication.ts';
import { startSession } from '../session/startSession.ts';
import { withCurrentCredentials } from '../session/withCurrentCredentials.ts';
import { mfaEvents } from './events.ts';
import { matchFactorCode, useStep } from './factorCode.ts';
import { findChallenge, useChallenge, type OpenChallenge } from './openChallenge.ts';
import { trustDevice } from './trustedDevices.ts';

/**
 * `POST /auth/v1/token` with the code of the second step. A password or provider code in the request is ignored: the
 * challenge's token proves the first step.
 *
 * @throws ServiceError 401 `invalid_code` or `invalid_verification`, or if the password was changed in the meantime;
 * 429 after too many wrong codes.
 */
export async function submitChallenge(
  context: CallContext,
  request: MfaCodeTokenRequest,
): Promise<TokenResponse> {
  const challenge = await findChallenge(context, request);
  const key = challengeKey(challenge.row.uid, context.network);
  const check = async (passwords: Passwords): Promise<TokenResponse | null> => {
    const { factor, row } = challenge;
    const match = await matchFactorCode({ ...context, passwords }, factor, row, request.mfaCode);
    return match === null ? null : signIn(context, challenge, match.usedStep, request.trust === true);
  };
  return underLockout(context, key, check, codeRefused);
}

/**
 * Consumes code and challenge, starts the session, and trusts the device on request. It runs under the user's lock,
 * because session and trust must not outlive a change of password or factor.
 *
 * @returns `null` if the code was used, or the challenge was used or ended, in the meantime.
 */
function signIn(
  context: ServiceContext,
  { row, account, factor }: OpenChallenge,
  usedStep: number | null,
  isTrusted: boolean,
): Promise<TokenResponse | null> {
  return withCurrentCredentials(context, account.user, row.method, async (trx) => {
    if (usedStep !== null && !(await useStep(trx, factor, usedStep))) return null;
    if (!(await useChallenge({ ...context, db: trx }, row))) return null;
    await context.audit.record(trx, {
      event: mfaEvents['second-step'],
      outcome: 'success',
      uid: row.uid,
      method: mfaTypes[factor.method],
    });
    const session = await startSession({ ...context, db: trx }, account.user, row.method, {
      amr: [firstStepOf(row.method), factor.method === 'text' ? 'sms' : 'otp', 'mfa'],
    });
    if (!isTrusted) return session;
    return { ...session, trustedToken: await trustDevice({ ...context, db: trx }, row.uid) };
  });
}
