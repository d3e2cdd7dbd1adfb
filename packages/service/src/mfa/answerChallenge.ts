import type { Transaction } from 'kysely';
import type { MfaCodeTokenRequest, TokenResponse } from '@vestibule/contract/schema';
import type { ActiveFactor, Tables } from '../database/tables.ts';
import { codeRefused } from '../errors.ts';
import { underLockout } from '../identity/underLockout.ts';
import { challengeKey } from '../limits/attemptKeys.ts';
import type { Passwords } from '../security/passwords.ts';
import type { CallContext, ServiceContext } from '../serviceContext.ts';
import { startSession } from '../session/startSession.ts';
import { withCurrentCredentials } from '../session/withCurrentCredentials.ts';
import { findChallenge, useChallenge, type OpenChallenge } from './openChallenge.ts';
import { matchingStep } from './totp.ts';
import { trustDevice } from './trustedDevices.ts';

/**
 * `POST /auth/v1/token` with the code of a second factor. A password or a provider's code that comes along is not
 * looked at: the challenge's token stands for it.
 *
 * @throws ServiceError 401 `invalid_code` or `invalid_verification`, or when the password was changed meanwhile; 429
 * after too many wrong codes.
 */
export async function answerChallenge(
  context: CallContext,
  request: MfaCodeTokenRequest,
): Promise<TokenResponse> {
  const challenge = await findChallenge(context, request);
  const key = challengeKey(challenge.row.uid, context.network);
  const check = async (passwords: Passwords): Promise<TokenResponse | null> => {
    const fit = await fitOf({ ...context, passwords }, challenge, request.mfaCode);
    return fit === null ? null : signIn(context, challenge, fit.usedStep, request.trust === true);
  };
  return underLockout(context, key, check, codeRefused);
}

/** `null` for a wrong code; the time step of an app's. */
async function fitOf(
  { passwords, secretBox, settings }: ServiceContext,
  { row, factor }: OpenChallenge,
  code: string,
): Promise<{ usedStep: number | null } | null> {
  if (factor.type === 'authy') {
    const isAlive = row.code_expires_at !== null && row.code_expires_at.getTime() > settings.now();
    const matches = await passwords.matches(row.code_hash, code);
    return isAlive && matches ? { usedStep: null } : null;
  }
  if (factor.totp_secret === null) return null;
  const usedStep = matchingStep(secretBox.open(factor.totp_secret, row.uid), code, settings.now());
  return usedStep === null ? null : { usedStep };
}

/**
 * Uses code and challenge up, opens the session and trusts the device if asked to, under the user's lock:
 * session and trust would otherwise outlive the password, and the trust the factor, that they were given for.
 *
 * @returns `null` when the code was used, or the challenge was used or ended, in the meantime.
 */
function signIn(
  context: ServiceContext,
  { row, account, factor }: OpenChallenge,
  usedStep: number | null,
  isTrusted: boolean,
): Promise<TokenResponse | null> {
  return withCurrentCredentials(context, account.user, row.method, async (trx) => {
    if (usedStep !== null && !(await useStep(trx, factor, usedStep))) return null;
    if (!(await useChallenge(trx, row))) return null;
    await context.audit.record(trx, {
      event: 'second-step',
      outcome: 'success',
      uid: row.uid,
      method: factor.type,
    });
    const session = await startSession({ ...context, db: trx }, account.user, row.method);
    if (!isTrusted) return session;
    return { ...session, trustedToken: await trustDevice({ ...context, db: trx }, row.uid) };
  });
}

/** Remembers that the code of this step was taken (RFC 6238 §5.2). @returns `false` when it, or a newer one, was. */
async function useStep(
  trx: Transaction<Tables>,
  { uid, totp_secret }: ActiveFactor,
  step: number,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('mfa_factors')
    .set({ last_used_step: step })
    .where('uid', '=', uid)
    .where('type', '=', 'mfa')
    .where('totp_secret', '=', totp_secret)
    .where((eb) => eb.or([eb('last_used_step', 'is', null), eb('last_used_step', '<', step)]))
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
