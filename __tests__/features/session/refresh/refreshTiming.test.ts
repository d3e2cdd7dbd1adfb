/** @jest-environment node */
/** Tests settleUncertain.saga. */
import { ApiError } from '@shared/api/apiError';
import fc from 'fast-check';
import { accessToken, tokenPair } from '../../../support/builders';
import { examples } from '@vestibule/contract/testing/examples';
import { fakeBrowser, fakeDeps, type FakeDeps } from '../../../support/fakeDeps';
import { openApp, pass, signInWithPassword } from '../../../support/openApp';
import { expectSignedOut, storedRefresh, put, renewing, session, start } from './openSignedIn';
import { putSetup } from '../../../support/sessionCookies';
import { arrangeSignIn } from '../../../support/usualResponses';

beforeEach(() => jest.useFakeTimers({ now: start }));

const twoDaysMs = 48 * 3_600_000;
/** Ahead or behind, in ms. */
const skews = (min: number, max: number) =>
  fc.tuple(fc.integer({ min, max }), fc.constantFrom(1, -1)).map(([size, sign]) => size * sign);

/** Signs in and stays for an hour of 10-minute tokens with some failures; returns what happened, and when. */
async function anHour(skewMs: number): Promise<readonly string[]> {
  jest.setSystemTime(start);
  const seen: string[] = [];
  const browser = fakeBrowser();
  const deps = browser.tab({ path: '/login', embedding: 'trusted' });
  deps.clock.set(start + skewMs);
  const note = (what: string) => seen.push(`${String(Date.now() - start)} ${what}`);
  arrangeSignIn(deps.api, tokenPair({ lifeSeconds: 600 }));
  let calls = 0;
  deps.api.auth.refresh.mockImplementation(() => {
    calls += 1;
    note('refresh');
    if (calls % 4 === 2) return Promise.reject(new ApiError('server', { status: 503 }));
    if (calls === 9) return Promise.reject(new ApiError('server', { status: 401 }));
    return Promise.resolve(tokenPair({ lifeSeconds: 600 }));
  });
  const app = openApp(deps);
  app.store.subscribe(() => note(app.state().session.access.phase));
  await signInWithPassword(app);
  await pass(3_600_000);
  note(storedRefresh(deps) === '' ? 'signed out' : 'signed in');
  return seen;
}

describe('a wrong clock', () => {
  it('of 5 s to 48 h changes no decision and no time of one', async () => {
    const right = await anHour(0);
    expect(right.filter((line) => line.endsWith('refresh'))).toHaveLength(9);
    await fc.assert(
      fc.asyncProperty(skews(5000, twoDaysMs), async (skewMs) => {
        expect(await anHour(skewMs)).toEqual(right);
      }),
      { numRuns: examples(80), examples: [[-twoDaysMs], [twoDaysMs], [5000]] },
    );
  });

  it('of less than 5 s changes no decision', async () => {
    const right = await anHour(0);
    const what = (line: string) => line.replace(/^\d+ /, '');
    await fc.assert(
      fc.asyncProperty(skews(1, 4999), async (skewMs) => {
        expect((await anHour(skewMs)).map(what)).toEqual(right.map(what));
      }),
      { numRuns: examples(60), examples: [[-4999], [4999]] },
    );
  });

  it.each([-twoDaysMs, twoDaysMs])('of %d ms is known to the next page and to other tabs', async (skewMs) => {
    const browser = fakeBrowser();
    const first = browser.tab({ path: '/login' });
    first.clock.set(start + skewMs);
    arrangeSignIn(first.api);
    await signInWithPassword(openApp(first));
    const second = browser.tab({ path: '/account-settings' });
    second.clock.set(Date.now() + skewMs);
    second.api.users.attributes.mockReturnValue(new Promise(() => undefined));
    expect(openApp(second).state().session.access.phase).toBe('active');
    await pass(449_000);
    expect(second.api.auth.refresh).not.toHaveBeenCalled();
    expect(second.navigation.address()).toBe('/account-settings');
  });
});

describe('a clock that is changed during a session', () => {
  it.each([
    ['forward by two days', twoDaysMs],
    ['back by two days', -twoDaysMs],
    ['back by a minute', -60_000],
  ])('%s: one refresh measures the skew, and the session continues', async (_name, byMs) => {
    const deps = fakeDeps({ path: '/account-settings' });
    deps.api.users.attributes.mockReturnValue(new Promise(() => undefined));
    put(deps, tokenPair());
    deps.api.auth.refresh.mockImplementation(() => Promise.resolve(tokenPair()));
    openApp(deps);
    await pass(5000);
    deps.clock.set(Date.now() + byMs);
    await pass(5000);
    expect(deps.api.auth.refresh).toHaveBeenCalledTimes(1);
    await pass(440_000);
    expect(deps.api.auth.refresh).toHaveBeenCalledTimes(1);
    await pass(20_000);
    expect(deps.api.auth.refresh).toHaveBeenCalledTimes(2);
    expect(deps.navigation.address()).toBe('/account-settings');
  });
});

