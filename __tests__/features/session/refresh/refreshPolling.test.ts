/** @jest-environment node */
import { rootReducer } from '@app/rootReducer';
import { logoutRequested } from '@features/session';
import { wakeUps } from '@features/session/refresh/nextPoll.saga';
import { refreshPolling } from '@features/session/refresh/refreshPolling.saga';
import {
  sessionAdopted,
  sessionEnded,
  sessionRefreshed,
  sessionRestored,
} from '@features/session/session.slice';
import { call } from '@shared/sagas/call.saga';
import { withChannel } from '@shared/sagas/withChannel.saga';
import { expectSaga } from 'redux-saga-test-plan';
import { ApiError } from '@shared/api/apiError';
import { accessToken, tokenPair } from '../../../support/builders';
import { fakeBrowser, fakeDeps } from '../../../support/fakeDeps';
import { pass, settle } from '../../../support/openApp';
import {
  claimsIn,
  expectSignedOut,
  storedRefresh,
  openSignedIn,
  put,
  renewing,
  session,
  start,
} from './openSignedIn';
import { later } from '../../../support/later';
import { putSetup } from '../../../support/sessionCookies';

beforeEach(() => jest.useFakeTimers({ now: start }));

const framed = () => fakeDeps({ path: '/account-settings', embedding: 'trusted' });

/** Polls with a session of 15 minutes for this long, ms. */
function polling(ms: number) {
  const deps = framed();
  const tokens = tokenPair({ lifeSeconds: 900 });
  put(deps, tokens);
  const claims = claimsIn(tokens.token);
  const saga = expectSaga(function* () {
    yield* withChannel(wakeUps(deps), (events) => call(refreshPolling, deps, events, claims));
  }).withReducer(rootReducer, rootReducer(undefined, sessionRestored(claims)));
  const result = async () => {
    const running = saga.silentRun(ms);
    await pass(ms);
    return await running;
  };
  return { deps, tokens, saga, result };
}

describe('a poll', () => {
  it('changes nothing and calls nothing in the first half of a token’s life', async () => {
    const { deps, result } = polling(449_999);
    renewing(deps);
    const { effects } = await result();
    expect(effects.put).toBeUndefined();
    expect(deps.api.auth.refresh).not.toHaveBeenCalled();
  });

  it('refreshes on the first tick of 5 s after it', async () => {
    const { deps, tokens, saga, result } = polling(450_001);
    const renewed = tokenPair({ iat: start / 1000 + 450 });
    deps.api.auth.refresh.mockResolvedValue(renewed);
    saga.put(sessionRefreshed(claimsIn(renewed.token)));
    await result();
    expect(deps.api.auth.refresh.mock.calls).toEqual([[tokens.refresh]]);
    expect(storedRefresh(deps)).toBe(renewed.refresh);
    expect(deps.parentFrame.messages).toEqual(['new_tokens']);
  });

  it('adopts a token of another tab, and tells the parent', async () => {
    const { deps, saga, result } = polling(5000);
    const other = tokenPair({ iat: start / 1000 + 1 });
    put(deps, other);
    saga.put(sessionAdopted(claimsIn(other.token)));
    await result();
    expect(deps.parentFrame.messages).toEqual(['new_tokens']);
    expect(deps.api.auth.refresh).not.toHaveBeenCalled();
  });

  it('ends a session whose refresh the service rejects, once', async () => {
    const { deps, saga, result } = polling(520_000);
    deps.api.auth.refresh.mockRejectedValue(new ApiError('server', { status: 401 }));
    saga.put(sessionEnded({ reason: 'refused' }));
    await result();
    expect(deps.cookies.contents()).toEqual({});
    expect(deps.parentFrame.messages).toEqual(['removed_tokens']);
    expect(deps.api.auth.refresh).toHaveBeenCalledTimes(1);
  });

  it('ends one whose new token the browser does not store', async () => {
    const { deps, saga, result } = polling(450_001);
    deps.api.auth.refresh.mockImplementation(() => {
      deps.cookies.refuse(session);
      return Promise.resolve(tokenPair());
    });
    saga.put(sessionEnded({ reason: 'refused' }));
    await result();
    expect(deps.cookies.contents()).toEqual({});
  });
});

