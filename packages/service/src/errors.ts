/** The codes of the contract's error answers (`ErrorResponse.error.code`). */
export type ErrorCode =
  | 'invalid_request'
  | 'invalid_credentials'
  | 'no_access'
  | 'invalid_code'
  | 'invalid_verification'
  | 'invalid_link'
  | 'invalid_refresh'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'password_rules'
  | 'password_mismatch'
  | 'too_many_failed_attempts'
  | 'rate_limited'
  | 'unavailable'
  | 'unexpected';

/** A failure that the caller is told about. Any other thrown error is answered as 500 `unexpected`. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';

  /**
   * @param status HTTP status, 4xx or 5xx.
   * @param message for the person at the screen; never holds what they entered.
   * @param retryAfterSeconds sent as `Retry-After`.
   */
  constructor(
    readonly status: number,
    readonly code: ErrorCode,
    message: string,
    readonly retryAfterSeconds?: number,
  ) {
    super(message);
  }
}

/**
 * A request that is not as the contract says. Which of its rules was broken is for the log: the person at the screen has
 * no use for the names of properties.
 */
export function requestRefused(status = 400): ServiceError {
  return new ServiceError(
    status,
    'invalid_request',
    'This request could not be understood. Please check your entries and try again.',
  );
}

/** For a password that does not match, and for an unknown user: docs/behaviour.md#errors. */
export function credentialsRefused(): ServiceError {
  return new ServiceError(
    401,
    'invalid_credentials',
    'We were unable to match the User ID and password you entered. Please check your entries and try again.',
  );
}

/** For every provider sign-in that does not fit, and for the right password of a disabled account: docs/behaviour.md#errors. */
export function noAccess(): ServiceError {
  return new ServiceError(401, 'no_access', 'Your account has no access');
}

/** The provider fails, or answers what no provider answers. */
export function providerUnavailable(): ServiceError {
  return new ServiceError(502, 'unavailable', 'The sign-in provider could not be reached. Please try again.');
}

/** The provider did not answer in time. */
export function providerNotAnswering(): ServiceError {
  return new ServiceError(
    504,
    'unavailable',
    'The sign-in provider did not answer in time. Please try again.',
  );
}

/** The service has no working registration at the provider; trying again does not help. */
export function providerNotSetUp(): ServiceError {
  return new ServiceError(503, 'unavailable', 'Signing in with this provider is not set up.');
}

/** Lockout: the application looks for 'Too many failed login attempts' in the message (docs/behaviour.md#errors). */
export function lockedOut(retryAfterSeconds: number): ServiceError {
  const minutes = Math.ceil(retryAfterSeconds / 60);
  const wait = minutes < 120 ? inUnits(minutes, 'minute') : inUnits(Math.ceil(minutes / 60), 'hour');
  return new ServiceError(
    429,
    'too_many_failed_attempts',
    `Too many failed login attempts. Please try again in ${wait}.`,
    retryAfterSeconds,
  );
}

function inUnits(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** For a verification that does not fit: docs/behaviour.md#errors. */
export function identityRefused(): ServiceError {
  return new ServiceError(
    401,
    'invalid_credentials',
    'We were unable to verify your identity. Please try again.',
  );
}

/** A wrong code of a text message or an app, at sign-in or set-up (the dialog's title: docs/behaviour.md#errors). */
export function codeRefused(): ServiceError {
  return new ServiceError(401, 'invalid_code', 'Incorrect Security or Verification Code');
}

/** The `authVerificationToken` of a challenge is unknown, used, expired, or another user's. */
export function challengeOver(): ServiceError {
  return new ServiceError(
    401,
    'invalid_verification',
    'The time to enter the code is over. Please sign in again.',
  );
}

/** The `authVerificationToken` of `validate-password` is missing, used, expired, or of another session. */
export function verificationOver(): ServiceError {
  return new ServiceError(401, 'invalid_verification', 'Please verify your identity again.');
}

/** Too many text messages to one phone or for one user. */
export function tooManyTexts(retryAfterSeconds: number): ServiceError {
  return new ServiceError(
    429,
    'rate_limited',
    'Too many text messages were sent. Please try again later.',
    retryAfterSeconds,
  );
}

/** The outbox did not take the text message. */
export function textNotSent(): ServiceError {
  return new ServiceError(503, 'unavailable', 'The text message could not be sent. Please try again.');
}

/** Too much is waiting to be hashed (`HashQueue`); it is over within seconds. */
export function serviceBusy(): ServiceError {
  return new ServiceError(503, 'unavailable', 'The service is busy. Please try again in a few seconds.', 5);
}

/**
 * The caller hung up and reads no answer; the status is the usual one for that (nginx). One for all, because a flood of
 * calls that are hung up would pay for as many stack traces.
 */
export const callerGone = new ServiceError(499, 'unavailable', 'The call was ended before its answer.');

export function sessionEnded(code: 'unauthorized' | 'invalid_refresh'): ServiceError {
  return new ServiceError(401, code, 'Your session has ended. Please sign in again.');
}

/**
 * A link that is unknown, used, expired, or of another kind: the caller does not learn which.
 *
 * @param status 401 where the link is a credential, 404 where it is an address (the API invitation).
 */
export function linkRefused(status: 401 | 404): ServiceError {
  const code = status === 401 ? 'invalid_link' : 'not_found';
  return new ServiceError(status, code, 'This link is invalid or has expired.');
}

/** The new password breaks the rules: docs/behaviour.md#password-rules. */
export function passwordRulesBroken(): ServiceError {
  return new ServiceError(400, 'password_rules', 'Please meet the password requirements');
}

/** The new password was not repeated alike: docs/behaviour.md#change-password. */
export function passwordsDiffer(): ServiceError {
  return new ServiceError(400, 'password_mismatch', 'Please make sure your passwords match');
}
