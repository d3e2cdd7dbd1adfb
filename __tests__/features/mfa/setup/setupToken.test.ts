/** @jest-environment node */
import { setupMethodChosen } from '@features/mfa';
import { tokenPair } from '../../../support/builders';
import { settle } from '../../../support/openApp';
import { openSignedIn, sendCode, sendPhone } from './openSetup';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));
afterEach(() => jest.useRealTimers());

const flagged = { facts: { isMfaSetup: true } } as const;

describe('a session whose token carries isMfaSetup', () => {
  it('sets up a phone from the choice to the end without a proof, with its own token', async () => {
    const app = await openSignedIn(flagged);
    app.dispatch(setupMethodChosen({ method: 'sms' }));
    await settle();
    expect(app.address()).toBe('/authy-collect-info/u_1');
    await sendPhone(app);
    expect(app.address()).toBe('/verification/u_1/');
    await sendCode(app);
    expect(app.address()).toBe('/mfa-activated?method=sms');
    const { addPhone, validateSetup } = app.deps.api.mfa;
    expect(addPhone.mock.calls).toEqual([[app.bearer, { phone: '+12025550143', countryCode: 'US' }]]);
    expect(validateSetup.mock.calls).toEqual([[app.bearer, { mfaCode: '123456', mfaRegistering: 'authy' }]]);
    expect(app.deps.api.auth.validatePassword).not.toHaveBeenCalled();
  });

  it('sets up an app in the same way', async () => {
    const app = await openSignedIn(flagged);
    app.dispatch(setupMethodChosen({ method: 'qrcode' }));
    await settle();
    expect(app.address()).toBe('/qrcode-start/u_1');
    await app.go('/verification/u_1/');
    await sendCode(app);
    expect(app.address()).toBe('/mfa-activated?method=qrcode');
    const { addAuthenticator, validateSetup } = app.deps.api.mfa;
    expect(addAuthenticator.mock.calls).toEqual([[app.bearer, {}]]);
    expect(validateSetup.mock.calls).toEqual([[app.bearer, { mfaCode: '123456', mfaRegistering: 'mfa' }]]);
  });

  it('sends no proof either that was given before the token carried it', async () => {
    const app = await openSignedIn(flagged);
    app.dispatch(setupMethodChosen({ method: 'sms' }));
    await settle();
    app.deps.vault.put('verification', { authVerificationToken: 'vt_1' });
    await sendPhone(app);
    expect(app.deps.api.mfa.addPhone.mock.calls[0]?.[1]).not.toHaveProperty('authVerificationToken');
  });

  it('changes its method from the settings in the same way', async () => {
    const app = await openSignedIn({ ...flagged, path: '/account-settings', active: 'sms' });
    app.dispatch(setupMethodChosen({ method: 'sms' }));
    await settle();
    expect(app.address()).toBe('/authy-collect-info/u_1');
  });

  it('asks for a proof once the token was refreshed to one without it', async () => {
    const app = await openSignedIn(flagged);
    app.dispatch(setupMethodChosen({ method: 'sms' }));
    await settle();
    const session = JSON.stringify({ authenticated: tokenPair() });
    app.deps.cookies.write('payments-test-session', session, { kind: 'session' });
    await sendPhone(app);
    expect(app.deps.api.mfa.addPhone).not.toHaveBeenCalled();
    expect(app.address()).toBe('/mfa-options');
  });

  it('is no setup mode: the screens of a session are open to it', async () => {
    const app = await openSignedIn({ ...flagged, path: '/ask-password/disable' });
    expect(app.state().session.access.phase).toBe('active');
    await app.go('/reset-password-verify');
    expect(app.address()).toBe('/reset-password-verify');
  });
});
