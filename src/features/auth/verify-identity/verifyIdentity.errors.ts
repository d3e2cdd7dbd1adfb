import type { ApiError } from '@shared/api/apiError';
import { authMessages } from '../auth.messages';
import type { VerificationPurpose } from './verification.slice';

/**
 * Words for a proof that was not taken (specification §8): the server's own, else those of the screen. On the way to a
 * new password the default is the one of the sign-in.
 */
export function describeVerifyError(error: ApiError, purpose: VerificationPurpose): string {
  const { basicDefault, verifyDefault } = authMessages.errors;
  return error.details.serverMessage ?? (purpose === 'changePassword' ? basicDefault : verifyDefault);
}
