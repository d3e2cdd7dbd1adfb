/** @jest-environment node */
import { logoutRequested } from '@features/session';
import type { TokenPair } from '@shared/api/api';
import { ApiError } from '@shared/api/apiError';
import { accessToken, tokenPair, type AccessTokenFacts } from '../../../support/builders';
import { fakeBrowser, fakeDeps, type FakeDeps } from '../../../support/fakeDeps';
import { openApp, pass } from '../../../support/openApp';

// Hours of fake time take seconds on a busy machine.
jest.setTimeout(60_000);

const start = 1_800_000_000_000;
const session = 'payments-test-session';
const life = { kind: 'session' } as const;

beforeEach(() => jest.useFakeTimers({ now: start }));
afterEach(() => jest.useRealTimers());

const put = (deps: Pick<FakeDeps, 'cookies'>, tokens: TokenPair) => {
  deps.cookies.write(session, JSON.stringify({ authenticated: tokens }), life);
  deps.cookies.write(`${session}-refresh`, tokens.refresh, life);
};
const held = (deps: Pick<FakeDeps, 'cookies'>): string => deps.cookies.readAll(`${session}-refresh`).join();

/** Somebody with a session of 15 minutes is on account settings. */
const openSignedIn = (
  facts: Partial<AccessTokenFacts> = {},
  deps = fakeDeps({ path: '/account-settings' }),
) => {
  const tokens = tokenPair(facts);
  put(deps, tokens);
  deps.api.users.attributes.mockRejectedValue(new ApiError('network'));
  return { app: openApp(deps), deps, tokens };
};
/** A service that answers each refresh with a new session of the same length. */
const renewing = (deps: FakeDeps, facts: Partial<AccessTokenFacts> = {}) =>
  deps.api.auth.refresh.mockImplementation(() => Promise.resolve(tokenPair(facts)));

const expectSignedOut = (deps: FakeDeps) => {
  expect(deps.cookies.contents()).toEqual({});
  expect(deps.navigation.address()).toBe('/login');
};

describe('a session that is not due', () => {
  it('is looked at for an hour without a single action or call', async () => {
    const { app, deps } = openSignedIn({ lifeSeconds: 4 * 3600 });
    await pass(0);
    const before = app.dispatched();
    await pass(3_600_000);
    expect(app.dispatched()).toBe(before);
    expect(deps.api.auth.refresh).not.toHaveBeenCalled();
  });
});

describe('a session whose half-life has passed', () => {
  it('is refreshed on the first tick of 5 s after it, not before', async () => {
    const { app, deps, tokens } = openSignedIn({ lifeSeconds: 900 });
    renewing(deps);
    await pass(449_999);
    expect(deps.api.auth.refresh).not.toHaveBeenCalled();
    await pass(1);
    expect(deps.api.auth.refresh.mock.calls).toEqual([[tokens.refresh]]);
    expect(held(deps)).not.toBe(tokens.refresh);
    expect(app.state().session.access).toMatchObject({
      phase: 'active',
      claims: { iat: start / 1000 + 450 },
    });
  });

  it('tells the parent of the new tokens', async () => {
    const deps = fakeDeps({ path: '/account-settings', embedding: 'trusted' });
    openSignedIn({}, deps);
    renewing(deps);
    await pass(450_000);
    expect(deps.parentFrame.told).toEqual(['new_tokens']);
  });

  it('is refreshed once in each half-life, hour after hour', async () => {
    const { deps } = openSignedIn({ lifeSeconds: 600 });
    renewing(deps, { lifeSeconds: 600 });
    await pass(3_600_000);
    expect(deps.api.auth.refresh).toHaveBeenCalledTimes(12);
    expect(deps.navigation.address()).toBe('/account-settings');
  });

  it('is refreshed after a sign-in in this tab just the same', async () => {
    const deps = fakeDeps({ path: '/login', embedding: 'trusted' });
    deps.api.auth.methods.mockResolvedValue([{ method: 'basic' }]);
    deps.api.auth.token.mockResolvedValue(tokenPair());
    const app = openApp(deps);
    renewing(deps);
    app.dispatch({ type: 'auth/usernameSubmitted', ...{ payload: { username: 'ada', rememberMe: false } } });
    await pass(0);
    app.dispatch({ type: 'auth/passwordSubmitted', ...{ meta: { secret: 'pw' } } });
    await pass(450_000);
    expect(deps.api.auth.refresh).toHaveBeenCalledTimes(1);
  });
});

