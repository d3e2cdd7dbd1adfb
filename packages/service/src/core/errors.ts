import { Refusal, ServiceError } from '../platform/errors.ts';
import { errorTexts as words } from './errors.messages.ts';

/** The refusal of a wrong password and of an unknown user (docs/behaviour.md#errors). */
export function credentialsRefused(): ServiceError {
  return new Refusal(401, 'invalid_credentials', words.credentialsRefused);
}

/** The refusal of a sign-in with a provider, and of the right password of a disabled account (docs/behaviour.md#errors). */
export function noAccess(): ServiceError {
  return new Refusal(401, 'no_access', words.noAccess);
}

/** The refusal of the right password if an administrator requires a new one. */
export function newPasswordRequired(): ServiceError {
  return new Refusal(401, 'no_access', words.newPasswordRequired);
}

/** The provider cannot be reached, or its response is invalid. */
export function providerUnavailable(): ServiceError {
  return new ServiceError(502, 'unavailable', words.providerUnavailable);
}

/** The provider did not respond in time. */
export function providerTimedOut(): ServiceError {
  return new ServiceError(504, 'unavailable', words.providerTimedOut);
}

/** The service has no valid client registration at the provider; a retry does not help. */
export function providerNotSetUp(): ServiceError {
  return new ServiceError(503, 'unavailable', words.providerNotSetUp);
}

/** Lockout: the application recognizes it by its code, or by 'Too many failed login attempts' in the message (docs/behaviour.md#lockout). */
export function lockedOut(retryAfterSeconds: number): ServiceError {
  const minutes = Math.ceil(retryAfterSeconds / 60);
  const wait = minutes < 120 ? words.minutes(minutes) : words.hours(Math.ceil(minutes / 60));
  return new ServiceError(429, 'too_many_failed_attempts', words.lockedOut(wait), retryAfterSeconds);
}

/** The refusal of a proof of identity (docs/behaviour.md#proof-of-identity). */
export function identityRefused(): ServiceError {
  return new Refusal(401, 'invalid_credentials', words.identityRefused);
}

/**
 * A wrong code of a text message or an authenticator app, at sign-in or enrolment (title of the dialog:
 * docs/behaviour.md#challenge).
 */
export function codeRefused(): ServiceError {
  return new Refusal(401, 'invalid_code', words.codeRefused);
}

/** The `authVerificationToken` of a challenge is unknown, used, expired, or another user's. */
export function challengeOver(): ServiceError {
  return new Refusal(401, 'invalid_verification', words.challengeOver);
}

/** The `authVerificationToken` of `validate-password` is missing, used, expired, or of another session. */
export function verificationOver(): ServiceError {
  return new Refusal(401, 'invalid_verification', words.verificationOver);
}

/** Too many text messages to one phone or for one user. */
export function tooManyTexts(retryAfterSeconds: number): ServiceError {
  return new ServiceError(429, 'rate_limited', words.tooManyTexts, retryAfterSeconds);
}

/** The server of an application has no client, or another secret. */
export function clientRefused(): ServiceError {
  return new ServiceError(401, 'unauthorized', words.clientRefused);
}

/** The text message could not be sent. */
export function textNotSent(): ServiceError {
  return new ServiceError(503, 'unavailable', words.textNotSent);
}

export function sessionEnded(code: 'unauthorized' | 'invalid_refresh'): ServiceError {
  return new ServiceError(401, code, words.sessionEnded);
}

/**
 * A link that is unknown, used, expired, or of another kind: the caller does not learn which.
 *
 * @param status 401 where the link is a credential, 404 where it is an address (the API invitation).
 */
export function linkRefused(status: 401 | 404): ServiceError {
  const code = status === 401 ? 'invalid_link' : 'not_found';
  return new Refusal(status, code, words.linkRefused);
}

/** The new password breaks the rules: docs/behaviour.md#password-rules. */
export function passwordRulesBroken(): ServiceError {
  return new ServiceError(400, 'password_rules', words.passwordRulesBroken);
}

/** The two entries of the new password differ: docs/behaviour.md#change-password. */
export function passwordsDiffer(): ServiceError {
  return new ServiceError(400, 'password_mismatch', words.passwordsDiffer);
}
