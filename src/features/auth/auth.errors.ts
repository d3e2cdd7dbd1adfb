import type { LoginMethodName } from '@shared/api/api';
import type { ApiError } from '@shared/api/apiError';
import { authMessages } from './auth.messages';

/** Words for a failed sign-in (specification §8): the server's own, else the default of the method. */
export function describeTokenError(error: ApiError | null, method: LoginMethodName): string {
  return (
    error?.details.serverMessage ??
    (method === 'basic' ? authMessages.errors.basicDefault : authMessages.errors.providerDefault)
  );
}
