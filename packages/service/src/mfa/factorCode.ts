import type { Transaction } from 'kysely';
import type { ActiveFactor } from '../accounts/accounts.ts';
import type { Tables, VerificationTokenRow } from '../core/database/tables.ts';
import { mfaTypes } from '../core/database/twoStepMethod.ts';
import type { ServiceContext } from '../core/context.ts';
import { matchingStep } from './totp.ts';

/** A right code. */
export interface MatchedCode {
  /** The time step of an authenticator app's code. */
  readonly usedStep: number | null;
}

/**
 * Compares a code with that of an active factor.
 *
 * @param texted the code that was sent, for a factor by text message.
 * @returns `null` for a wrong code.
 */
export async function matchFactorCode(
  { passwords, secretBox, settings }: ServiceContext,
  factor: ActiveFactor,
  texted: Pick<VerificationTokenRow, 'code_hash' | 'code_expires_at'>,
  code: string,
): Promise<MatchedCode | null> {
  if (factor.method === 'text') {
    const isAlive = texted.code_expires_at !== null && texted.code_expires_at.getTime() > settings.now();
    const match = await passwords.matches(texted.code_hash, code);
    return isAlive && match !== null ? { usedStep: null } : null;
  }
  if (factor.totp_secret === null) return null;
  const usedStep = matchingStep(secretBox.open(factor.totp_secret, factor.uid), code, settings.now());
  return usedStep === null ? null : { usedStep };
}

/**
 * Records that the code of this step was used (RFC 6238 §5.2). @returns `false` if it, or a newer one, was used
 * before, or the factor was replaced.
 */
export async function useStep(
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
