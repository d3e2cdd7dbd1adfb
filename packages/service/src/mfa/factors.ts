import { randomInt } from 'node:crypto';
import type { Transaction } from 'kysely';
import type { AuthyInfoResponse } from '@vestibule/contract/schema';
import { findByUid } from '../accounts/accounts.ts';
import { mfaTypes } from '../core/database/twoStepMethod.ts';
import type { MfaEnrolmentRow, Tables } from '../core/database/tables.ts';
import { Refusal } from '../platform/errors.ts';
import type { Bearer } from '../core/keys/signedTokens.ts';
import type { ServiceContext } from '../core/context.ts';
import { closeChallenges } from './openChallenge.ts';
import { revokeTrustedDevices } from './trustedDevices.ts';
import { mfaTexts } from './mfa.messages.ts';

/**
 * `GET /mfa/v1/authy-info`: the phone that gets the bearer's codes, masked except for its last four digits. Setup
 * tokens may read it too, for the screen after an enrolment.
 *
 * @throws ServiceError 404 without a phone.
 */
export async function authyInfo({ db }: ServiceContext, { uid }: Bearer): Promise<AuthyInfoResponse> {
  const account = await findByUid(db, uid);
  const phone = account?.factors.find((factor) => factor.method === 'text')?.phone;
  if (phone === undefined || phone === null) throw new Refusal(404, 'not_found', mfaTexts.noTexts);
  return { status: { phone_number: `XXX-XXX-${phone.slice(-4)}` } };
}

/**
 * Makes a verified enrolment the user's only factor; any previous one is removed
 * (docs/behaviour.md#two-step-verification).
 *
 * @returns the phone of the previous factor, `null` if it had none.
 * @param usedStep the time step of the app's code that verified it; that code is not accepted again at sign-in.
 */
export async function activateFactor(
  trx: Transaction<Tables>,
  enrolment: MfaEnrolmentRow,
  usedStep: number | null,
  now: number,
): Promise<string | null> {
  const { uid, type, phone, country_code, totp_secret } = enrolment;
  const former = await trx
    .selectFrom('mfa_factors')
    .select(['authy_id', 'phone'])
    .where('uid', '=', uid)
    .where('type', '=', mfaTypes.text)
    .executeTakeFirst();
  await removeFactors(trx, uid);
  await trx
    .insertInto('mfa_factors')
    .values({
      uid,
      type,
      phone,
      country_code,
      // The user's id at the text-message provider, kept when the number changes.
      authy_id: type === mfaTypes.text ? (former?.authy_id ?? newAuthyId()) : null,
      totp_secret,
      activated_at: new Date(now),
      last_used_step: usedStep,
    })
    .execute();
  return former?.phone ?? null;
}

/**
 * Removes the user's factors and everything that depends on them: trusted devices, challenges, enrolments. The
 * version invalidates setup tokens and sign-ins in progress.
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