describe('a token that another tab or application changed', () => {
  it('while a refresh is pending takes precedence over the answer', async () => {
    const { app, deps } = openSignedIn();
    const other = tokenPair({ firstName: 'of the other tab', iat: start / 1000 + 450 });
    renewing(deps, {}, 2000);
    await pass(451_000);
    put(deps, other);
    await pass(10_000);
    expect(storedRefresh(deps)).toBe(other.refresh);
    expect(app.state().session.access).toMatchObject({ claims: { firstName: 'of the other tab' } });
    expect(deps.api.auth.refresh).toHaveBeenCalledTimes(1);
  });

  it('while a refresh is rejected takes precedence over the rejection', async () => {
    const { deps } = openSignedIn();
    const other = tokenPair({ iat: start / 1000 + 450 });
    deps.api.auth.refresh.mockImplementation(() => {
      put(deps, other);
      return Promise.reject(new ApiError('server', { status: 401 }));
    });
    await pass(460_000);
    expect(storedRefresh(deps)).toBe(other.refresh);
    expect(deps.navigation.address()).toBe('/account-settings');
  });

  it('to another user’s: the parent is notified, secrets are dropped, the page is reloaded', async () => {
    const { app, deps } = openSignedIn({ uid: 'u_ada' }, framed());
    deps.vault.put('authenticatorKey', { code: 'KEY', url: 'otpauth://totp/x' });
    const bob = tokenPair({ uid: 'u_bob' });
    put(deps, bob);
    await pass(60_000);
    expect(deps.navigation.reloads()).toBe(1);
    expect(deps.parentFrame.messages).toEqual(['new_tokens']);
    expect(deps.vault.get('authenticatorKey')).toBeUndefined();
    expect(storedRefresh(deps)).toBe(bob.refresh);
    expect(JSON.stringify(app.state())).not.toContain('u_bob');
  });
});

describe('a page that opens when the refresh is due', () => {
  it.each([
    ['past half of its life', 460, 0],
    ['in its last seconds, with an answer after its end', 896, 6000],
  ])('with a token %s, refreshes at once', async (_name, age, answerMs) => {
    const deps = fakeDeps({ path: '/account-settings' });
    renewing(deps, {}, answerMs);
    openSignedIn({ iat: start / 1000 - age }, deps);
    await pass(0);
    expect(deps.api.auth.refresh).toHaveBeenCalledTimes(1);
    await pass(10_000);
    expect(deps.navigation.address()).toBe('/account-settings');
    expect(deps.api.auth.refresh).toHaveBeenCalledTimes(1);
  });

  it('does not end the session while a page of another host refreshes it', async () => {
    const deps = fakeDeps({ path: '/account-settings' });
    void deps.locks.tryRun(deps.config.cookies.prefix, async () => {
      await new Promise((resolve) => setTimeout(resolve, 8000));
      put(deps, tokenPair());
    });
    openSignedIn({ iat: start / 1000 - 896 }, deps);
    await pass(15_000);
    expect(deps.api.auth.refresh).not.toHaveBeenCalled();
    expect(deps.navigation.address()).toBe('/account-settings');
  });
});

it('an expired session does not end if a page of another host has refreshed it before this one had the lock', async () => {
  const { app, deps } = openSignedIn();
  deps.api.auth.refresh.mockRejectedValue(new ApiError('network'));
  await pass(899_000);
  const { tryRun } = deps.locks;
  jest.spyOn(deps.locks, 'tryRun').mockImplementationOnce((name, work) => {
    put(deps, tokenPair());
    return tryRun(name, work);
  });
  await pass(10_000);
  expect(app.state().session.access.phase).toBe('active');
});