describe('a host that has not compared the clock with the service’s', () => {
  const twoHoursMs = 2 * 3_600_000;
  /** Opens a page of the supplier host two hours ahead; the login host has just made this session. */
  const open = (path = '/account-settings', prepare: (deps: FakeDeps) => void = () => undefined) => {
    const deps = fakeDeps({ path });
    deps.storage.browser.write('clock-skew', null);
    deps.api.users.attributes.mockReturnValue(new Promise(() => undefined));
    put(deps, tokenPair());
    deps.clock.set(start + twoHoursMs);
    renewing(deps);
    prepare(deps);
    return { deps, app: openApp(deps) };
  };

  it('keeps a session that seems expired, after one refresh', async () => {
    const { deps, app } = open();
    expect(app.state().session.access.phase).toBe('unknown');
    // No screen is shown meanwhile.
    expect(app.state().page.location.route).toBeNull();
    await pass(0);
    expect(deps.api.auth.refresh).toHaveBeenCalledTimes(1);
    expect(app.state().session.access.phase).toBe('active');
    expect(deps.navigation.address()).toBe('/account-settings');
    await pass(440_000);
    expect(deps.api.auth.refresh).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['refused', new ApiError('server', { status: 401 })],
    ['not answered', new ApiError('network')],
  ])('clears it when that refresh is %s', async (_how, error) => {
    const { deps } = open('/account-settings', ({ api }) => api.auth.refresh.mockRejectedValue(error));
    await pass(0);
    expect(deps.api.auth.refresh).toHaveBeenCalledTimes(1);
    expectSignedOut(deps);
  });

  it('clears nothing while the browser is offline, and asks when it is online again', async () => {
    const { deps, app } = open('/account-settings', ({ pageLife }) => {
      pageLife.emit('offline');
    });
    await pass(60_000);
    expect(storedRefresh(deps)).not.toBe('');
    deps.pageLife.emit('online');
    await pass(0);
    expect(app.state().session.access.phase).toBe('active');
  });

  it('waits for the refresh of another host, and makes none of its own', async () => {
    const { deps, app } = open('/account-settings', ({ config, locks, cookies }) => {
      void locks.tryRun(config.cookies.prefix, async () => {
        await new Promise((resolve) => setTimeout(resolve, 2000));
        put({ cookies }, tokenPair({ iat: (start + twoHoursMs) / 1000 }));
      });
    });
    await pass(3000);
    expect(deps.api.auth.refresh).not.toHaveBeenCalled();
    expect(app.state().session.access.phase).toBe('active');
  });

  it('does not end setup mode on the word of its own clock', async () => {
    const mfaToken = accessToken({ isMfaSetup: true });
    const { app } = open('/mfa-options', (deps) => {
      deps.cookies.remove(session);
      putSetup(deps, mfaToken);
    });
    await pass(10_000);
    expect(app.state().session.access.phase).toBe('setup');
  });
});

describe('a page that is loaded after a wrong clock was corrected', () => {
  /** The stored skew is of the wrong clock; the token was issued this many seconds ago. */
  const load = (path: string, noteMs: number | null, ageSeconds: number) => {
    const deps = fakeDeps({ path });
    deps.api.users.attributes.mockReturnValue(new Promise(() => undefined));
    deps.storage.browser.write('clock-skew', noteMs === null ? null : String(noteMs));
    deps.api.auth.refresh.mockRejectedValue(new ApiError('server', { status: 401 }));
    put(deps, tokenPair({ iat: start / 1000 - ageSeconds }));
    openApp(deps);
    return deps;
  };

  it.each(['/login', '/account-settings'])(
    '%s: an expired token is refused, whatever the skew',
    async (path) => {
      const deps = load(path, twoDaysMs, 7200);
      await pass(0);
      expect(deps.navigation.leaves).toEqual([]);
      expect(storedRefresh(deps)).toBe('');
      expect(deps.navigation.address()).toBe('/login');
      expect(deps.storage.browser.read('clock-skew')).toBeNull();
    },
  );

  it('a token that only the stored skew makes expired stays', () => {
    const deps = load('/account-settings', -twoDaysMs, 0);
    expect(storedRefresh(deps)).not.toBe('');
    expect(deps.storage.browser.read('clock-skew')).toBeNull();
  });

  it('the setup token is treated in the same way', () => {
    const deps = fakeDeps({ path: '/account-settings' });
    deps.api.users.attributes.mockReturnValue(new Promise(() => undefined));
    deps.storage.browser.write('clock-skew', String(-twoDaysMs));
    putSetup(deps);
    expect(openApp(deps).state().session.access.phase).toBe('setup');
  });
});