describe('a token that another tab or application changed', () => {
  it('is taken over, without a call', async () => {
    const { app, deps } = openSignedIn();
    await pass(400_000);
    put(deps, tokenPair({ firstName: 'Ada L.' }));
    await pass(100_000);
    expect(deps.api.auth.refresh).not.toHaveBeenCalled();
    expect(app.state().session.access).toMatchObject({ claims: { firstName: 'Ada L.' } });
  });

  it('while the refresh is on its way wins over the answer', async () => {
    const { app, deps } = openSignedIn();
    const other = tokenPair({ firstName: 'of the other tab', iat: start / 1000 + 450 });
    deps.api.auth.refresh.mockImplementation(async () => {
      await new Promise((resolve) => setTimeout(resolve, 2000));
      return tokenPair();
    });
    await pass(451_000);
    put(deps, other);
    await pass(10_000);
    expect(held(deps)).toBe(other.refresh);
    expect(app.state().session.access).toMatchObject({ claims: { firstName: 'of the other tab' } });
    expect(deps.api.auth.refresh).toHaveBeenCalledTimes(1);
  });

  it('while the refresh is refused wins over the refusal', async () => {
    const { deps } = openSignedIn();
    const other = tokenPair({ iat: start / 1000 + 450 });
    deps.api.auth.refresh.mockImplementation(() => {
      put(deps, other);
      return Promise.reject(new ApiError('server', { status: 401 }));
    });
    await pass(460_000);
    expect(held(deps)).toBe(other.refresh);
    expect(deps.navigation.address()).toBe('/account-settings');
  });

  it('to another person’s drops all that was known of the first: the page is loaded anew', async () => {
    const { app, deps } = openSignedIn({ uid: 'u_ada' });
    deps.vault.put('challenge', { authVerificationToken: 'vt' });
    const bob = tokenPair({ uid: 'u_bob' });
    put(deps, bob);
    await pass(60_000);
    expect(deps.navigation.reloads()).toBe(1);
    expect(deps.vault.get('challenge')).toBeUndefined();
    expect(held(deps)).toBe(bob.refresh);
    expect(JSON.stringify(app.state())).not.toContain('u_bob');
  });
});

describe('the session ends', () => {
  it.each([400, 401, 403, 404, 422])('when the service refuses the refresh with %d', async (status) => {
    const deps = fakeDeps({ path: '/account-settings', embedding: 'trusted' });
    const { app } = openSignedIn({}, deps);
    deps.api.auth.refresh.mockRejectedValue(new ApiError('server', { status }));
    await pass(450_000);
    expectSignedOut(deps);
    expect(deps.parentFrame.told).toEqual(['removed_tokens']);
    expect(app.state().session.access).toEqual({ phase: 'anonymous' });
    await pass(60_000);
    expect(deps.api.auth.refresh).toHaveBeenCalledTimes(1);
    expect(deps.parentFrame.told).toEqual(['removed_tokens']);
  });

  it.each<readonly [string, (deps: FakeDeps) => void]>([
    ['signed out in another tab', (deps) => [session, `${session}-refresh`].forEach(deps.cookies.remove)],
    ['overwritten with something else', (deps) => void deps.cookies.write(session, 'garbage', life)],
    ['doubled by a sibling host', (deps) => deps.cookies.toss(session, 'garbage')],
    [
      'replaced with one that is over',
      (deps) => put(deps, tokenPair({ iat: start / 1000 - 1000, lifeSeconds: 900 })),
    ],
  ])('when the cookie was %s', async (_name, change) => {
    const { deps } = openSignedIn();
    change(deps);
    await pass(5000);
    expectSignedOut(deps);
    expect(deps.api.auth.refresh).not.toHaveBeenCalled();
  });

  it('when the browser does not keep the renewed token', async () => {
    const { deps } = openSignedIn();
    deps.api.auth.refresh.mockImplementation(() => {
      deps.cookies.refuse(session);
      return Promise.resolve(tokenPair());
    });
    await pass(450_000);
    expectSignedOut(deps);
  });

  it('and all held secrets with it', async () => {
    const { deps } = openSignedIn();
    deps.vault.put('challenge', { authVerificationToken: 'vt' });
    deps.cookies.remove(session);
    await pass(5000);
    expect(deps.vault.get('challenge')).toBeUndefined();
  });

  it('and can begin anew in the same tab', async () => {
    const deps = fakeDeps({ path: '/login', embedding: 'trusted' });
    const { app } = openSignedIn({ lifeSeconds: 60 }, deps);
    deps.api.auth.refresh.mockRejectedValue(new ApiError('server', { status: 401 }));
    await pass(30_000);
    expect(deps.cookies.contents()).toEqual({});
    // The waiting screen is the form again, not 'You are signed in'.
    expect(app.signIn()).toMatchObject({ phase: 'username' });
  });
});

