/** @jest-environment node */
/** Tests reloadForOtherUser.saga. */
import { logoutRequested } from '@features/session';
import type { TokenResponse } from '@shared/api/decoders';
import { ApiError } from '@shared/api/apiError';
import { answers, hosts, methods, tokenPair, userAttributes } from '../../../support/builders';
import { fakeBrowser, fakeDeps, type FakeDeps } from '../../../support/fakeDeps';
import { enterUsername, openApp, pass, signInWithPassword } from '../../../support/openApp';
import { expectSignedOut, openTabs, put, session, start } from './openSignedIn';
import { arrangeSignIn } from '../../../support/usualResponses';

beforeEach(() => jest.useFakeTimers({ now: start }));

describe('several tabs with one cookie', () => {
  it.each([2, 10])(
    '%d of them make one call in each lifetime of the token',
    async (count) => {
      const browser = fakeBrowser();
      let calls = 0;
      let spent: readonly string[] = [];
      const first = tokenPair({ lifeSeconds: 300 });
      put({ cookies: browser.jar }, first);
      const tabs = openTabs(browser, count);
      for (const { deps } of tabs)
        deps.api.auth.refresh.mockImplementation(async (refresh) => {
          calls += 1;
          // The service revokes the family when a used token is sent again.
          if (spent.includes(refresh)) throw new ApiError('server', { status: 401 });
          spent = [...spent, refresh];
          await new Promise((resolve) => setTimeout(resolve, 300));
          return tokenPair({ lifeSeconds: 300 });
        });
      await pass(3_600_000);
      // A lifetime ends with the tick after its half: 150 s, or 155 s if the answer took its time.
      expect(calls).toBe(spent.length);
      expect(calls).toBeGreaterThanOrEqual(23);
      expect(calls).toBeLessThanOrEqual(24);
      const access = tabs.map((app) => app.state().session.access);
      expect(new Set(access.map((one) => JSON.stringify(one))).size).toBe(1);
      expect(access[0]).toMatchObject({ phase: 'active' });
      expect(browser.heldLocks.size).toBe(0);
    },
    60_000,
  );

  it('one signs out, and all others are at /login at once; the parent is notified once', async () => {
    const browser = fakeBrowser();
    put({ cookies: browser.jar }, tokenPair());
    const tabs = openTabs(browser, 3);
    const said = jest.fn();
    browser.broadcast.open(session).subscribe(said);
    await pass(0);
    tabs[0]?.dispatch(logoutRequested());
    await pass(0);
    for (const { deps } of tabs) expectSignedOut(deps);
    await pass(10_000);
    expect(said).toHaveBeenCalledTimes(1);
  });

  it('one signs in, and the waiting login screens follow it', async () => {
    const browser = fakeBrowser();
    const waiting = openApp(
      browser.tab({ path: '/login?url=http%3A%2F%2Fhub.payments.localhost%3A4000%2F' }),
    );
    const choosing = openApp(browser.tab({ path: '/login' }));
    choosing.deps.api.auth.methods.mockResolvedValue([methods.basic]);
    await enterUsername(choosing);
    const elsewhere = openApp(browser.tab({ path: '/unauthorized' }));
    const signing = openApp(browser.tab({ path: '/login' }));
    arrangeSignIn(signing.deps.api, tokenPair());
    await signInWithPassword(signing);
    expect(waiting.deps.navigation.leaves).toEqual([hosts.hub]);
    expect(choosing.deps.navigation.leaves).toEqual([hosts.ledger]);
    expect(elsewhere.deps.navigation.leaves).toEqual([]);
    expect(elsewhere.state().session.access.phase).toBe('active');
  });

  it('one begins setup mode, and the page of another is loaded again at once', async () => {
    const browser = fakeBrowser();
    const signing = openApp(browser.tab({ path: '/login' }));
    arrangeSignIn(signing.deps.api, answers.mustSetUpMfa());
    put({ cookies: browser.jar }, tokenPair());
    const [signedIn] = openTabs(browser, 1);
    await pass(0);
    await signInWithPassword(signing);
    expect(signedIn?.deps.navigation.reloads()).toBe(1);
  });

  /** A tab whose password is being checked, and the answer to it. */
  const signingIn = async () => {
    const app = openApp(fakeDeps());
    const { auth } = app.deps.api;
    auth.methods.mockResolvedValue([methods.basic]);
    let answer: ((token: TokenResponse) => void) | undefined;
    let fail: ((error: ApiError) => void) | undefined;
    auth.token.mockReturnValue(
      new Promise((resolve, reject) => {
        [answer, fail] = [resolve, reject];
      }),
    );
    await signInWithPassword(app);
    return { app, deps: app.deps, answer, fail: () => fail?.(new ApiError('server', { status: 400 })) };
  };
  const signInElsewhere = async (deps: FakeDeps) => {
    put(deps, tokenPair());
    await pass(10_000);
  };
  const signOutElsewhere = async (deps: FakeDeps) => {
    deps.cookies.remove(session);
    await pass(10_000);
  };

  it('one signs in and out, and another continues its own sign-in', async () => {
    const { app, deps, answer } = await signingIn();
    for (const change of [signInElsewhere, signOutElsewhere]) {
      await change(deps);
      expect(app.signIn().phase).toBe('submitting');
      expect(deps.navigation.leaves).toEqual([]);
    }
    answer?.(tokenPair());
    await pass(0);
    expect(deps.navigation.leaves).toEqual([hosts.ledger]);
  });

  it('one signs in and out, and the code screen of another keeps its challenge', async () => {
    const { deps, answer } = await signingIn();
    answer?.(answers.appChallenge());
    await pass(0);
    for (const change of [signInElsewhere, signOutElsewhere]) {
      await change(deps);
      expect(deps.navigation.address()).toBe('/two-auth');
      expect(deps.vault.get('challenge')).toBeDefined();
    }
  });

  it('one signs in while the attempt of another fails: the other follows once its dialog is closed', async () => {
    const { app, deps, fail } = await signingIn();
    await signInElsewhere(deps);
    fail();
    await pass(0);
    expect(app.dialog()).toMatchObject({ title: 'Login Error' });
    expect(deps.navigation.leaves).toEqual([]);
    app.answerDialog(true);
    expect(deps.navigation.leaves).toEqual([hosts.ledger]);
  });

  it('one signs in and out while the attempt of another fails: the other stays at its password', async () => {
    const { app, deps, fail } = await signingIn();
    await signInElsewhere(deps);
    await signOutElsewhere(deps);
    fail();
    await pass(0);
    app.answerDialog(true);
    expect(app.signIn().phase).toBe('choosing');
    expect(deps.navigation.leaves).toEqual([]);
  });

  it('one signs out and another user signs in: nothing of the first user remains in the others', async () => {
    const browser = fakeBrowser();
    put({ cookies: browser.jar }, tokenPair({ uid: 'u_ada', firstName: 'Ada' }));
    const tabs = [1, 2].map(() => {
      const deps = browser.tab({ path: '/account-settings' });
      deps.api.users.attributes.mockResolvedValue(userAttributes({ email: 'ada@example.com' }));
      return openApp(deps);
    });
    await pass(0);
    for (const { state } of tabs) expect(JSON.stringify(state())).toMatch(/u_ada.*"Ada"/);
    tabs[0]?.dispatch(logoutRequested());
    await pass(0);
    for (const { state } of tabs) expect(JSON.stringify(state())).not.toMatch(/u_ada|"Ada"/);
    put({ cookies: browser.jar }, tokenPair({ uid: 'u_bob', firstName: 'Bob' }));
    await pass(5000);
    for (const { state } of tabs) expect(JSON.stringify(state())).not.toMatch(/u_ada|"Ada"/);
  });
});
