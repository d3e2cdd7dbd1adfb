/** @jest-environment node */
import { bearerRefused } from '@shared/sagas/callApi.saga';
import { accessToken, severalPersonas, tokenPair, userAttributes } from '../../../support/builders';
import { fakeBrowser, fakeDeps, type FakeDeps } from '../../../support/fakeDeps';
import { openApp, pass, settle } from '../../../support/openApp';
import { putSetup, setupCookie } from '../../../support/sessionCookies';
import { put, start } from './openSignedIn';

beforeEach(() => jest.useFakeTimers({ now: start }));

const setupToken = (uid = 'u_1') => accessToken({ uid, isMfaSetup: true, lifeSeconds: 600 });
const open = (deps = fakeDeps({ path: '/mfa-options', embedding: 'trusted' })) => {
  putSetup(deps, setupToken());
  deps.api.users.attributes.mockResolvedValue(userAttributes());
  return openApp(deps);
};

describe('setup mode', () => {
  it('is polled without an action or a call', async () => {
    const app = open();
    await settle();
    const before = app.dispatched();
    await pass(500_000);
    expect(app.dispatched()).toBe(before);
    expect(app.deps.api.auth.refresh).not.toHaveBeenCalled();
  });

  it('ends during a step when its token expires: cookie removed, parent notified, /login', async () => {
    const app = open();
    app.deps.vault.put('authenticatorKey', { code: 'KEY', url: 'otpauth://totp/x' });
    await pass(599_000);
    expect(app.address()).toBe('/mfa-options');
    await pass(6000);
    expect(app.deps.cookies.contents()).toEqual({});
    expect(app.deps.parentFrame.messages).toEqual(['removed_tokens']);
    expect(app.deps.vault.get('authenticatorKey')).toBeUndefined();
    expect(app.address()).toBe('/login');
    expect(app.state().session.access).toEqual({ phase: 'anonymous' });
  });

  it('ends when another tab ends it', async () => {
    const app = open();
    await settle();
    app.deps.cookies.remove(setupCookie);
    await pass(5000);
    expect(app.address()).toBe('/login');
  });

  it('becomes a session when the same user signs in elsewhere', async () => {
    const app = open();
    await settle();
    app.deps.cookies.remove(setupCookie);
    put(app.deps, tokenPair({ personas: severalPersonas }));
    await pass(5000);
    expect(app.state().session.access.phase).toBe('active');
    expect(app.address()).toBe('/mfa-options');
  });

  it.each<readonly [string, (deps: FakeDeps) => void]>([
    ['signed in', (deps) => put(deps, tokenPair({ uid: 'u_bob' }))],
    ['started a set-up', (deps) => putSetup(deps, setupToken('u_bob'))],
  ])('is reloaded when another user %s', async (_name, change) => {
    const app = open();
    await settle();
    change(app.deps);
    await pass(5000);
    expect(app.deps.navigation.reloads()).toBe(1);
  });

  it('whose user changes repeatedly, as a sibling host can cause, ends the fourth time within 30 s', async () => {
    const browser = fakeBrowser();
    const { storage } = browser.tab();
    const changeUser = async () => {
      const app = open(browser.tab({ path: '/mfa-options', embedding: 'trusted', overrides: { storage } }));
      await settle();
      putSetup(app.deps, setupToken('u_bob'));
      await pass(5000);
      return app.deps;
    };
    for (const _time of [1, 2, 3]) expect((await changeUser()).navigation.reloads()).toBe(1);
    const deps = await changeUser();
    expect(deps.navigation.reloads()).toBe(0);
    expect(deps.parentFrame.messages).toEqual(['removed_tokens']);
    expect(deps.cookies.contents()).toEqual({});
    expect(deps.navigation.address()).toBe('/login');
  });

  it('ends when the service rejects its token', async () => {
    const app = open();
    await settle();
    await app.send(bearerRefused());
    expect(app.deps.cookies.contents()).toEqual({});
    expect(app.address()).toBe('/login');
  });

  it('from the back/forward cache shows nothing and is reloaded', async () => {
    const app = open();
    await settle();
    app.deps.pageLife.emit('left');
    expect(app.state().session.access).toEqual({ phase: 'unknown' });
    app.deps.pageLife.emit('restored');
    await settle();
    expect(app.deps.navigation.reloads()).toBe(1);
  });

  it('set twice by a sibling host is not setup mode, and both cookies are removed', () => {
    const deps = fakeDeps({ path: '/mfa-options' });
    putSetup(deps, setupToken());
    deps.cookies.toss(setupCookie, JSON.stringify({ mfaToken: accessToken({ uid: 'u_evil' }) }));
    openApp(deps);
    expect(deps.cookies.readAll(setupCookie)).toEqual([]);
    expect(deps.navigation.address()).toBe('/login');
  });
});
