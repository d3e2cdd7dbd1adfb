/** @jest-environment node */
/** Tests askPassword.saga, purposes.saga, turnOff.saga and turnOff.slice. */
import { providerRequested } from '@features/auth/provider/providerAttempt.slice';
import { identityPasswordSubmitted } from '@features/auth/verify-identity/verification.slice';
import { enrolmentMethodChosen, turnOffRequested } from '@features/mfa';
import { ApiError } from '@shared/api/apiError';
import { trustedToken } from '../../support/builders';
import { pass, settle } from '../../support/openApp';
import { openSettings, type VerifyApp } from '../../features/auth/verify-identity/openVerify';
import { later } from '../../support/later';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));

const trustCookie = 'payments-test-session-trust-ada@example.com';

const pressTurnOff = async (method: 'basic' | 'other' = 'basic', isMfaSetup = false): Promise<VerifyApp> => {
  const app = await openSettings({ method, isMfaSetup });
  app.deps.api.mfa.disable.mockResolvedValue(undefined);
  app.deps.cookies.write(trustCookie, trustedToken());
  await app.send(turnOffRequested());
  return app;
};
const confirm = async (app: VerifyApp) => {
  app.answerDialog(true);
  await settle();
};
const verify = async (app: VerifyApp) => {
  await app.send(identityPasswordSubmitted('Corr3ct-horse'));
};

describe('Turn Off', () => {
  it('asks for confirmation; Cancel changes nothing', async () => {
    const app = await pressTurnOff();
    expect(app.dialog()).toMatchObject({
      kind: 'confirm',
      title: 'Turn Off 2-Step',
      confirmLabel: 'Turn Off 2-Step',
      cancelLabel: 'Cancel',
      tone: 'danger',
    });
    app.answerDialog(false);
    await settle();
    expect(app.address()).toBe('/account-settings');
    expect(app.deps.cookies.contents()).toHaveProperty([trustCookie]);
  });

  it('closes its confirmation when the session ends, here or in another tab', async () => {
    const app = await pressTurnOff();
    app.deps.cookies.remove('payments-test-session');
    await pass(5000);
    expect(app.address()).toBe('/login');
    expect(app.dialog()).toBeUndefined();
  });

  it('after confirmation removes the trust in this device and verifies the identity', async () => {
    const app = await pressTurnOff();
    await confirm(app);
    expect(app.deps.cookies.contents()).not.toHaveProperty([trustCookie]);
    expect(app.address()).toBe('/ask-password/disable');
    expect(app.deps.api.mfa.disable).not.toHaveBeenCalled();
  });

  it('sends the password again with the token, and returns to the settings', async () => {
    const app = await pressTurnOff();
    await confirm(app);
    await verify(app);
    expect(app.deps.api.mfa.disable.mock.calls).toEqual([
      [app.token, { password: 'Corr3ct-horse', authVerificationToken: 'vt-1' }],
    ]);
    expect(app.address()).toBe('/account-settings');
    expect(app.deps.vault.get('verification')).toBeUndefined();
    // The settings show the current account.
    expect(app.deps.api.users.attributes).toHaveBeenCalledTimes(2);
  });

  it.each([false, true])(
    'sends only the token without a password, with isMfaSetup %s',
    async (isMfaSetup) => {
      const app = await pressTurnOff('other', isMfaSetup);
      await confirm(app);
      await app.send(providerRequested('google'));
      app.deps.popup.windows[0]?.say({ type: 'oauth/code', code: 'code-1' });
      await settle();
      expect(app.deps.api.mfa.disable.mock.calls).toEqual([[app.token, { authVerificationToken: 'vt-1' }]]);
      expect(app.address()).toBe('/account-settings');
    },
  );

  it('sends only the password if the token carries isMfaSetup', async () => {
    const app = await pressTurnOff('basic', true);
    await confirm(app);
    await verify(app);
    expect(app.deps.api.mfa.disable.mock.calls).toEqual([[app.token, { password: 'Corr3ct-horse' }]]);
    expect(app.address()).toBe('/account-settings');
  });

  it('shows an error on the verify screen when it fails, and can be retried', async () => {
    const app = await pressTurnOff();
    await confirm(app);
    app.deps.api.mfa.disable.mockRejectedValueOnce(
      new ApiError('server', { status: 503, serverMessage: 'Not now' }),
    );
    await verify(app);
    expect(app.dialog()).toMatchObject({ message: 'Not now' });
    expect(app.address()).toBe('/ask-password/disable');
    app.answerDialog(true);
    await verify(app);
    expect(app.deps.api.mfa.disable).toHaveBeenCalledTimes(2);
    expect(app.address()).toBe('/account-settings');
  });

  it('is not started by an address: without the confirmation it leads to the settings', async () => {
    const app = await openSettings({ path: '/ask-password/disable' });
    expect(app.address()).toBe('/account-settings');
    await app.send(identityPasswordSubmitted('Corr3ct-horse'));
    expect(app.deps.api.auth.validatePassword).not.toHaveBeenCalled();
  });

  it('is confirmed for one visit: going back in the browser leads to the settings', async () => {
    const app = await pressTurnOff();
    await confirm(app);
    await app.visit('/account-settings');
    await app.visit('/ask-password/disable');
    expect(app.address()).toBe('/account-settings');
    expect(app.deps.api.mfa.disable).not.toHaveBeenCalled();
  });

  it('is confirmed for one visit, even if the user leaves while the screen is loading', async () => {
    const app = await pressTurnOff();
    app.answerDialog(true);
    while (app.address() !== '/ask-password/disable') await Promise.resolve();
    app.deps.navigation.back();
    await settle();
    await app.visit('/ask-password/disable');
    expect(app.address()).toBe('/account-settings');
  });

  it('is not done by a proof for a set-up, whatever was confirmed before', async () => {
    const app = await pressTurnOff();
    await confirm(app);
    await app.send(enrolmentMethodChosen({ method: 'text' }));
    expect(app.address()).toBe('/ask-password/enable');
    await verify(app);
    expect(app.deps.api.mfa.disable).not.toHaveBeenCalled();
    expect(app.address()).toBe('/authy-collect-info/u_1');
  });

  it('completed after the user went to the settings shows the current status', async () => {
    const app = await pressTurnOff();
    await confirm(app);
    const pending = later(app.deps.api.mfa.disable);
    await verify(app);
    await app.visit('/account-settings');
    app.deps.api.users.attributes.mockClear();
    await pending.answer(undefined);
    expect(app.deps.api.users.attributes).toHaveBeenCalledTimes(1);
    expect(app.address()).toBe('/account-settings');
  });

  it('shows an error when it fails after the user left', async () => {
    const app = await pressTurnOff();
    await confirm(app);
    const pending = later(app.deps.api.mfa.disable);
    await verify(app);
    await app.visit('/account-settings');
    await pending.refuse(new ApiError('server', { status: 500 }));
    expect(app.dialog()).toMatchObject({
      message: 'We were unable to verify your identity. Please try again.',
    });
  });
});
