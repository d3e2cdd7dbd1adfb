import { randomInt } from 'node:crypto';
import type { Transaction } from 'kysely';
import type { MfaEnrolmentRow, Tables } from '../database/tables';
import { closeChallenges } from './openChallenge';
import { revokeTrustedDevices } from './trustedDevices';

/**
 * Makes a verified enrolment the user's factor. There is one at a time: sign-in asks for one kind of code, and the
 * settings show one (docs/behaviour.md#two-step-verification), so whichever was there before goes.
 *
 * @param usedStep the time step of the app's code by which it was verified; that code does not sign in as well.
 */
export async function activateFactor(
  trx: Transaction<Tables>,
  enrolment: MfaEnrolmentRow,
  usedStep: number | null,
  now: number,
): Promise<void> {
  const { uid, type, phone, country_code, totp_secret } = enrolment;
  const former = await trx
    .selectFrom('mfa_factors')
    .select('authy_id')
    .where('uid', '=', uid)
    .where('type', '=', 'authy')
    .executeTakeFirst();
  await removeFactors(trx, uid);
  await trx
    .insertInto('mfa_factors')
    .values({
      uid,
      type,
      phone,
      country_code,
      // The user's name at the text-message provider, which stays with a new number.
      authy_id: type === 'authy' ? (former?.authy_id ?? newAuthyId()) : null,
      totp_secret,
      activated_at: new Date(now),
      last_used_step: usedStep,
    })
    .execute();
}

/**
 * Takes away the user's factors and what was given because of them: trust, challenges, enrolments. By the version,
 * set-up tokens and sign-ins under way find out that the factors are no longer those that they were begun with.
 */
export async function removeFactors(trx: Transaction<Tables>, uid: string): Promise<void> {
  await trx
    .updateTable('users')
    .set((eb) => ({ factors_version: eb('factors_version', '+', 1) }))
    .where('uid', '=', uid)
    .execute();
  await trx.deleteFrom('mfa_factors').where('uid', '=', uid).execute();
  await trx.deleteFrom('mfa_enrolments').where('uid', '=', uid).execute();
  await revokeTrustedDevices(trx, uid);
  await closeChallenges(trx, uid);
}

function newAuthyId(): string {
  return String(randomInt(10_000_000, 100_000_000));
}
