import { sessionMessages } from '@features/session';
import type { Failure } from '@features/ui-dialogs';
import { isRefusal, troubleOf, type ApiError } from '@shared/api/apiError';

/** Words for a failed call of the enrolment: the server's message, else the fallback message. See docs/behaviour.md#errors. */
export function describeEnrolmentError(error: ApiError): Failure {
  return { message: error.details.serverMessage ?? sessionMessages.fallback, ...troubleOf(error) };
}

/**
 * Whether the service refused the code itself. A service with error codes sends `invalid_code`; without codes, any
 * refusal counts.
 */
export function isWrongCode(error: ApiError): boolean {
  const { serverCode = 'invalid_code' } = error.details;
  return isRefusal(error) && serverCode === 'invalid_code';
}

/** Whether identity has to be verified again: the proof was used up, or has expired. */
export function isProofSpent({ details }: ApiError): boolean {
  return details.serverCode === 'invalid_verification';
}
