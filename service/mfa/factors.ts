import { randomInt } from 'node:crypto';
import type { Transaction } from 'kysely';
import type { MfaEnrolmentRow, Tables, UserRow } from '../database/tables';
import { sessionEnded } from '../errors';
import { closeChallenges } from './openChallenge';
import { revokeTrustedDevices } from './trustedDevices';

/** What of a user says whether something given because of their factors, or for want of one, is still good. */
export type SetupState = Pick<UserRow, 'must_set_up_mfa' | 'factors_version'>;

/**
 * Holds everybody else off from this user's factors until the transaction ends, so that of two set-ups, or a set-up
 * and a turning off, the second sees what the first did.
 *
 * @returns what a decision that was taken before has to be compared with.
 * @throws ServiceError 401 `unauthorized` when the account was removed.
 */
export async function lockFactorsOf(trx: Transaction<Tables>, uid: string): Promise<SetupState> {
  const user = await trx
    .selectFrom('users')
    .select(['must_set_up_mfa', 'factors_version'])
    .where('uid', '=', uid)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (user === undefined) throw sessionEnded('unauthorized');
  return user;
}

/**
 * Makes a verified enrolment the user's factor. There is one at a time: sign-in asks for one kind of code, and the
 * settings show one (specification §2), so whichever was there before goes.
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
 * Takes away the user's factors and whatever was given because of them: trust, challenges, enrolments. By the version,
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
