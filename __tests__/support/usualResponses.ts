import { ApiError } from '@shared/api/apiError';
import type { LoginMethod, TokenResponse } from '@shared/api/decoders';
import { answers, methods } from './builders';
import type { FakeApi } from './fakeApi';

/** The service answers both steps of `/login`; the account cannot be loaded unless the test arranges it. */
export function arrangeSignIn(
  { auth, users }: FakeApi,
  token: TokenResponse | ApiError = answers.session(),
  offered: readonly LoginMethod[] = [methods.basic],
): void {
  auth.methods.mockResolvedValue(offered);
  if (token instanceof ApiError) auth.token.mockRejectedValue(token);
  else auth.token.mockResolvedValue(token);
  users.attributes.mockRejectedValue(new ApiError('network'));
}
