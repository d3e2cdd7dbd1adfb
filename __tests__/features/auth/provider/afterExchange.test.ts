/** @jest-environment node */
import { answers, methods } from '../../../support/builders';
import { settle } from '../../../support/openApp';
import { openWithProviders } from './openWithProviders';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));
afterEach(() => jest.useRealTimers());

const code = { type: 'oauth/code', code: 'code-1' };

describe('what comes after the exchange', () => {
  it.each([
    ['with Remember Me', true, ['Ada+x@Example.com']],
    ['without Remember Me', false, []],
  ])('keeps the name as it was typed, %s', async (_name, rememberMe, kept) => {
    const app = await openWithProviders({
      offered: [methods.google],
      username: 'Ada+x@Example.com',
      rememberMe,
    });
    app.deps.cookies.write('payments-test-username', 'before', { kind: 'days', days: 365 });
    app.window().say(code);
    await settle();
    expect(app.deps.cookies.readAll('payments-test-username')).toEqual(kept);
    expect(app.deps.api.auth.token.mock.calls[0]?.[0]).toMatchObject({ username: 'Ada+x@Example.com' });
  });

  it.each([
    ['google', methods.google, { code: 'code-1' }],
    ['microsoft', methods.microsoft, { code: 'code-1', codeVerifier: 'verifier-1' }],
  ] as const)(
    'may be a second step: code and verifier of %s wait in the vault',
    async (provider, offer, kept) => {
      const app = await openWithProviders({ offered: [offer] });
      app.deps.api.auth.token.mockResolvedValue(answers.smsChallenge());
      app.window().say(code);
      await settle();
      expect(app.deps.navigation.address()).toBe('/two-auth');
      expect(app.deps.vault.get('challenge')).toEqual({ authVerificationToken: 'vt_1', ...kept });
      expect(app.state().auth.challenge).toMatchObject({ challenge: { method: provider, mfaType: 'authy' } });
      expect(JSON.stringify(app.state())).not.toMatch(/code-1|verifier-1/);
      app.deps.navigation.back();
      await settle();
      expect(app.deps.vault.get('challenge')).toBeUndefined();
    },
  );

  it('may be the set-up of two-step verification', async () => {
    const app = await openWithProviders({ offered: [methods.microsoft] });
    const answer = answers.mustSetUpMfa();
    app.deps.api.auth.token.mockResolvedValue(answer);
    app.window().say(code);
    await settle();
    expect(app.deps.navigation.address()).toBe('/account-settings');
    expect(app.deps.cookies.contents()).toEqual({
      'payments-test-session-setup': `{"mfaToken":"${answer.mfaJWT ?? ''}"}`,
    });
  });
});
