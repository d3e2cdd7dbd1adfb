import { randomUUID } from 'node:crypto';
import type { Transaction } from 'kysely';
import type { MfaEnrolmentRow, Tables, UserRow } from '../core/database/tables.ts';
import { sessionEnded } from '../core/errors.ts';
import type { Bearer, SetupBearer } from '../core/keys/signedTokens.ts';
import type { ServiceContext } from '../core/context.ts';
import { checkIdentityToken } from '../session/identityTokens.ts';
import { matchesCredentials } from '../session/setupGrounds.ts';

/** A new factor before its first code. */
export type NewEnrolment = Pick<MfaEnrolmentRow, 'type'> &
  Partial<Pick<MfaEnrolmentRow, 'phone' | 'country_code' | 'code_hash' | 'totp_secret'>>;

/**
 * Checks that the bearer may enrol a factor: in a session with a verification token; in setup mode while an enrolment
 * is required, and factors, password, e-mail and identity bindings are unchanged. An old setup token must neither
 * replace a factor nor restore one that was turned off.
 */
export async function checkMayEnrol(
  context: ServiceContext,
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
  checkMayStillEnrol(bearer, user);
}

/**
 * Checks that a setup token still permits an enrolment.
 *
 * @param user the present user; `undefined` if the account was removed.
 * @throws ServiceError 401 `unauthorized`.
 */
export function checkMayStillEnrol(
  bearer: SetupBearer,
  user:
    | Pick<UserRow, 'must_set_up_mfa' | 'factors_version' | 'identities_version' | 'password_hash' | 'email'>
    | undefined,
): void {
  const mayEnrol =
    user?.must_set_up_mfa === true &&
    user.factors_version === bearer.factorsVersion &&
    matchesCredentials(bearer, user);
  if (!mayEnrol) throw sessionEnded('unauthorized');
}

/**
 * Starts an enrolment, which replaces a previous one of the same type. An active factor stays active.
 *
 * @param lifeSeconds time to verify the first code.
 */
export async function beginEnrolment(
  { db, settings }: ServiceContext,
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

/** The user's enrolment of this type; `undefined` if there is none, or it has expired. */
export function findEnrolment(
  { db, settings }: ServiceContext,
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

/** Consumes an enrolment. @returns `false` if it was used, or replaced, in the meantime. */
export async function useEnrolment(trx: Transaction<Tables>, { id }: MfaEnrolmentRow): Promise<boolean> {
  const { numDeletedRows } = await trx.deleteFrom('mfa_enrolments').where('id', '=', id).executeTakeFirst();
  return numDeletedRows === 1n;
}
