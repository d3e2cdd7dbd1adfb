/** @jest-environment node */
import { identityPasswordSubmitted } from '@features/auth/verify-identity/verification.slice';
import { enrolmentMethodChosen } from '@features/mfa';
import { logoutRequested } from '@features/session';
import { accessToken, hosts, tokenPair } from '../../../support/builders';
import { fakeDeps } from '../../../support/fakeDeps';
import { openApp, pass, settle } from '../../../support/openApp';
import { openSettings, type VerifyApp } from './openVerify';
import { sessionCookie, putSetup } from '../../../support/sessionCookies';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));

const openVerified = async () => {
  const app = await openSettings();
  await app.send(enrolmentMethodChosen({ method: 'text' }));
  await app.send(identityPasswordSubmitted('Corr3ct-horse'));
  expect(app.address()).toBe('/authy-collect-info/u_1');
  return app;
};
type App = Awaited<ReturnType<typeof openVerified>>;
const periodOf = (app: Pick<App, 'state'>) => app.state().auth.verification.period;

describe('the 180 s of a verification', () => {
  it('warn 30 s before the end and then lead to the settings', async () => {
    const app = await openVerified();
    await pass(149_000);
    expect(periodOf(app)).toMatchObject({ isExpiring: false });
    await pass(2000);
    expect(periodOf(app)).toMatchObject({ isExpiring: true });
    expect(app.deps.vault.get('verification')).toBeDefined();
    await pass(30_000);
    expect(app.address()).toBe('/account-settings');
    expect(app.deps.vault.get('verification')).toBeUndefined();
    expect(periodOf(app)).toBeNull();
  });

  it.each([
    ['the computer slept', (app: App) => app.deps.clock.advance(3_600_000)],
    ['the clock was set forward', (app: App) => app.deps.clock.set(1_800_010_000_000)],
  ])('end when %s for longer', async (_name, jump) => {
    const app = await openVerified();
    jump(app);
    await pass(1000);
    expect(app.address()).toBe('/account-settings');
    expect(app.deps.vault.get('verification')).toBeUndefined();
  });

  it('are not longer when the clock is set back', async () => {
    const app = await openVerified();
    app.deps.clock.set(1_799_990_000_000);
    await pass(181_000);
    expect(app.address()).toBe('/account-settings');
  });

  it('restart when the identity is verified again, and the step is unchanged', async () => {
    const app = await openVerified();
    await pass(160_000);
    await app.visit('/ask-password/enable');
    app.deps.api.auth.validatePassword.mockResolvedValue({ authVerificationToken: 'vt-2' });
    await app.send(identityPasswordSubmitted('Corr3ct-horse'));
    expect(app.address()).toBe('/authy-collect-info/u_1');
    expect(app.deps.vault.get('verification')).toEqual({ authVerificationToken: 'vt-2' });
    await pass(100_000);
    expect(app.address()).toBe('/authy-collect-info/u_1');
    expect(periodOf(app)).toMatchObject({ expiresAt: 1_800_000_340_000, isExpiring: false });
  });

  it.each(['/account-settings', '/mfa-options', '/unauthorized'])('end at %s', async (path) => {
    const app = await openVerified();
    await app.visit(path);
    expect(app.deps.vault.get('verification')).toBeUndefined();
    expect(periodOf(app)).toBeNull();
    await pass(181_000);
    expect(app.address()).toBe(path);
  });

  it('end with the session', async () => {
    const app = await openVerified();
    await app.send(logoutRequested());
    expect(app.address()).toBe('/login');
    expect(app.deps.vault.get('verification')).toBeUndefined();
    expect(periodOf(app)).toBeNull();
  });
});

describe('in setup mode', () => {
  const openSetupMode = async () => {
    const deps = fakeDeps({ path: '/mfa-options' });
    putSetup(deps, accessToken({ isMfaSetup: true, lifeSeconds: 3600 }));
    const app = openApp(deps);
    await settle();
    await app.send(enrolmentMethodChosen({ method: 'text' }));
    return { ...app, address: () => deps.navigation.address() };
  };

  it('the set-up and the 180 s start at once, because the password was just entered', async () => {
    const app = await openSetupMode();
    expect(app.address()).toBe('/authy-collect-info/u_1');
    expect(app.deps.api.auth.validatePassword).not.toHaveBeenCalled();
    expect(periodOf(app)).toEqual({ purpose: 'setup', expiresAt: 1_800_000_180_000, isExpiring: false });
  });

  it('their end leads to signOnUrl, and setup mode ends', async () => {
    const app = await openSetupMode();
    await pass(181_000);
    expect(app.deps.navigation.leaves).toEqual([`${hosts.login}/`]);
    expect(app.deps.cookies.contents()).toEqual({});
  });
});

describe('with a session whose token carries isMfaSetup', () => {
  const session = 'payments-test-session';
  const verifyAt = async (app: VerifyApp) => {
    if (app.address() === '/mfa-options') await app.send(enrolmentMethodChosen({ method: 'text' }));
    await app.send(identityPasswordSubmitted('Corr3ct-horse'));
  };

  it.each([
    ['the set-up', '/mfa-options', '/authy-collect-info/u_1'],
    ['a change of the password', '/reset-password-verify', '/reset-password-manual'],
  ])('the end of the 180 s of %s leads to signOnUrl, and the session stays', async (_name, path, step) => {
    const app = await openSettings({ isMfaSetup: true, path });
    await verifyAt(app);
    expect(app.address()).toBe(step);
    await pass(179_000);
    expect(app.deps.navigation.leaves).toEqual([]);
    expect(periodOf(app)).toMatchObject({ isExpiring: true });
    await pass(2000);
    expect(app.deps.navigation.leaves).toEqual([`${hosts.login}/`]);
    expect(app.deps.cookies.contents()).toHaveProperty([session]);
    expect(app.deps.vault.get('verification')).toBeUndefined();
    expect(periodOf(app)).toBeNull();
  });

  it('their end leads a frame to the settings in the same document, which knows its parent', async () => {
    const app = await openSettings({
      isMfaSetup: true,
      path: '/reset-password-verify',
      embedding: 'trusted',
    });
    await verifyAt(app);
    await pass(181_000);
    expect(app.deps.navigation.leaves).toEqual([]);
    expect(app.address()).toBe('/account-settings');
    expect(app.deps.cookies.contents()).toHaveProperty([session]);
  });

  it('their end leads to the settings after a refresh to a token without it', async () => {
    const app = await openSettings({ isMfaSetup: true, path: '/mfa-options' });
    await verifyAt(app);
    const tokens = tokenPair({ lifeSeconds: 86_400 });
    app.deps.cookies.write(session, sessionCookie(tokens), { kind: 'session' });
    await pass(181_000);
    expect(app.deps.navigation.leaves).toEqual([]);
    expect(app.address()).toBe('/account-settings');
  });
});