describe('the refresh runs into trouble', () => {
  const trouble: readonly (readonly [string, ApiError])[] = [
    ['no answer', new ApiError('network')],
    ['given up waiting', new ApiError('timeout')],
    ['an answer of another shape', new ApiError('unexpected', { status: 200 })],
    ['408', new ApiError('server', { status: 408 })],
    ['429', new ApiError('server', { status: 429, retryAfterMs: 1000 })],
    ['500', new ApiError('server', { status: 500 })],
    ['503', new ApiError('server', { status: 503 })],
  ];

  it.each(trouble)(
    '%s: it is tried again until the token expires, and only then the session ends',
    async (_name, error) => {
      const { deps, tokens } = openSignedIn({ lifeSeconds: 120 });
      deps.api.auth.refresh.mockRejectedValue(error);
      await pass(119_999);
      expect(held(deps)).toBe(tokens.refresh);
      expect(deps.navigation.address()).toBe('/account-settings');
      expect(deps.api.auth.refresh.mock.calls.length).toBeGreaterThan(1);
      await pass(5000);
      expectSignedOut(deps);
    },
  );

  it.each(trouble)('%s: once it is over, the session goes on', async (_name, error) => {
    const { deps, tokens } = openSignedIn({ lifeSeconds: 900 });
    deps.api.auth.refresh.mockRejectedValueOnce(error).mockImplementation(() => Promise.resolve(tokenPair()));
    await pass(600_000);
    expect(deps.api.auth.refresh).toHaveBeenCalledTimes(2);
    expect(held(deps)).not.toBe(tokens.refresh);
    expect(deps.navigation.address()).toBe('/account-settings');
  });

  it('a token that cannot be decoded is trouble too', async () => {
    const { deps, tokens } = openSignedIn();
    deps.api.auth.refresh.mockResolvedValueOnce({ token: 'nonsense', refresh: 'r' });
    deps.api.auth.refresh.mockImplementation(() => Promise.resolve(tokenPair()));
    await pass(450_000);
    expect(held(deps)).toBe(tokens.refresh);
    await pass(60_000);
    expect(held(deps)).not.toBe(tokens.refresh);
  });

  it('while offline no try is made; once online it is', async () => {
    const { deps, tokens } = openSignedIn();
    renewing(deps);
    deps.pageLife.emit('offline');
    await pass(600_000);
    expect(deps.api.auth.refresh).not.toHaveBeenCalled();
    expect(held(deps)).toBe(tokens.refresh);
    deps.pageLife.emit('online');
    await pass(5000);
    expect(deps.api.auth.refresh).toHaveBeenCalledTimes(1);
  });

  it('the log tells of it, without a token', async () => {
    const { deps } = openSignedIn();
    deps.api.auth.refresh.mockRejectedValue(new ApiError('server', { status: 503, serverMessage: 'words' }));
    await pass(450_000);
    expect(deps.log.warnings).toEqual([
      { event: 'session refresh failed', facts: { kind: 'server', status: 503 } },
    ]);
  });

  it('a fault of ours is shown, not repeated', async () => {
    const { app, deps } = openSignedIn();
    deps.api.auth.refresh.mockRejectedValue(new TypeError('a bug'));
    await pass(600_000);
    expect(app.state().crashed).toBe(true);
    expect(deps.api.auth.refresh).toHaveBeenCalledTimes(1);
  });
});

describe('somebody signs out while the refresh is on its way', () => {
  it.each([0, 1, 1999])('after %d ms: no session comes back', async (afterMs) => {
    const { app, deps } = openSignedIn();
    deps.api.auth.refresh.mockImplementation(async () => {
      await new Promise((resolve) => setTimeout(resolve, 2000));
      return tokenPair();
    });
    await pass(450_000 + afterMs);
    app.dispatch(logoutRequested());
    await pass(60_000);
    expectSignedOut(deps);
    expect(app.state().session.access).toEqual({ phase: 'anonymous' });
  });

  it('and signs in as somebody else: the late answer changes nothing', async () => {
    const { app, deps } = openSignedIn({ uid: 'u_ada' });
    deps.api.auth.refresh.mockImplementation(async () => {
      await new Promise((resolve) => setTimeout(resolve, 2000));
      return tokenPair({ uid: 'u_ada' });
    });
    await pass(450_500);
    app.dispatch(logoutRequested());
    const bob = tokenPair({ uid: 'u_bob' });
    put(deps, bob);
    await pass(5000);
    expect(held(deps)).toBe(bob.refresh);
  });
});

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
    ['renews the session', (deps) => void put(deps, tokenPair({ iat: start / 1000 + 450 }))],
    ['signs out', (deps) => void deps.cookies.remove(session)],
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

describe('a page that is opened', () => {
  it('with an expired token clears it, tells the parent, and shows /login with the query kept', async () => {
    const deps = fakeDeps({ path: '/account-settings?url=%2Fx', embedding: 'trusted' });
    put(deps, tokenPair({ iat: start / 1000 - 900, lifeSeconds: 900 }));
    const app = openApp(deps);
    await pass(0);
    expect(deps.cookies.contents()).toEqual({});
    expect(deps.parentFrame.told).toEqual(['removed_tokens']);
    expect(app.state().location).toMatchObject({ pathname: '/login', search: '?url=%2Fx' });
    expect(app.state().session.access).toEqual({ phase: 'anonymous' });
  });

  it('with a live token of somebody without personas is let in', () => {
    const deps = fakeDeps({ path: '/account-settings' });
    put(deps, { token: accessToken({ personas: {} }), refresh: 'r' });
    deps.api.users.attributes.mockReturnValue(new Promise(() => undefined));
    expect(openApp(deps).state().session.access.phase).toBe('active');
  });
});
