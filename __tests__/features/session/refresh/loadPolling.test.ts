/** @jest-environment node */
import { logoutRequested } from '@features/session';
import type * as chunk from '@features/session/refresh/polling';
import { accessToken, tokenPair } from '../../../support/builders';
import { fakeDeps } from '../../../support/fakeDeps';
import { openApp, pass, settle } from '../../../support/openApp';
import { expectSignedOut, openSignedIn, put, session, start } from './openSignedIn';
import { putSetup } from '../../../support/sessionCookies';

let mockIsLost = true;

jest.mock('@features/session/refresh/polling', () => {
  if (mockIsLost) throw Object.assign(new Error('gone'), { name: 'ChunkLoadError' });
  return jest.requireActual<typeof chunk>('@features/session/refresh/polling');
});

// Not of this test, and after `resetModules` it would be of another registry than the store.
jest.mock('@app/flows/runFlows.saga', () => ({ runFlows: () => undefined }));

beforeEach(() => {
  mockIsLost = true;
  // A module stays loaded once it was loaded.
  jest.resetModules();
  jest.useFakeTimers({ now: start });
});

describe('the chunk that watches a session', () => {
  it('is fetched twice more before the page is reloaded', async () => {
    const { app, deps } = openSignedIn();
    await pass(9000);
    expect(deps.navigation.reloads()).toBe(0);
    await pass(2000);
    expect(deps.navigation.reloads()).toBe(1);
    expect(app.state().page.crash).toBe(false);
  });

  it('is retried as long as the browser is offline', async () => {
    const { app, deps } = openSignedIn();
    await settle();
    deps.pageLife.emit('offline');
    await pass(600_000);
    expect(deps.navigation.reloads()).toBe(0);
    expect(app.state().page.crash).toBe(false);
  });

  it('is not needed to sign out', async () => {
    const deps = fakeDeps({ path: '/account-settings', embedding: 'trusted' });
    const { app } = openSignedIn({}, deps);
    deps.cookies.write(`${session}-${'a'.repeat(64)}`, 'of a magic link');
    await pass(6000);
    app.dispatch(logoutRequested());
    expectSignedOut(deps);
    expect(deps.parentFrame.messages).toEqual(['removed_tokens']);
    await pass(60_000);
    expect(app.state().page.crash).toBe(false);
    expect(deps.navigation.reloads()).toBe(0);
  });

  describe('is not loaded when the page goes into the back/forward cache', () => {
    const leave = async (opened: ReturnType<typeof openSignedIn>) => {
      await pass(1000);
      opened.deps.pageLife.emit('left');
      await pass(1000);
      expect(opened.app.state().session.access).toEqual({ phase: 'unknown' });
    };

    /** The next fetch succeeds. */
    const comeBack = async ({ app, deps }: ReturnType<typeof openSignedIn>) => {
      deps.pageLife.emit('restored');
      await pass(1000);
      expect(app.state().session.access).toEqual({ phase: 'unknown' });
      mockIsLost = false;
      await pass(5000);
    };

    it('nothing is shown until the page comes back, although it was woken before', async () => {
      const opened = openSignedIn();
      await pass(1000);
      opened.deps.pageLife.emit('online');
      await leave(opened);
      mockIsLost = false;
      await pass(5000);
      expect(opened.app.state().session.access).toEqual({ phase: 'unknown' });
      opened.deps.pageLife.emit('restored');
      await pass(0);
      expect(opened.app.state().session.access.phase).toBe('active');
    });

    it('and the page comes back: it is shown, and polls', async () => {
      const opened = openSignedIn();
      await leave(opened);
      await comeBack(opened);
      expect(opened.app.state().session.access.phase).toBe('active');
      opened.deps.cookies.remove('payments-test-session');
      await pass(5000);
      expect(opened.app.state().session.access).toEqual({ phase: 'anonymous' });
    });

    it('and the user signed out meanwhile: nothing is shown', async () => {
      const opened = openSignedIn();
      await leave(opened);
      opened.deps.cookies.remove('payments-test-session');
      opened.deps.cookies.remove('payments-test-session-refresh');
      await comeBack(opened);
      expect(opened.app.state().session.access).toEqual({ phase: 'anonymous' });
      expect(opened.deps.navigation.address()).toBe('/login');
    });

    it('and another user signed in meanwhile: the page is reloaded', async () => {
      const opened = openSignedIn({ uid: 'u_ada' });
      await leave(opened);
      put(opened.deps, tokenPair({ uid: 'u_bob' }));
      await comeBack(opened);
      expect(opened.deps.navigation.reloads()).toBe(1);
      expect(JSON.stringify(opened.app.state())).not.toContain('u_bob');
    });

    it('in setup mode: the page is reloaded', async () => {
      const deps = fakeDeps({ path: '/mfa-options' });
      putSetup(deps, accessToken({ uid: 'u_1', isMfaSetup: true, lifeSeconds: 600 }));
      const opened = { app: openApp(deps), deps, tokens: tokenPair() };
      await leave(opened);
      await comeBack(opened);
      expect(deps.navigation.reloads()).toBe(1);
    });
  });
});
