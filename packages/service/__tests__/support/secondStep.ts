import { appCode } from './authenticator.ts';
import type { TestResponse, TestService } from './testService.ts';
import { appSecret, phone } from './userCalls.ts';

export { appSecret, phone };
export const sms = { type: 'authy', phone, countryCode: 'US', authyId: '52001' } as const;
export const app = { type: 'mfa', secret: appSecret } as const;

export const wrongCode = {
  error: { message: 'Incorrect Security or Verification Code', code: 'invalid_code' },
};
export const challengeOver = {
  error: {
    message: 'The time to enter the code is over. Please sign in again.',
    code: 'invalid_verification',
  },
};
export const verifyAgain = {
  error: { message: 'Please verify your identity again.', code: 'invalid_verification' },
};
export const identityRefused = {
  error: {
    message: 'We were unable to verify your identity. Please try again.',
    code: 'invalid_credentials',
  },
};
export const unauthorized = {
  error: { message: 'Your session has ended. Please sign in again.', code: 'unauthorized' },
};
export const lockedFor15Minutes = {
  error: {
    message: 'Too many failed login attempts. Please try again in 15 minutes.',
    code: 'too_many_failed_attempts',
  },
};
export const tooManyTexts = {
  error: { message: 'Too many text messages were sent. Please try again later.', code: 'rate_limited' },
};

/** Status and body, for one comparison. */
export function outcome({ status, body }: TestResponse): readonly [number, TestResponse['body']] {
  return [status, body];
}

/** What the app of `app` shows now. */
export const codeOfApp = ({ now }: Pick<TestService, 'now'>): Promise<string> => appCode(appSecret, now());
