import { sessionMessages } from '@features/session';
import type { Failure } from '@features/ui-dialogs';
import { isRefusal, troubleOf, type ApiError } from '@shared/api/apiError';

/**
 * The text for a failed call of the enrolment: the server's message, else the fallback message. See docs/behaviour.md#errors.
 */
export function describeEnrolmentError(error: ApiError): Failure {
  return { message: error.details.serverMessage ?? sessionMessages.fallback, ...troubleOf(error) };
}

/**
 * Whether the service refused the code. A service with error codes sends `invalid_code`. Without an error code any refusal
 * counts.
 */
export function isWrongCode(error: ApiError): boolean {
  const { serverCode = 'invalid_code' } = error.details;
  return isRefusal(error) && serverCode === 'invalid_code';
}

/** Whether identity must be verified again, because the proof was used or has expired. */
export function isProofSpent({ details }: ApiError): boolean {
  return details.serverCode === 'invalid_verification';
}
