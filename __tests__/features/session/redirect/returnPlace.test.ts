/** @jest-environment node */
import { setupSignInRequested } from '@features/mfa/activated/activation.slice';
import { newPasswordSubmitted } from '@features/password/save/newPassword.slice';
import { forgotSubmitted } from '@features/password/forgot/forgot.slice';
import { backRequested, logoutRequested } from '@features/session';
import { accessToken, hosts } from '../../../support/builders';
import { fakeBrowser, type FakeBrowser, type TabOptions } from '../../../support/fakeDeps';
import { openApp, pass, settle, signInWithPassword, type OpenApp } from '../../../support/openApp';
import { arrangeSignIn } from '../../../support/usualResponses';

const start = 1_800_000_000_000;
beforeEach(() => jest.useFakeTimers({ now: start }));

/** The query of an application, whose own address has a query and a space. */
const reports = `?url=${encodeURIComponent(`${hosts.ledger}/reports?of=May 2026&by=ada`)}`;

async function open(browser: FakeBrowser, path: string, options: TabOptions = {}): Promise<OpenApp> {
  const deps = browser.tab({ path, ...options });
  const mfaJWT = accessToken({ isMfaSetup: true, iat: Date.now() / 1000, lifeSeconds: 900 });
  arrangeSignIn(deps.api, { mfaJWT });
  deps.api.password.forgot.mockResolvedValue(undefined);
  deps.api.password.reset.mockResolvedValue(undefined);
  const app = openApp(deps);
  await settle();
  return app;
}

async function reset(browser: FakeBrowser): Promise<string> {
  const app = await open(browser, '/reset-password/h-1');
  await app.send(newPasswordSubmitted({ password: 'Front-door7', confirm: 'Front-door7' }));
  await pass(2500);
  return app.address();
}

describe('after the set-up of two-step verification, /login leads to where the sign-in was to lead', () => {
  it.each([
    ['Sign In', setupSignInRequested()],
    ['Back', backRequested()],
    ['Logout', logoutRequested()],
  ])('%s', async (_name, action) => {
    const app = await open(fakeBrowser(), `/login${reports}`);
    await signInWithPassword(app);
    expect(app.address()).toBe('/account-settings');
    app.deps.api.users.attributes.mockResolvedValue({
      email: 'ada@example.com',
      isTextActive: true,
      isAppActive: false,
      lastReset: null,
    });
    await app.visit('/mfa-activated?method=sms');
    await app.send(action);
    expect(app.deps.navigation.leaves).toEqual([`${hosts.login}/login${reports}`]);
    expect(app.deps.storage.browser.read('return')).toBeNull();
  });

  it('the end of the token', async () => {
    const app = await open(fakeBrowser(), `/login${reports}`);
    await signInWithPassword(app);
    await pass(900_000);
    expect(app.address()).toBe(`/login${reports}`);
    expect(app.deps.cookies.contents()).toEqual({});
  });

  it('a sign-in without such an address forgets a former one', async () => {
    const browser = fakeBrowser();
    await signInWithPassword(await open(browser, `/login${reports}`));
    browser.jar.remove('payments-test-session-setup');
    const app = await open(browser, '/login');
    await signInWithPassword(app);
    await app.send(logoutRequested());
    expect(app.deps.navigation.leaves).toEqual([`${hosts.login}/`]);
  });
});

describe('after a reset by mail, /login leads to where the sign-in was to lead', () => {
  const request = async (browser: FakeBrowser, search = reports) => {
    const app = await open(browser, `/forgot-password${search}`);
    await app.send(forgotSubmitted('ada@example.com'));
  };

  it('in another tab, once', async () => {
    const browser = fakeBrowser();
    await request(browser);
    expect(await reset(browser)).toBe(`/login${reports}`);
    expect(await reset(browser)).toBe('/login');
  });

  it('also to a screen of the page', async () => {
    const browser = fakeBrowser();
    await request(browser, '?url=%2Fmfa-options');
    expect(await reset(browser)).toBe('/login?url=%2Fmfa-options');
  });

  it('not after half an hour', async () => {
    const browser = fakeBrowser();
    await request(browser);
    jest.setSystemTime(start + 1_800_000);
    expect(await reset(browser)).toBe('/login');
  });

  it.each(['?url=https%3A%2F%2Fevil.example', '?url=javascript%3Aalert(1)', '?url=', ''])(
    'not with %j, which the redirect allowlist refuses',
    async (search) => {
      const browser = fakeBrowser();
      await request(browser, search);
      expect(await reset(browser)).toBe('/login');
    },
  );

  it('not with what is no kept address', async () => {
    const browser = fakeBrowser();
    browser.storage.write('return', `soon ${hosts.ledger}`);
    expect(await reset(browser)).toBe('/login');
  });
});
