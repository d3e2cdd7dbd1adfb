import { randomUUID } from 'node:crypto';
import type { Transaction } from 'kysely';
import type { MfaEnrolmentRow, Tables, UserRow } from '../database/tables.ts';
import { sessionEnded } from '../errors.ts';
import type { Bearer, SetupBearer } from '../security/signedTokens.ts';
import type { ServiceContext } from '../serviceContext.ts';
import { checkIdentityToken } from '../session/identityTokens.ts';
import { standsFor } from '../session/setupGrounds.ts';

type EnrolmentContext = Pick<ServiceContext, 'db' | 'settings'>;

/** What is known of a new factor before its first code. */
export type NewEnrolment = Pick<MfaEnrolmentRow, 'type'> &
  Partial<Pick<MfaEnrolmentRow, 'phone' | 'country_code' | 'code_hash' | 'totp_secret'>>;

/**
 * Whether the bearer may set up a factor: in a session with the identity just verified; in setup mode, where the
 * password or a provider was asked just now, as long as the set-up is wanted, and neither the factors nor the password
 * nor the e-mail have changed. A set-up token that is left over must neither replace a factor nor bring one back that was turned off.
 *
 * @throws ServiceError 401 `invalid_verification` or `unauthorized`.
 */
export async function checkMayEnrol(
  context: EnrolmentContext,
  bearer: Bearer,
  authVerificationToken: string | undefined,
): Promise<void> {
  if (bearer.kind === 'session') {
    await checkIdentityToken(context, bearer, authVerificationToken);
    return;
  }
  const user = await context.db
    .selectFrom('users')
    .select(['must_set_up_mfa', 'factors_version', 'identities_version', 'password_hash', 'email'])
    .where('uid', '=', bearer.uid)
    .executeTakeFirst();
  checkSetsUpStill(bearer, user);
}

/**
 * Whether a set-up token may still set something up.
 *
 * @param user as it is now; `undefined` when the account was removed.
 * @throws ServiceError 401 `unauthorized`.
 */
export function checkSetsUpStill(
  bearer: SetupBearer,
  user:
    | Pick<UserRow, 'must_set_up_mfa' | 'factors_version' | 'identities_version' | 'password_hash' | 'email'>
    | undefined,
): void {
  const setsUp =
    user?.must_set_up_mfa === true &&
    user.factors_version === bearer.factorsVersion &&
    standsFor(bearer, user);
  if (!setsUp) throw sessionEnded('unauthorized');
}

/**
 * Begins an enrolment; one of the same kind that was begun before is dropped, an active factor stays.
 *
 * @param lifeSeconds time to verify the first code.
 */
export async function beginEnrolment(
  { db, settings }: EnrolmentContext,
  uid: string,
  enrolment: NewEnrolment,
  lifeSeconds: number,
): Promise<void> {
  const row = {
    id: randomUUID(),
    phone: null,
    country_code: null,
    code_hash: null,
    totp_secret: null,
    ...enrolment,
    expires_at: new Date(settings.now() + lifeSeconds * 1000),
  };
  await db
    .insertInto('mfa_enrolments')
    .values({ uid, ...row })
    .onConflict((conflict) => conflict.columns(['uid', 'type']).doUpdateSet(row))
    .execute();
}

/** The user's enrolment of this kind; `undefined` when none was begun, or its time is over. */
export function findEnrolment(
  { db, settings }: EnrolmentContext,
  uid: string,
  type: MfaEnrolmentRow['type'],
): Promise<MfaEnrolmentRow | undefined> {
  return db
    .selectFrom('mfa_enrolments')
    .selectAll()
    .where('uid', '=', uid)
    .where('type', '=', type)
    .where('expires_at', '>', new Date(settings.now()))
    .executeTakeFirst();
}

/** Uses an enrolment up. @returns `false` when it was used, or replaced, in the meantime. */
export async function useEnrolment(trx: Transaction<Tables>, { id }: MfaEnrolmentRow): Promise<boolean> {
  const { numDeletedRows } = await trx.deleteFrom('mfa_enrolments').where('id', '=', id).executeTakeFirst();
  return numDeletedRows === 1n;
}
