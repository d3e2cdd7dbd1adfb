/** @jest-environment node */
import { logoutRequested } from '@features/session';
import { ApiError } from '@shared/api/apiError';
import { tokenPair } from '../../../support/builders';
import { fakeBrowser, fakeDeps, type FakeDeps } from '../../../support/fakeDeps';
import { openApp, pass } from '../../../support/openApp';
import { start, session, put, openSignedIn, expectSignedOut } from './openSignedIn';

// Hours of fake time take seconds on a busy machine.
jest.setTimeout(60_000);

beforeEach(() => jest.useFakeTimers({ now: start }));
afterEach(() => jest.useRealTimers());

describe('several tabs over one cookie', () => {
  it.each([2, 10])(
    '%d of them make one call in each life of the token',
    async (count) => {
      const browser = fakeBrowser();
      let calls = 0;
      let spent: readonly string[] = [];
      const first = tokenPair({ lifeSeconds: 300 });
      put({ cookies: browser.jar }, first);
      const tabs = Array.from({ length: count }, () => {
        const deps = browser.tab({ path: '/account-settings' });
        deps.api.users.attributes.mockRejectedValue(new ApiError('network'));
        deps.api.auth.refresh.mockImplementation(async (refresh) => {
          calls += 1;
          // The service revokes the family when a spent token comes back.
          if (spent.includes(refresh)) throw new ApiError('server', { status: 401 });
          spent = [...spent, refresh];
          await new Promise((resolve) => setTimeout(resolve, 300));
          return tokenPair({ lifeSeconds: 300 });
        });
        return { deps, app: openApp(deps) };
      });
      await pass(3_600_000);
      // A life ends with the tick after its half: 150 s, or 155 s where the answer took its time.
      expect(calls).toBe(spent.length);
      expect(calls).toBeGreaterThanOrEqual(23);
      expect(calls).toBeLessThanOrEqual(24);
      const access = tabs.map(({ app }) => app.state().session.access);
      expect(new Set(access.map((one) => JSON.stringify(one))).size).toBe(1);
      expect(access[0]).toMatchObject({ phase: 'active' });
      expect(browser.heldLocks.size).toBe(0);
    },
    60_000,
  );

  it.each<readonly [string, (deps: FakeDeps) => void]>([
    ['renews the session', (deps) => put(deps, tokenPair({ iat: start / 1000 + 450 }))],
    ['signs out', (deps) => deps.cookies.remove(session)],
  ])('one %s while another waits for the lock: that one makes no call', async (_name, meanwhile) => {
    const deps = fakeDeps({
      path: '/account-settings',
      overrides: {
        locks: {
          // Granted late, as a browser may.
          tryRun: async (_lock, work) => {
            await new Promise((resolve) => setTimeout(resolve, 200));
            return { held: true, value: await work() };
          },
        },
      },
    });
    openSignedIn({}, deps);
    await pass(450_100);
    meanwhile(deps);
    await pass(1000);
    expect(deps.api.auth.refresh).not.toHaveBeenCalled();
  });

  it('one signs out, and the others follow', async () => {
    const browser = fakeBrowser();
    put({ cookies: browser.jar }, tokenPair());
    const tabs = [1, 2, 3].map(() => {
      const deps = browser.tab({ path: '/account-settings' });
      deps.api.users.attributes.mockRejectedValue(new ApiError('network'));
      return openApp(deps);
    });
    tabs[0]?.dispatch(logoutRequested());
    await pass(5000);
    for (const { deps } of tabs) expectSignedOut(deps);
  });
});
