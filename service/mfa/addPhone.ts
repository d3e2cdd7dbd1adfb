import type { SmsAddAnswer, SmsAddRequest } from '@contract/schema.gen';
import { ServiceError } from '../errors';
import type { Bearer } from '../security/signedTokens';
import type { ServiceContext } from '../serviceContext';
import { beginEnrolment, checkMayEnrol } from './enrolments';
import { isTextable } from './textablePhone';
import { newTextCode, sendTextCode } from './textCode';
import { countText } from './textLimits';

/**
 * `POST /mfa/v1/sms-authy-add`: begins to set up a phone and sends the first code to it. The factor that is on stays so
 * until the code was verified. Called again it sends a new code, to the same number or another.
 *
 * @throws ServiceError 400 for a number that `isTextable` refuses, 401 as `checkMayEnrol`, 429 after too many text messages,
 * 503 when the message was not taken.
 */
export async function addPhone(
  context: Pick<ServiceContext, 'db' | 'settings' | 'passwords'>,
  bearer: Bearer,
  { phone, countryCode, authVerificationToken }: SmsAddRequest,
): Promise<SmsAddAnswer> {
  await checkMayEnrol(context, bearer, authVerificationToken);
  if (!isTextable(phone, countryCode)) {
    throw new ServiceError(
      400,
      'invalid_request',
      'Please enter a US or GB phone number that takes text messages.',
    );
  }
  await countText(context, [
    ['setUpsPerUser', bearer.uid],
    ['setUpsPerPhone', phone],
  ]);
  const text = await newTextCode(context);
  const enrolment = { type: 'authy' as const, phone, country_code: countryCode, code_hash: text.hash };
  // Nothing is left of the set-up of a phone once its code is over.
  const lifeSeconds = Math.min(context.settings.enrolmentSeconds, context.settings.textCodeSeconds);
  await beginEnrolment(context, bearer.uid, enrolment, lifeSeconds);
  await sendTextCode(context, phone, { code: text.code, lifeSeconds });
  return { lastFourPhone: phone.slice(-4) };
}
