import type { TokenResponse } from '@shared/api/decoders';
import { ApiError } from '@shared/api/apiError';
import { methods } from '../../../support/builders';
import { fakeDeps, type TabOptions } from '../../../support/fakeDeps';
import { openApp } from '../../../support/openApp';

/** The dialog's text for a password, unless the server sends a message. */
export const basicDefault =
  'We were unable to match the User ID and password you entered. Please check your entries and try again.';
/** The app-level fallback message. */
export const fallback =
  'An unexpected error occurred. Please try again later. We apologize for the inconvenience.';

/** The dialog's text if a sibling host's copy of a cookie blocks the sign-in and cannot be removed. */
export const blocked =
  'A cookie in your browser prevents this sign-in. Delete the cookies of payments.localhost in your browser, then sign in again.';

/** `/login` for a user with a password, with this answer to the token call. */
export const openWith = (answer: TokenResponse | ApiError, options: TabOptions = {}) => {
  const app = openApp(fakeDeps(options));
  app.deps.api.auth.methods.mockResolvedValue([methods.basic]);
  if (answer instanceof ApiError) app.deps.api.auth.token.mockRejectedValue(answer);
  else app.deps.api.auth.token.mockResolvedValue(answer);
  app.deps.api.users.attributes.mockRejectedValue(new ApiError('network'));
  return app;
};

/** Values of both session cookies. */
export const sessionCookies = (contents: Readonly<Record<string, string>>) => [
  contents['payments-test-session'],
  contents['payments-test-session-refresh'],
];