describe('a sign-out while the refresh is pending', () => {
  it.each([0, 1, 1999])('after %d ms: the session is not restored', async (afterMs) => {
    const { app, deps } = openSignedIn();
    renewing(deps, {}, 2000);
    await pass(450_000 + afterMs);
    app.dispatch(logoutRequested());
    await pass(60_000);
    expectSignedOut(deps);
    expect(app.state().session.access).toEqual({ phase: 'anonymous' });
  });

  it('and a sign-in of another user: the late answer changes nothing', async () => {
    const { app, deps } = openSignedIn({ uid: 'u_ada' });
    renewing(deps, { uid: 'u_ada' }, 2000);
    await pass(450_500);
    app.dispatch(logoutRequested());
    const bob = tokenPair({ uid: 'u_bob' });
    put(deps, bob);
    await pass(5000);
    expect(storedRefresh(deps)).toBe(bob.refresh);
  });
});

const twoTabs = () => {
  const browser = fakeBrowser();
  const deps = browser.tab({ path: '/account-settings' });
  const { app } = openSignedIn({}, deps);
  return { browser, deps, app };
};

describe('while a refresh is pending', () => {
  it('a sign-out in another tab takes effect at once, and the late answer changes nothing', async () => {
    const { browser, deps } = twoTabs();
    const call = later(deps.api.auth.refresh);
    await pass(451_000);
    expect(deps.api.auth.refresh).toHaveBeenCalledTimes(1);
    const other = browser.tab();
    for (const name of [session, `${session}-refresh`]) other.cookies.remove(name);
    deps.pageLife.emit('shown');
    await settle();
    expectSignedOut(deps);
    await call.answer(tokenPair());
    expectSignedOut(deps);
    expect(deps.parentFrame.messages).not.toContain('new_tokens');
  });

  it('a page from the back/forward cache is shown before the answer', async () => {
    const { app, deps } = twoTabs();
    later(deps.api.auth.refresh);
    await pass(451_000);
    deps.pageLife.emit('left');
    await settle();
    expect(app.state().session.access.phase).toBe('unknown');
    deps.pageLife.emit('restored');
    await settle();
    expect(app.state().session.access.phase).toBe('active');
  });

  it('a poll meanwhile does not lose the answer, and the parent is notified', async () => {
    const deps = framed();
    openSignedIn({}, deps);
    const call = later(deps.api.auth.refresh);
    await pass(451_000);
    deps.pageLife.emit('shown');
    await settle();
    const renewed = tokenPair();
    await call.answer(renewed);
    expect(storedRefresh(deps)).toBe(renewed.refresh);
    // Found by the next poll, like one of another tab.
    await pass(10_000);
    expect(deps.parentFrame.messages).toEqual(['new_tokens']);
    expect(deps.api.auth.refresh).toHaveBeenCalledTimes(1);
  });
});

describe('the cookies after a refresh', () => {
  it.each([
    ['a set-up session from another tab replaces an ended one', 900, 1, '/account-settings'],
    ['an expired set-up session does not', -1, 0, '/login'],
  ])('%s', async (_name, lifeSeconds, reloads, address) => {
    const { deps } = twoTabs();
    for (const name of [session, `${session}-refresh`]) deps.cookies.remove(name);
    putSetup(deps, accessToken({ isMfaSetup: true, lifeSeconds }));
    await pass(6000);
    expect(deps.navigation.reloads()).toBe(reloads);
    expect(deps.navigation.address()).toBe(address);
  });

  it('a new token of another user is not stored', async () => {
    const { deps } = twoTabs();
    deps.api.auth.refresh.mockResolvedValue(tokenPair({ uid: 'u_evil' }));
    await pass(456_000);
    expectSignedOut(deps);
  });
});

it('a page that comes back while another tab refreshes waits only as long as that takes', async () => {
  const { browser, deps, app } = twoTabs();
  await pass(1000);
  deps.pageLife.emit('left');
  jest.setSystemTime(start + 1_000_000);
  const other = browser.tab();
  const renewed = tokenPair();
  const work = other.locks.tryRun('payments-test', async () => {
    await new Promise((resolve) => setTimeout(resolve, 200));
    put(deps, renewed);
  });
  deps.pageLife.emit('restored');
  await pass(1000);
  await work;
  expect(app.state().session.access.phase).toBe('active');
});
