/** The codes of the contract's error answers (`ErrorAnswer.error.code`). */
export type ErrorCode =
  | 'invalid_request'
  | 'invalid_credentials'
  | 'no_access'
  | 'invalid_code'
  | 'invalid_link'
  | 'invalid_refresh'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'too_many_failed_attempts'
  | 'rate_limited'
  | 'not_implemented'
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

/** The sentence of specification §8 for a password that does not match; the same for an unknown user. */
export function credentialsRefused(): ServiceError {
  return new ServiceError(
    401,
    'invalid_credentials',
    'We were unable to match the User ID and password you entered. Please check your entries and try again.',
  );
}

/** Lockout: the application looks for 'Too many failed login attempts' in the message (specification §4). */
export function lockedOut(retryAfterSeconds: number): ServiceError {
  const minutes = Math.ceil(retryAfterSeconds / 60);
  return new ServiceError(
    429,
    'too_many_failed_attempts',
    `Too many failed login attempts. Please try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`,
    retryAfterSeconds,
  );
}

export function sessionEnded(code: 'unauthorized' | 'invalid_refresh'): ServiceError {
  return new ServiceError(401, code, 'Your session has ended. Please sign in again.');
}

/** For the calls whose capability is not built yet. */
export function notImplemented(): ServiceError {
  return new ServiceError(501, 'not_implemented', 'This call is not available yet.');
}
