import type { DoneResponse, ValidateSetupRequest } from '@vestibule/contract/schema';
import type { Transaction } from 'kysely';
import { withUserLocked } from '../accounts/lockUser.ts';
import type { MfaEnrolmentRow, Tables, UserRow } from '../core/database/tables.ts';
import { codeRefused, sessionEnded } from '../core/errors.ts';
import { ServiceError } from '../platform/errors.ts';
import { underLockout } from '../identity/underLockout.ts';
import { setupKey } from '../core/limits/attemptKeys.ts';
import type { Passwords } from '../platform/security/passwords.ts';
import type { Bearer } from '../core/keys/signedTokens.ts';
import type { IdentityProof, ServiceContext } from '../core/context.ts';
import { useIdentityToken } from '../session/identityTokens.ts';
import { mfaEvents } from './events.ts';
import { checkMayEnrol, checkMayStillEnrol, findEnrolment, useEnrolment } from './enrolments.ts';
import { activateFactor } from './factors.ts';
import { matchingStep } from './totp.ts';
import { mfaTexts } from './mfa.messages.ts';

/**
 * `POST /mfa/v1/validate-setup`: the first code of a new factor, which then replaces any other.
 *
 * @throws ServiceError 400 without an enrolment; 401 `invalid_code`, or as `checkMayEnrol`; 429 after too many wrong
 * codes.
 */
export async function validateSetup(
  context: ServiceContext,
  bearer: Bearer,
  { mfaCode, mfaRegistering, authVerificationToken }: ValidateSetupRequest,
): Promise<DoneResponse> {
  const { uid } = bearer;
  await checkMayEnrol(context, bearer, authVerificationToken);
  const enrolment = await findEnrolment(context, uid, mfaRegistering);
  if (enrolment === undefined) {
    throw new ServiceError(400, 'invalid_request', mfaTexts.setupOver);
  }
  const check = async (passwords: Passwords): Promise<object | null> => {
    const match = await matchOf({ ...context, passwords }, enrolment, mfaCode);
    return match === null
      ? null
      : activate(context, bearer, authVerificationToken, enrolment, match.usedStep);
  };
  return underLockout(context, setupKey(uid), check, codeRefused);
}

/** @returns `null` for a wrong code; `usedStep` for an authenticator app: the time step of the code. */
async function matchOf(
  { passwords, secretBox, settings }: ServiceContext,
  { uid, code_hash, totp_secret }: MfaEnrolmentRow,
  code: string,
): Promise<{ usedStep: number | null } | null> {
  if (totp_secret === null)
    return (await passwords.matches(code_hash, code)) === null ? null : { usedStep: null };
  const usedStep = matchingStep(secretBox.open(totp_secret, uid), code, settings.now());
  return usedStep === null ? null : { usedStep };
}

/** @returns `null` if the enrolment was used, or replaced, while its code was checked. */
async function activate(
  context: ServiceContext,
  bearer: Bearer,
  authVerificationToken: string | undefined,
  enrolment: MfaEnrolmentRow,
  usedStep: number | null,
): Promise<object | null> {
  const { db, settings, audit, slots } = context;
  const isActivated = await withUserLocked(db, bearer.uid, async (trx, user) => {
    if (!(await useEnrolment(trx, enrolment))) return false;
    const { uid, type, phone } = enrolment;
    const proof = await proofOf(trx, bearer, authVerificationToken, user);
    // First, because it reads the elements that the user has so far.
    if (phone !== null) await slots.elementsAdded({ ...context, db: trx }, [{ uid, element: phone, proof }]);
    const formerPhone = await activateFactor(trx, enrolment, usedStep, settings.now());
    const isOtherPhone = phone !== null && formerPhone !== null && phone !== formerPhone;
    const event = isOtherPhone ? mfaEvents['phone-change'] : mfaEvents['two-step-set'];
    const about = phone === null ? {} : { about: phone };
    await audit.record(trx, { event, outcome: 'success', uid, method: type, ...about });
    return true;
  });
  if (isActivated === null) throw sessionEnded('unauthorized');
  return isActivated ? {} : null;
}

/** Uses up what permits the enrolment. @returns how the user was verified. */
async function proofOf(
  trx: Transaction<Tables>,
  bearer: Bearer,
  authVerificationToken: string | undefined,
  user: UserRow,
): Promise<IdentityProof> {
  if (bearer.kind === 'session') return useIdentityToken(trx, bearer, authVerificationToken);
  checkMayStillEnrol(bearer, user);
  return { method: 'setup' };
}
