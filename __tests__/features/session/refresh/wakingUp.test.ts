/** @jest-environment node */
import { ApiError } from '@shared/api/apiError';
import type { PageLifeEvent } from '@shared/platform/platform';
import { tokenPair } from '../../../support/builders';
import { fakeBrowser, fakeDeps, type FakeDeps } from '../../../support/fakeDeps';
import { openApp, pass, settle } from '../../../support/openApp';
import { start, held, put, openSignedIn, renewing, expectSignedOut } from './openSignedIn';

// Hours of fake time take seconds on a busy machine.
jest.setTimeout(60_000);

beforeEach(() => jest.useFakeTimers({ now: start }));
afterEach(() => jest.useRealTimers());

/** The lid is closed and opened again: no timer runs, and the clock goes on. */
const sleep = (ms: number) => {
  jest.setSystemTime(Date.now() + ms);
};

describe('a computer that slept past the end of the token', () => {
  it('renews the session with one refresh, and nobody is signed out', async () => {
    const { app, deps } = openSignedIn();
    await pass(60_000);
    sleep(8 * 3_600_000);
    renewing(deps);
    await pass(5000);
    expect(deps.api.auth.refresh).toHaveBeenCalledTimes(1);
    expect(deps.navigation.address()).toBe('/account-settings');
    expect(app.state().session.access.phase).toBe('active');
  });

  it.each<PageLifeEvent>(['shown', 'online'])('does so at once when the page is %s', async (event) => {
    const { deps } = openSignedIn();
    sleep(3_600_000);
    renewing(deps);
    deps.pageLife.emit(event);
    await pass(0);
    expect(deps.api.auth.refresh).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['refuses', new ApiError('server', { status: 401 })],
    ['does not answer', new ApiError('timeout')],
    ['is in trouble', new ApiError('server', { status: 503 })],
  ])('ends the session after one try when the service %s', async (_name, error) => {
    const { deps } = openSignedIn();
    sleep(3_600_000);
    deps.api.auth.refresh.mockRejectedValue(error);
    await pass(60_000);
    expect(deps.api.auth.refresh).toHaveBeenCalledTimes(1);
    expectSignedOut(deps);
  });

  it('with the call under way tries once more', async () => {
    const { deps } = openSignedIn();
    deps.api.auth.refresh.mockImplementationOnce(async () => {
      await new Promise((resolve) => setTimeout(resolve, 1000));
      throw new ApiError('network');
    });
    await pass(450_500);
    sleep(3_600_000);
    renewing(deps);
    await pass(10_000);
    expect(deps.api.auth.refresh).toHaveBeenCalledTimes(2);
    expect(deps.navigation.address()).toBe('/account-settings');
  });

  it('has ten tabs renew it with one refresh', async () => {
    const browser = fakeBrowser();
    put({ cookies: browser.jar }, tokenPair());
    let calls = 0;
    const tabs = Array.from({ length: 10 }, () => {
      const deps = browser.tab({ path: '/unauthorized' });
      deps.api.auth.refresh.mockImplementation(async () => {
        calls += 1;
        await new Promise((resolve) => setTimeout(resolve, 800));
        return tokenPair();
      });
      openApp(deps);
      return deps;
    });
    await pass(1000);
    sleep(3_600_000);
    for (const { pageLife } of tabs) pageLife.emit('online');
    await pass(10_000);
    expect(calls).toBe(1);
    expect(held({ cookies: browser.jar })).not.toBe('');
  });
});

describe('a browser that is offline when the token ends', () => {
  it('signs nobody out, and makes one refresh when it is online again', async () => {
    const { deps } = openSignedIn();
    await pass(440_000);
    deps.pageLife.emit('offline');
    await pass(3_600_000);
    expect(deps.api.auth.refresh).not.toHaveBeenCalled();
    expect(deps.navigation.address()).toBe('/account-settings');
    renewing(deps);
    deps.pageLife.emit('online');
    await pass(0);
    expect(deps.api.auth.refresh).toHaveBeenCalledTimes(1);
    expect(deps.navigation.address()).toBe('/account-settings');
  });

  it('ends the session when the service refuses then', async () => {
    const { deps } = openSignedIn();
    deps.pageLife.emit('offline');
    await pass(3_600_000);
    deps.api.auth.refresh.mockRejectedValue(new ApiError('server', { status: 401 }));
    deps.pageLife.emit('online');
    await pass(0);
    expectSignedOut(deps);
  });
});

describe('a page that comes back from the back/forward cache', () => {
  const leave = (deps: FakeDeps) => {
    deps.pageLife.emit('left');
  };
  const comeBack = async (deps: FakeDeps) => {
    deps.pageLife.emit('restored');
    await settle();
  };

  it('shows nothing of anybody until the session has been looked at', async () => {
    const { app, deps } = openSignedIn();
    await settle();
    leave(deps);
    expect(app.state().session.access).toEqual({ phase: 'unknown' });
    await comeBack(deps);
    expect(app.state().session.access.phase).toBe('active');
    expect(deps.navigation.address()).toBe('/account-settings');
  });

  it.each<readonly [string, (deps: FakeDeps) => void]>([
    ['somebody signed out', (deps) => deps.cookies.remove('payments-test-session')],
    [
      'the cookie went bad',
      (deps) => void deps.cookies.write('payments-test-session', '{', { kind: 'session' }),
    ],
  ])('shows the login when %s meanwhile', async (_name, meanwhile) => {
    const { app, deps } = openSignedIn();
    await settle();
    leave(deps);
    meanwhile(deps);
    await comeBack(deps);
    expectSignedOut(deps);
    expect(app.state().session.access).toEqual({ phase: 'anonymous' });
  });

  it('is loaded anew, and shows nothing, when somebody else is here', async () => {
    const { app, deps } = openSignedIn({ uid: 'u_ada' });
    await settle();
    leave(deps);
    put(deps, tokenPair({ uid: 'u_bob' }));
    await comeBack(deps);
    expect(deps.navigation.reloads()).toBe(1);
    expect(app.state().session.access).toEqual({ phase: 'unknown' });
  });

  it('after the end of the token shows nothing until the refresh is answered', async () => {
    const { app, deps } = openSignedIn();
    await settle();
    leave(deps);
    sleep(3_600_000);
    deps.api.auth.refresh.mockImplementation(async () => {
      await new Promise((resolve) => setTimeout(resolve, 2000));
      return tokenPair();
    });
    await comeBack(deps);
    await pass(1999);
    expect(app.state().session.access).toEqual({ phase: 'unknown' });
    await pass(1);
    expect(app.state().session.access.phase).toBe('active');
  });

  it('starts no refresh while it is away', async () => {
    const { deps } = openSignedIn();
    renewing(deps);
    await pass(440_000);
    leave(deps);
    await pass(60_000);
    expect(deps.api.auth.refresh).not.toHaveBeenCalled();
  });

  it('before its work was fetched is looked at all the same', async () => {
    const deps = fakeDeps({ path: '/account-settings' });
    deps.api.users.attributes.mockReturnValue(new Promise(() => undefined));
    put(deps, tokenPair());
    const app = openApp(deps);
    leave(deps);
    deps.cookies.remove('payments-test-session');
    await comeBack(deps);
    expect(app.state().session.access).toEqual({ phase: 'anonymous' });
  });
});
