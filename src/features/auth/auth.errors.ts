import type { Failure } from '@features/ui-dialogs';
import type { LoginMethodName } from '@shared/api/decoders';
import { troubleOf, type ApiError } from '@shared/api/apiError';
import { refusalMessages } from './refusals.messages';

/** The text for a failed sign-in: the server's message, else the default for the method. See docs/behaviour.md#errors. */
export function describeTokenError(error: ApiError | null, method: LoginMethodName | null): Failure {
  const { basicDefault, providerDefault } = refusalMessages;
  const message = error?.details.serverMessage ?? (method === 'basic' ? basicDefault : providerDefault);
  return { message, ...(error && troubleOf(error)) };
}

/**
 * The text for a refused proof of identity. For a change of the password the default is that of a sign-in. See
 * docs/behaviour.md#proof-of-identity.
 */
export function describeVerifyError(error: ApiError, purpose: string): Failure {
  const { basicDefault, verifyDefault } = refusalMessages;
  const byDefault = purpose === 'changePassword' ? basicDefault : verifyDefault;
  return { message: error.details.serverMessage ?? byDefault, ...troubleOf(error) };
}
