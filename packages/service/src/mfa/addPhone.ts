import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import type { SmsAddResponse, SmsAddRequest } from '@vestibule/contract/schema';
import { mfaTypes } from '../core/database/twoStepMethod.ts';
import { inTransaction } from '../platform/database/transaction.ts';
import { ServiceError } from '../platform/errors.ts';
import type { Bearer } from '../core/keys/signedTokens.ts';
import type { ServiceContext } from '../core/context.ts';
import { beginEnrolment, checkMayEnrol } from './enrolments.ts';
import { countText, newTextCode, sendTextCode, writeTextCode } from './textCode.ts';
import { mfaTexts } from './mfa.messages.ts';

/**
 * `POST /mfa/v1/sms-authy-add`: starts the enrolment of a phone and sends the first code to it. The active factor
 * stays active until the code was verified. A further call sends a new code, to the same number or another.
 *
 * @throws ServiceError 400 for a number that `isTextable` refuses, 401 as `checkMayEnrol`, 429 after too many text
 * messages, 503 if the message was refused.
 */
export async function addPhone(
  context: ServiceContext,
  bearer: Bearer,
  { phone, countryCode, authVerificationToken }: SmsAddRequest,
): Promise<SmsAddResponse> {
  await checkMayEnrol(context, bearer, authVerificationToken);
  if (!isTextable(phone, countryCode)) {
    throw new ServiceError(400, 'invalid_request', mfaTexts.phoneRefused);
  }
  await countText(context, [
    ['setUpsPerUser', bearer.uid],
    ['setUpsPerPhone', phone],
  ]);
  const text = await newTextCode(context);
  const enrolment = { type: mfaTypes.text, phone, country_code: countryCode, code_hash: text.hash };
  // The enrolment ends with its code.
  const lifeSeconds = Math.min(context.settings.enrolmentSeconds, context.settings.textCodeSeconds);
  const { uid } = bearer;
  const texted = { uid, phone, code: text.code, lifeSeconds, topic: `set-up ${uid}` };
  const message = await inTransaction(context.db, async (trx) => {
    await beginEnrolment({ ...context, db: trx }, uid, enrolment, lifeSeconds);
    return writeTextCode({ ...context, db: trx }, texted);
  });
  await sendTextCode(context, message);
  return { lastFourPhone: phone.slice(-4) };
}

/** The North American numbering plan does not show which numbers are mobile. */
const textableTypes: ReadonlySet<string | undefined> = new Set(['MOBILE', 'FIXED_LINE_OR_MOBILE']);
/** Ofcom's fictitious numbers, which no network assigns, for tests and demonstrations. */
const fictitiousNumber = /^\+447700900\d{3}$/;

/**
 * Whether a phone of the country can get text messages, by the numbering plans and not by the prefix. Other countries
 * share +1 (Canada, the Caribbean) and +44 (Jersey, Guernsey, the Isle of Man), and premium-rate and forwarded
 * numbers are targets of toll fraud.
 *
 * @param phone E.164, without other characters.
 */
export function isTextable(phone: string, country: 'US' | 'GB'): boolean {
  if (country === 'GB' && fictitiousNumber.test(phone)) return true;
  const parsed = parsePhoneNumberFromString(phone);
  return parsed?.number === phone && parsed.country === country && textableTypes.has(parsed.getType());
}
