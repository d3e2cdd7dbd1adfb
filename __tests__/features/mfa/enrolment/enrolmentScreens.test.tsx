import { act, fireEvent, screen } from '@testing-library/react';
import { ApiError } from '@shared/api/apiError';
import type { TabOptions } from '../../../support/fakeDeps';
import { arrive, renderApp } from '../../../support/renderApp';
import { enrolment, openInSetupMode, type OpenSetup } from './openEnrolment';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));

const open = async (tab: TabOptions = {}): Promise<OpenSetup> => {
  const app = await openInSetupMode(tab);
  await renderApp(app);
  return app;
};

/** Presses the control with this name, and waits for the next screen. */
const press = async (name: RegExp | string) => {
  const [target] = [...screen.queryAllByRole('button', { name }), ...screen.queryAllByRole('link', { name })];
  if (!target) throw new Error(`Nothing is named ${String(name)}`);
  fireEvent.click(target);
  await arrive();
};

/** Puts the whole code into the first box, as phones do. */
const enterCode = async (code: string) => {
  fireEvent.input(screen.getByRole('textbox', { name: 'Verification code' }), { target: { value: code } });
  await arrive();
};

describe('the choice of a method', () => {
  it('offers the authenticator app first, as recommended, and links back to the settings', async () => {
    const app = await open();
    expect(screen.getByRole('heading', { level: 1, name: 'Enable 2-Step Verification' })).toHaveFocus();
    const names = screen.getAllByRole('button', { name: /App|Text/ }).map(({ textContent }) => textContent);
    expect(names).toEqual(['Authenticator App recommended', 'SMS Text Message']);
    await press('Account Settings');
    expect(app.address()).toBe('/account-settings');
  });

  it('takes no focus in a parent’s frame', async () => {
    await open({ embedding: 'trusted' });
    expect(document.body).toHaveFocus();
  });
});

describe('a user who must set up two-step verification', () => {
  it('can do so by text message, from the choice to the sign-in', async () => {
    const app = await open();
    expect(document.title).toContain('Enable 2-Step Verification');
    await press('SMS Text Message');
    fireEvent.input(screen.getByLabelText('Phone number'), { target: { value: '+44 7700 900123' } });
    await press('Continue');
    expect(screen.getByText(/your phone number ending in 0143/)).toBeVisible();
    await enterCode('123456');
    expect(screen.getByRole('heading', { name: '2-Step Verification is on' })).toHaveFocus();
    expect(screen.getByText('Your phone number ends in 0143.')).toBeVisible();
    await press('Sign In');
    expect(app.deps.navigation.leaves).toHaveLength(1);

    // No proof is requested, and none is sent.
    const { addPhone, validateSetup } = app.deps.api.mfa;
    expect(addPhone.mock.calls).toStrictEqual([[app.bearer, { phone: '+447700900123', countryCode: 'GB' }]]);
    expect(validateSetup.mock.calls).toStrictEqual([[app.bearer, { mfaCode: '123456', method: 'text' }]]);
  });

  it('can do so by authenticator app, and finds the same key after going back', async () => {
    const app = await open();
    await press(/Authenticator App/);
    expect(app.deps.api.mfa.addAuthenticator.mock.calls).toStrictEqual([[app.bearer, {}]]);
    expect(screen.getByText('JBSW')).toBeVisible();
    await press('Copy Key');
    expect(screen.getByText('Copied')).toBeVisible();
    expect(app.deps.clipboard.copied).toEqual([enrolment.code]);
    await press('Continue');
    await press('Back to QR Code');
    expect(screen.getByText('JBSW')).toBeVisible();
    await press('Continue');
    await enterCode('123456');
    expect(app.address()).toBe('/mfa-activated?method=qrcode');
  });

  it('gets an error for a wrong code, and enters the next into empty boxes', async () => {
    const app = await open();
    await press(/Authenticator App/);
    await press('Continue');
    app.deps.api.mfa.validateSetup.mockRejectedValueOnce(new ApiError('server', { status: 401 }));
    await enterCode('123456');
    expect(screen.getByText('Incorrect code. Please enter verification code again.')).toBeVisible();
    await press('Ok');
    await act(() => jest.advanceTimersByTimeAsync(1500));
    expect(screen.getByRole('textbox', { name: 'Verification code' })).toHaveValue('');
    await enterCode('654321');
    expect(app.deps.api.mfa.validateSetup.mock.calls.map(([, { mfaCode }]) => mfaCode)).toEqual([
      '123456',
      '654321',
    ]);
  });
});
