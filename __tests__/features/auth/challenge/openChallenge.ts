import { codeSubmitted } from '@features/auth/challenge/challenge.slice';
import type { TokenResponse } from '@shared/api/decoders';
import { ApiError } from '@shared/api/apiError';
import { answers } from '../../../support/builders';
import { fakeDeps, type FakeDeps, type TabOptions } from '../../../support/fakeDeps';
import { openApp, signInWithPassword, type OpenApp } from '../../../support/openApp';
import { arrangeSignIn } from '../../../support/usualResponses';

/** The service's message for a lockout, with the text that marks it. */
export const lockout = new ApiError('server', {
  status: 429,
  serverMessage: 'Sorry. Too many failed login attempts. Try again in 15 minutes.',
});
/** The service's message for a wrong code. */
export const wrongCode = new ApiError('server', { status: 401, serverMessage: 'The code is not right.' });

/** `/two-auth`, reached with the password; earlier token calls are cleared. */
export async function openChallenge({
  challenge = answers.textChallenge(),
  arrange = () => undefined,
  ...options
}: TabOptions & {
  readonly challenge?: TokenResponse;
  /** What is there before. */
  readonly arrange?: (deps: FakeDeps) => void;
} = {}): Promise<OpenApp> {
  const deps = fakeDeps(options);
  arrange(deps);
  arrangeSignIn(deps.api, challenge);
  const app = openApp(deps);
  await signInWithPassword(app, { username: 'ada', password: 'pw' });
  deps.api.auth.token.mockReset();
  return app;
}

/** Submits a code. */
export async function submit(app: OpenApp, code = '123456', trust = false): Promise<void> {
  await app.send(codeSubmitted({ code, trust }));
}
