import type { TestResponse } from './testService.ts';
import { appSecret, phone } from './userCalls.ts';

export { appSecret, phone };
export const sms = { type: 'authy', phone, countryCode: 'US', authyId: '52001' } as const;
export const app = { type: 'mfa', secret: appSecret } as const;

const error = (code: string, message: string) => ({ error: { message, code } });
export const wrongCode = error('invalid_code', 'Incorrect Security or Verification Code');
export const challengeOver = error(
  'invalid_verification',
  'The time to enter the code is over. Please sign in again.',
);
export const verifyAgain = error('invalid_verification', 'Please verify your identity again.');
export const identityRefused = error(
  'invalid_credentials',
  'We were unable to verify your identity. Please try again.',
);
export const unauthorized = error('unauthorized', 'Your session has ended. Please sign in again.');
export const lockedFor15Minutes = error(
  'too_many_failed_attempts',
  'Too many failed login attempts. Please try again in 15 minutes.',
);
export const tooManyTexts = error(
  'rate_limited',
  'Too many text messages were sent. Please try again later.',
);
export const noAccess = error('no_access', 'Your account has no access');

/** Status and body, for one comparison. */
export function outcome({ status, body }: TestResponse): readonly [number, TestResponse['body']] {
  return [status, body];
}
