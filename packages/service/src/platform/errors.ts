type CoreErrorCode =
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

/**
 * The codes of the contract's error responses (`ErrorResponse.error.code`), to which a capability adds its own.
 *
 * @public
 */
export interface ErrorCodes extends Record<CoreErrorCode, true> {}

export type ErrorCode = keyof ErrorCodes;

/** A failure that is reported to the caller. Any other thrown error becomes a 500 response with `unexpected`. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';

  /**
   * @param status HTTP status, 4xx or 5xx.
   * @param message shown to the user; never contains what they entered.
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
 * A request that violates the contract. The violated rule is for the log only, because property names do not help the
 * user.
 */
export function requestRefused(status = 400): ServiceError {
  return new ServiceError(
    status,
    'invalid_request',
    'This request could not be understood. Please check your entries and try again.',
  );
}

/** The refusal of a wrong password and of an unknown user (docs/behaviour.md#errors). */
export function credentialsRefused(): ServiceError {
  return new ServiceError(
    401,
    'invalid_credentials',
    'We were unable to match the User ID and password you entered. Please check your entries and try again.',
  );
}

/** The refusal of a sign-in with a provider, and of the right password of a disabled account (docs/behaviour.md#errors). */
export function noAccess(): ServiceError {
  return new ServiceError(401, 'no_access', 'Your account has no access');
}

/** The refusal of the right password if an administrator requires a new one. */
export function newPasswordRequired(): ServiceError {
  return new ServiceError(
    401,
    'no_access',
    'Please set a new password. We have sent you an e-mail with a link.',
  );
}

/** The provider cannot be reached, or its response is invalid. */
export function providerUnavailable(): ServiceError {
  return new ServiceError(502, 'unavailable', 'The sign-in provider could not be reached. Please try again.');
}

/** The provider did not respond in time. */
export function providerTimedOut(): ServiceError {
  return new ServiceError(
    504,
    'unavailable',
    'The sign-in provider did not answer in time. Please try again.',
  );
}

/** The service has no valid client registration at the provider; a retry does not help. */
export function providerNotSetUp(): ServiceError {
  return new ServiceError(503, 'unavailable', 'Signing in with this provider is not set up.');
}

/** Lockout: the application looks for 'Too many failed login attempts' in the message (docs/behaviour.md#lockout). */
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

/** The refusal of a proof of identity (docs/behaviour.md#proof-of-identity). */
export function identityRefused(): ServiceError {
  return new ServiceError(
    401,
    'invalid_credentials',
    'We were unable to verify your identity. Please try again.',
  );
}

/**
 * A wrong code of a text message or an authenticator app, at sign-in or enrolment (title of the dialog:
 * docs/behaviour.md#challenge).
 */
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

/** The text message could not be sent. */
export function textNotSent(): ServiceError {
  return new ServiceError(503, 'unavailable', 'The text message could not be sent. Please try again.');
}

/** The queue of hashes (`HashQueue`) is full, which lasts for seconds. */
export function serviceBusy(): ServiceError {
  return new ServiceError(503, 'unavailable', 'The service is busy. Please try again in a few seconds.', 5);
}

/**
 * The caller hung up. 499 is the status that nginx uses for this. One shared error, because a flood of aborted calls
 * would otherwise compute a stack trace each.
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

/** The two entries of the new password differ: docs/behaviour.md#change-password. */
export function passwordsDiffer(): ServiceError {
  return new ServiceError(400, 'password_mismatch', 'Please make sure your passwords match');
}

/** A call that this service does not offer. */
export function noSuchCall(): ServiceError {
  return new ServiceError(404, 'not_found', 'There is no such call.');
}
