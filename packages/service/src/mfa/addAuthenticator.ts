import type { TwoFactorAddResponse, TwoFactorAddRequest } from '@vestibule/contract/schema';
import { findByUid } from '../accounts/accounts.ts';
import { mfaTypes } from '../core/database/twoStepMethod.ts';
import { sessionEnded } from '../core/errors.ts';
import type { Bearer } from '../core/keys/signedTokens.ts';
import type { ServiceContext } from '../core/context.ts';
import { beginEnrolment, checkMayEnrol } from './enrolments.ts';
import { newTotpSecret, otpauthUrl } from './totp.ts';

/**
 * `POST /mfa/v1/twofactor-add`: a new secret for an authenticator app, for each call. The active factor stays active
 * until a code was verified.
 *
 * @throws ServiceError 401 as `checkMayEnrol`.
 */
export async function addAuthenticator(
  context: ServiceContext,
  bearer: Bearer,
  { authVerificationToken }: TwoFactorAddRequest,
): Promise<TwoFactorAddResponse> {
  await checkMayEnrol(context, bearer, authVerificationToken);
  const account = await findByUid(context.db, bearer.uid);
  if (account === null) throw sessionEnded('unauthorized');
  const code = newTotpSecret();
  const enrolment = { type: mfaTypes.app, totp_secret: context.secretBox.seal(code, bearer.uid) };
  await beginEnrolment(context, bearer.uid, enrolment, context.settings.enrolmentSeconds);
  return { code, url: otpauthUrl(context.settings.productName, account.user.username, code) };
}
