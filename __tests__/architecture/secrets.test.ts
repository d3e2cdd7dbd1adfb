import { recording } from '../support/devToolsRecorder';
import { logoutRequested } from '@features/session';
import type { TokenResponse } from '@shared/api/decoders';
import { ApiError } from '@shared/api/apiError';
import { answers, methods, severalPersonas, tokenPair } from '../support/builders';
import { fakeDeps } from '../support/fakeDeps';
import { findLeaks } from '../support/findLeaks';
import { openApp, pass, settle, signInWithPassword, type OpenApp } from '../support/openApp';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));
afterEach(() => jest.useRealTimers());

const password = 'Marked-passw0rd';
const challengeToken = 'marked-verification-token';
const trusted = 'marked-trusted-token';

/** Signs in under the recorder with marked secrets, and returns the marks. */
const record = async (
  answer: TokenResponse | ApiError,
  afterwards: (app: OpenApp) => Promise<void> = () => Promise.resolve(),
) => {
  const deps = fakeDeps({ path: '/login?code=marked-code&state=marked-state' });
  deps.cookies.write('payments-test-session-trust-ada@example.com', trusted, { kind: 'session' });
  deps.api.auth.methods.mockResolvedValue([methods.basic]);
  if (answer instanceof ApiError) deps.api.auth.token.mockRejectedValue(answer);
  else deps.api.auth.token.mockResolvedValue(answer);
  const renewed = tokenPair({ personas: severalPersonas, iat: 1_800_000_450 });
  deps.api.auth.refresh.mockResolvedValue(renewed);
  deps.api.users.attributes.mockRejectedValue(new ApiError('network'));
  const app = openApp(deps, { devTools: true });
  await signInWithPassword(app, { password, rememberMe: true });
  await afterwards(app);
  const given = answer instanceof ApiError ? [] : [answer.token, answer.refresh, answer.mfaJWT];
  const marks = [
    password,
    challengeToken,
    trusted,
    'marked-code',
    'marked-state',
    renewed.token,
    renewed.refresh,
  ];
  return { app, deps, marks: [...marks, ...given.filter((text) => text !== undefined)] };
};

describe('what Redux DevTools records of a sign-in', () => {
  it.each<readonly [string, TokenResponse | ApiError]>([
    ['that leads to an application', answers.session()],
    ['that leads to account settings', answers.session({ personas: severalPersonas })],
    ['that must set up two-step verification', answers.mustSetUpMfa()],
    ['that requires a second step', answers.smsChallenge({ authVerificationToken: challengeToken })],
    ['of a user without personas', answers.session({ personas: {} })],
    ['that was rejected', new ApiError('server', { status: 401, serverMessage: 'Wrong' })],
    ['with an invalid token', { token: 'marked-broken-token', refresh: 'marked-refresh' }],
  ])('%s has no secret in any action or state', async (_name, answer) => {
    const { app, deps, marks } = await record(answer);
    // The recorder was active, and saw the events that carried them.
    const recorded = JSON.stringify(recording.steps());
    expect(recorded).toContain('"type":"signIn/passwordSubmitted"');
    expect(recorded).toContain('"secret":"[redacted]"');
    expect(deps.api.auth.token.mock.calls[0]?.[0]).toMatchObject({ password, trustedJWT: trusted });
    expect(recording.steps().at(-1)?.state).toEqual(app.state());

    expect(findLeaks(deps, marks)).toEqual([]);
  });

  it('through a refresh and the end of the session has no secret either', async () => {
    const { deps, marks } = await record(answers.session({ personas: severalPersonas }), async (app) => {
      await pass(460_000);
      app.dispatch(logoutRequested());
      await settle();
    });
    const recorded = JSON.stringify(recording.steps());
    expect(recorded).toContain('"type":"session/sessionRefreshed"');
    expect(recorded).toContain('"type":"session/sessionEnded"');
    expect(findLeaks(deps, marks)).toEqual([]);
  });
});
