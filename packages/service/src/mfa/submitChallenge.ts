import type { Transaction } from 'kysely';
import type { MfaCodeTokenRequest, TokenResponse } from '@vestibule/contract/schema';
import type { ActiveFactor } from '../accounts/accounts.ts';
import { mfaTypes } from '../platform/database/twoStepMethod.ts';
import type { Tables } from '../platform/database/tables.ts';
import { codeRefused } from '../platform/errors.ts';
import { underLockout } from '../identity/underLockout.ts';
import { challengeKey } from '../platform/limits/attemptKeys.ts';
import type { Passwords } from '../platform/security/passwords.ts';
import type { CallContext, ServiceContext } from '../platform/serviceContext.ts';
import { firstStepOf } from '../session/authentication.ts';
import { startSession } from '../session/startSession.ts';
import { withCurrentCredentials } from '../session/withCurrentCredentials.ts';
import { findChallenge, useChallenge, type OpenChallenge } from './openChallenge.ts';
import { matchingStep } from './totp.ts';
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
    const match = await matchOf({ ...context, passwords }, challenge, request.mfaCode);
    return match === null ? null : signIn(context, challenge, match.usedStep, request.trust === true);
  };
  return underLockout(context, key, check, codeRefused);
}

/** @returns `null` for a wrong code; `usedStep` for an authenticator app: the time step of the code. */
async function matchOf(
  { passwords, secretBox, settings }: ServiceContext,
  { row, factor }: OpenChallenge,
  code: string,
): Promise<{ usedStep: number | null } | null> {
  if (factor.method === 'text') {
    const isAlive = row.code_expires_at !== null && row.code_expires_at.getTime() > settings.now();
    const match = await passwords.matches(row.code_hash, code);
    return isAlive && match !== null ? { usedStep: null } : null;
  }
  if (factor.totp_secret === null) return null;
  const usedStep = matchingStep(secretBox.open(factor.totp_secret, row.uid), code, settings.now());
  return usedStep === null ? null : { usedStep };
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
      event: 'second-step',
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

/**
 * Records that the code of this step was used (RFC 6238 §5.2). @returns `false` if it, or a newer one, was used
 * before.
 */
async function useStep(
  trx: Transaction<Tables>,
  { uid, totp_secret }: ActiveFactor,
  step: number,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('mfa_factors')
    .set({ last_used_step: step })
    .where('uid', '=', uid)
    .where('type', '=', mfaTypes.app)
    .where('totp_secret', '=', totp_secret)
    .where((eb) => eb.or([eb('last_used_step', 'is', null), eb('last_used_step', '<', step)]))
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
