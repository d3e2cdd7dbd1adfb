/** @jest-environment node */
/** Tests nextPoll.saga. */
import { wakeOthers, wakeUps, type WakeUp } from '@features/session/refresh/nextPoll.saga';
import { ApiError } from '@shared/api/apiError';
import type { PageLifeEvent } from '@shared/ports/ports';
import { tokenPair } from '../../../support/builders';
import { fakeBrowser, fakeDeps, type FakeDeps } from '../../../support/fakeDeps';
import { openApp, pass, settle } from '../../../support/openApp';
import { expectSignedOut, storedRefresh, openSignedIn, session, put, renewing, start } from './openSignedIn';

beforeEach(() => jest.useFakeTimers({ now: start }));

/** The computer sleeps and wakes: no timer runs, and the clock continues. */
const sleep = (ms: number) => {
  jest.setSystemTime(Date.now() + ms);
};

describe('a computer that slept past the end of the token', () => {
  it('refreshes the session once, and stays signed in', async () => {
    const { app, deps } = openSignedIn();
    await pass(10_000);
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

  it('ends the session after one attempt when the service does not answer', async () => {
    const { deps } = openSignedIn();
    sleep(3_600_000);
    deps.api.auth.refresh.mockRejectedValue(new ApiError('timeout'));
    await pass(60_000);
    expect(deps.api.auth.refresh).toHaveBeenCalledTimes(1);
    expectSignedOut(deps);
  });

  it.each<readonly [string, (deps: FakeDeps) => void]>([
    ['while the refresh is under way', () => undefined],
    ['while the browser is offline', ({ pageLife }) => pageLife.emit('offline')],
  ])('stays signed in when a link is pressed %s', async (_when, prepare) => {
    const { app, deps } = openSignedIn();
    prepare(deps);
    sleep(3_600_000);
    renewing(deps, {}, 2000);
    deps.pageLife.emit('shown');
    deps.navigation.visit('/mfa-options');
    await pass(3000);
    expect(deps.navigation.address()).toBe('/mfa-options');
    deps.pageLife.emit('online');
    await pass(3000);
    expect(app.state().session.access.phase).toBe('active');
    expect(storedRefresh(deps)).not.toBe('');
    expect(deps.api.auth.refresh).toHaveBeenCalledTimes(1);
  });

  it('with a pending call makes one more attempt', async () => {
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
});

it('a browser that is offline when the token ends stays signed in, and refreshes once when it is online again', async () => {
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

describe('a page that comes back from the back/forward cache', () => {
  const leave = ({ pageLife }: FakeDeps) => pageLife.emit('left');
  const comeBack = async (deps: FakeDeps) => {
    deps.pageLife.emit('restored');
    await settle();
  };

  it('shows nothing of a session until it was checked', async () => {
    const { app, deps } = openSignedIn();
    await settle();
    leave(deps);
    expect(app.state().session.access).toEqual({ phase: 'unknown' });
    await comeBack(deps);
    expect(app.state().session.access.phase).toBe('active');
    expect(deps.navigation.address()).toBe('/account-settings');
  });

  it.each<readonly [string, (deps: FakeDeps) => void]>([
    ['the session is removed', (deps) => deps.cookies.remove(session)],
    ['the cookie became malformed', (deps) => void deps.cookies.write(session, '{')],
  ])('shows the login when %s meanwhile', async (_name, meanwhile) => {
    const { app, deps } = openSignedIn();
    await settle();
    leave(deps);
    meanwhile(deps);
    await comeBack(deps);
    expectSignedOut(deps);
    expect(app.state().session.access).toEqual({ phase: 'anonymous' });
  });

  it('is reloaded, and shows nothing, when another user has signed in', async () => {
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
    renewing(deps, {}, 2000);
    await comeBack(deps);
    await pass(1999);
    expect(app.state().session.access).toEqual({ phase: 'unknown' });
    await pass(1);
    expect(app.state().session.access.phase).toBe('active');
  });

  it('starts no refresh while it is in the cache', async () => {
    const { deps } = openSignedIn();
    renewing(deps);
    await pass(440_000);
    leave(deps);
    await pass(60_000);
    expect(deps.api.auth.refresh).not.toHaveBeenCalled();
  });

  it('before its chunk was loaded is checked anyway', async () => {
    const deps = fakeDeps({ path: '/account-settings' });
    deps.api.users.attributes.mockReturnValue(new Promise(() => undefined));
    put(deps, tokenPair());
    const app = openApp(deps);
    leave(deps);
    deps.cookies.remove(session);
    await comeBack(deps);
    expect(app.state().session.access).toEqual({ phase: 'anonymous' });
  });
});

it('the channel between the tabs is closed when the page is left, and open again when it comes back', () => {
  const browser = fakeBrowser();
  const here = browser.tab();
  const elsewhere = browser.tab();
  const heard: WakeUp[] = [];
  const stop = wakeUps(here)((event) => void heard.push(event));
  wakeOthers(elsewhere);
  here.pageLife.emit('left');
  wakeOthers(elsewhere);
  here.pageLife.emit('restored');
  wakeOthers(elsewhere);
  stop();
  wakeOthers(elsewhere);
  expect(heard).toEqual(['poll', 'left', 'restored', 'poll']);
});
