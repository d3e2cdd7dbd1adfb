import type { AccountInput } from '../../src/index.ts';
import { appCode } from './authenticator.ts';
import { account, signIn, type TestResponse, type TestService, text } from './testService.ts';

export const phone = '+12025550143';
export const sms = { type: 'authy', phone, countryCode: 'US', authyId: '52001' } as const;
export const appSecret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
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

/** Signs in with the password up to the challenge. @returns its token. */
export async function challengeOf(service: TestService): Promise<string> {
  return text(await signIn(service), 'authVerificationToken');
}

/** Enters a code at `/two-auth`. */
export function enterCode(
  service: TestService,
  authVerificationToken: string,
  mfaCode: string,
  more: Readonly<Record<string, unknown>> = {},
): Promise<TestResponse> {
  const body = { username: 'ada@example.com', method: 'basic', authVerificationToken, mfaCode, ...more };
  return service.post('/auth/v1/token', body);
}

/** What the app of `app` shows now, or at another time. */
export function codeOfApp(service: TestService, secondsLater = 0): Promise<string> {
  return appCode(appSecret, service.now() + secondsLater * 1000);
}

/** A signed-in user with these changes. @returns the session token and the uid. */
export async function signedIn(
  service: TestService,
  changes: Partial<AccountInput> = {},
): Promise<{ readonly bearer: string; readonly uid: string }> {
  const { mfa = null, ...rest } = changes;
  const { uid } = await service.directory.upsertAccount(account(rest));
  const username = rest.username ?? 'ada@example.com';
  const bearer = text(await signIn(service, { username }), 'token');
  // The session stays; the second factor was set up later.
  if (mfa !== null) await service.directory.upsertAccount(account({ ...rest, mfa }));
  return { bearer, uid };
}

/** Verifies the identity by password. @returns the `authVerificationToken`. */
export async function verified(service: TestService, bearer: string): Promise<string> {
  const response = await service.post(
    '/auth/v1/validate-password',
    { password: 'Correct-horse7' },
    { bearer },
  );
  return text(response, 'authVerificationToken');
}

/** The two flags of the settings. */
export async function activeFactors(service: TestService, bearer: string, uid: string): Promise<unknown> {
  const response = await service.get(`/user-management/v1/users/${uid}`, { bearer });
  const { data } = response.body as {
    data: { attributes: { authyActive: boolean; twoFactorActive: boolean } };
  };
  return { authyActive: data.attributes.authyActive, twoFactorActive: data.attributes.twoFactorActive };
}
