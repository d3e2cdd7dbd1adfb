/** @jest-environment node */
import { logoutRequested } from '@features/session';
import { ApiError } from '@shared/api/apiError';
import { tokenPair } from '../../../support/builders';
import { fakeDeps, type FakeDeps } from '../../../support/fakeDeps';
import { openApp, pass } from '../../../support/openApp';
import { start, session, life, put, held, openSignedIn, expectSignedOut } from './openSignedIn';

// Hours of fake time take seconds on a busy machine.
jest.setTimeout(60_000);

beforeEach(() => jest.useFakeTimers({ now: start }));
afterEach(() => jest.useRealTimers());

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
    deps.vault.put('verification', { authVerificationToken: 'vt' });
    deps.cookies.remove(session);
    await pass(5000);
    expect(deps.vault.get('verification')).toBeUndefined();
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
});
