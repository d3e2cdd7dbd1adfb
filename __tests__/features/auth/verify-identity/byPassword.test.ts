/** @jest-environment node */
import { identityPasswordSubmitted } from '@features/auth/verify-identity/verification.slice';
import { setupMethodChosen } from '@features/mfa';
import { ApiError } from '@shared/api/apiError';
import { settle } from '../../../support/openApp';
import { openSettings } from './openVerify';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));
afterEach(() => jest.useRealTimers());

const openForSetup = async () => {
  const app = await openSettings();
  app.dispatch(setupMethodChosen({ method: 'sms' }));
  await settle();
  return app;
};
const submit = async (app: Awaited<ReturnType<typeof openSettings>>, password = 'Corr3ct-horse') => {
  app.dispatch(identityPasswordSubmitted(password));
  await settle();
};

describe('verifying identity with the password', () => {
  it('stands between choosing a method and its set-up', async () => {
    const app = await openForSetup();
    expect(app.address()).toBe('/ask-password/enable');
    expect(app.state().auth.verification.screen).toEqual({
      phase: 'asking',
      proof: { by: 'password', failures: 0 },
    });
    await submit(app);
    expect(app.deps.api.auth.validatePassword.mock.calls).toEqual([
      [app.token, { password: 'Corr3ct-horse' }],
    ]);
    expect(app.address()).toBe('/authy-collect-info/u_1');
    expect(app.state().auth.verification).toEqual({
      screen: { phase: 'closed' },
      period: { purpose: 'enable', expiresAt: 1_800_000_180_000, isExpiring: false },
    });
  });

  it('keeps the token in the vault alone, and the password nowhere', async () => {
    const app = await openForSetup();
    await submit(app);
    expect(app.deps.vault.get('verification')).toEqual({ authVerificationToken: 'vt-1' });
    expect(JSON.stringify(app.state())).not.toMatch(/vt-1|Corr3ct/);
  });

  it.each([
    [new ApiError('server', { status: 401, serverMessage: 'Not that one' }), 'Not that one'],
    [new ApiError('server', { status: 401 }), 'We were unable to verify your identity. Please try again.'],
    [new ApiError('network'), 'We were unable to verify your identity. Please try again.'],
    [new ApiError('unexpected'), 'We were unable to verify your identity. Please try again.'],
  ])('a refused proof (%s) is told, and can be tried again', async (error, message) => {
    const app = await openForSetup();
    app.deps.api.auth.validatePassword.mockRejectedValueOnce(error);
    await submit(app);
    expect(app.dialog()).toMatchObject({ message });
    expect(app.state().auth.verification.screen).toEqual({
      phase: 'asking',
      proof: { by: 'password', failures: 1 },
    });
    expect(app.deps.vault.get('verification')).toBeUndefined();
    app.answerDialog(true);
    await submit(app);
    expect(app.address()).toBe('/authy-collect-info/u_1');
  });

  it('a second press while the first is being checked makes no second call', async () => {
    const app = await openForSetup();
    app.deps.api.auth.validatePassword.mockReturnValue(new Promise(() => undefined));
    await submit(app);
    await submit(app, 'another');
    expect(app.deps.api.auth.validatePassword).toHaveBeenCalledTimes(1);
  });

  it('an answer that comes after the screen was left proves nothing', async () => {
    const app = await openForSetup();
    let answer: (value: { authVerificationToken: string }) => void = () => undefined;
    app.deps.api.auth.validatePassword.mockReturnValue(
      new Promise((resolve) => {
        answer = resolve;
      }),
    );
    await submit(app);
    await app.goTo('/account-settings');
    answer({ authVerificationToken: 'vt-late' });
    await settle();
    expect(app.address()).toBe('/account-settings');
    expect(app.deps.vault.get('verification')).toBeUndefined();
    expect(app.state().auth.verification).toEqual({ screen: { phase: 'closed' }, period: null });
  });
});

describe('the verify-identity screen, opened by its address', () => {
  it('asks for the method first where it is about a set-up', async () => {
    const app = await openSettings({ path: '/ask-password/enable' });
    expect(app.address()).toBe('/mfa-options');
  });

  it.each(['/ask-password/reset', '/ask-password/Enable', '/ask-password/%65nable%20'])(
    'with a value that means nothing (%s) leads to the settings',
    async (path) => {
      expect((await openSettings({ path })).address()).toBe('/account-settings');
    },
  );

  it.each(['/ask-password', '/ask-password/'])('without a value (%s) leads to the settings', async (path) => {
    expect((await openSettings({ path })).address()).toBe('/account-settings');
  });
});
