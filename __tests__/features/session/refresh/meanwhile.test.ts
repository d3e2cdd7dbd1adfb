/** @jest-environment node */
import { accessToken, tokenPair } from '../../../support/builders';
import { fakeBrowser, fakeDeps, type FakeDeps } from '../../../support/fakeDeps';
import { pass, settle } from '../../../support/openApp';
import { expectSignedOut, held, life, openSignedIn, put, renewing, session, start } from './openSignedIn';

jest.setTimeout(60_000);

beforeEach(() => jest.useFakeTimers({ now: start }));
afterEach(() => jest.useRealTimers());

/** A refresh that is sent and not answered, until the test says so. */
const hanging = (deps: FakeDeps) => {
  let answer: (tokens: ReturnType<typeof tokenPair>) => void = () => undefined;
  deps.api.auth.refresh.mockReturnValue(
    new Promise((resolve) => {
      answer = resolve;
    }),
  );
  return { answer: (tokens: ReturnType<typeof tokenPair>) => answer(tokens) };
};

const twoTabs = () => {
  const browser = fakeBrowser();
  const deps = browser.tab({ path: '/account-settings' });
  const { app } = openSignedIn({}, deps);
  return { browser, deps, app };
};

describe('while a refresh hangs', () => {
  it('a sign-out in another tab is obeyed at once, and the late answer changes nothing', async () => {
    const { browser, deps } = twoTabs();
    const call = hanging(deps);
    await pass(451_000);
    expect(deps.api.auth.refresh).toHaveBeenCalledTimes(1);
    const other = browser.tab();
    for (const name of [session, `${session}-refresh`]) other.cookies.remove(name);
    deps.pageLife.emit('shown');
    await settle();
    expectSignedOut(deps);
    call.answer(tokenPair());
    await settle();
    expectSignedOut(deps);
    expect(deps.parentFrame.told).not.toContain('new_tokens');
  });

  it('another person’s sign-in is noticed at once', async () => {
    const { deps } = twoTabs();
    hanging(deps);
    await pass(451_000);
    put(deps, tokenPair({ uid: 'u_bob' }));
    deps.pageLife.emit('shown');
    await settle();
    expect(deps.navigation.reloads()).toBe(1);
  });

  it('a page that is left and comes back shows itself before the answer', async () => {
    const { app, deps } = twoTabs();
    hanging(deps);
    await pass(451_000);
    deps.pageLife.emit('left');
    await settle();
    expect(app.state().session.access.phase).toBe('unknown');
    deps.pageLife.emit('restored');
    await settle();
    expect(app.state().session.access.phase).toBe('active');
  });

  it('a look at something else does not lose the answer, nor the word to the parent', async () => {
    const deps = fakeDeps({ path: '/account-settings', embedding: 'trusted' });
    openSignedIn({}, deps);
    const call = hanging(deps);
    await pass(451_000);
    deps.pageLife.emit('shown');
    await settle();
    const renewed = tokenPair();
    call.answer(renewed);
    await settle();
    expect(held(deps)).toBe(renewed.refresh);
    // Found at the next look, as another tab's would be.
    await pass(10_000);
    expect(deps.parentFrame.told).toEqual(['new_tokens']);
    expect(deps.api.auth.refresh).toHaveBeenCalledTimes(1);
  });
});

describe('what is in the cookies', () => {
  it('a set-up session from another tab takes the place of one that is gone', async () => {
    const { deps } = twoTabs();
    for (const name of [session, `${session}-refresh`]) deps.cookies.remove(name);
    const mfaToken = accessToken({ isMfaSetup: true, lifeSeconds: 900 });
    deps.cookies.write(`${session}-setup`, JSON.stringify({ mfaToken }), life);
    await pass(6000);
    expect(deps.navigation.reloads()).toBe(1);
  });

  it('a set-up session that is over does not', async () => {
    const { deps } = twoTabs();
    for (const name of [session, `${session}-refresh`]) deps.cookies.remove(name);
    const mfaToken = accessToken({ isMfaSetup: true, lifeSeconds: -1 });
    deps.cookies.write(`${session}-setup`, JSON.stringify({ mfaToken }), life);
    await pass(6000);
    expect(deps.navigation.reloads()).toBe(0);
    expect(deps.navigation.address()).toBe('/login');
  });

  it('a new token is never another person’s', async () => {
    const { deps } = twoTabs();
    deps.api.auth.refresh.mockResolvedValue(tokenPair({ uid: 'u_evil' }));
    await pass(456_000);
    expectSignedOut(deps);
  });
});

it('a token that ran out just before the browser was online again is renewed, not cleared', async () => {
  const deps = fakeDeps({ path: '/account-settings' });
  openSignedIn({ lifeSeconds: 898 }, deps);
  deps.pageLife.emit('offline');
  // The last look was at 895 s.
  await pass(899_000);
  renewing(deps);
  deps.pageLife.emit('online');
  await settle();
  expect(deps.api.auth.refresh).toHaveBeenCalledTimes(1);
  expect(deps.navigation.address()).toBe('/account-settings');
});

it('a page that comes back while another tab renews its token waits for it no longer than it takes', async () => {
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

it('a try that another tab found to be too early is not made, even with the lock in hand', async () => {
  const deps = fakeDeps({
    path: '/account-settings',
    overrides: {
      locks: {
        tryRun: async (_name, work) => {
          // Just before this tab has the lock, another one has failed under it.
          deps.notes.browser.write('refresh-pause', `1 ${String(Date.now())} ${String(Date.now() + 60_000)}`);
          return { held: true, value: await work() };
        },
      },
    },
  });
  openSignedIn({}, deps);
  renewing(deps);
  await pass(456_000);
  expect(deps.api.auth.refresh).not.toHaveBeenCalled();
});
