/** Tests endNotice.slice, catchUp.saga, followEvents.saga and untilUnused.saga. */
import { featureCalls } from '../../support/answerFeatures';
import { rootReducer } from '@app/rootReducer';
import {
  decodeClaims,
  profileRequested,
  sessionAdopted,
  sessionEndAnnounced,
  sessionEnded,
  sessionRestored,
} from '@features/session';
import { liveEvents } from '@features/events/liveEvents.saga';
import type { Action } from '@reduxjs/toolkit';
import { ApiError } from '@shared/api/apiError';
import { bearerRefused } from '@shared/sagas/callApi.saga';
import { act, screen } from '@testing-library/react';
import { eventChannel } from 'redux-saga';
import { expectSaga } from 'redux-saga-test-plan';
import { cancel, delay, fork } from 'typed-redux-saga';
import { severalPersonas, tokenPair, userAttributes } from '../../support/builders';
import { fakeBrowser, type FakeBrowser } from '../../support/fakeDeps';
import { openApp, pass, settle, type OpenApp } from '../../support/openApp';
import { renderApp, user } from '../../support/renderApp';
import { put, putSetup, session } from '../../support/sessionCookies';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));

const extensions = ['events'];

/** Tabs of a signed-in user, on the account settings; the stream has been opened. */
async function openTabs(
  count = 1,
  {
    browser = fakeBrowser(),
    lifeSeconds = 4 * 3600,
    path = '/account-settings',
    accountVersion,
  }: { browser?: FakeBrowser; lifeSeconds?: number; path?: string; accountVersion?: string } = {},
) {
  const tokens = tokenPair({ personas: severalPersonas, lifeSeconds });
  const tabs = Array.from({ length: count }, () => browser.tab({ path, config: { extensions } }));
  const [first] = tabs;
  if (first) put(first, tokens);
  const apps = tabs.map((deps) => {
    deps.api.users.attributes.mockResolvedValue(
      userAttributes(accountVersion === undefined ? {} : { accountVersion }),
    );
    return openApp(deps);
  });
  await pass(2000);
  return { browser, tokens, apps, stream: browser.eventStream };
}

const emit = async (browser: FakeBrowser, name: string, data: object) => {
  browser.eventStream.open()[0]?.emit(name, data);
  await settle();
};
const addresses = (apps: readonly OpenApp[]) => apps.map((app) => app.address());

describe('a session that the service ends', () => {
  it.each([
    ['ended-elsewhere', 'You were signed out on another device.'],
    ['password-changed', 'Your password was changed. Sign in again.'],
    ['locked', 'Your account is locked.'],
    ['reused', 'You were signed out for your safety.'],
  ])('(%s) is over in every tab, which says: %s', async (reason, text) => {
    const { browser, apps, stream } = await openTabs(3);
    expect(stream.open()).toHaveLength(1);
    await emit(browser, 'session-ended', { reason });
    expect(addresses(apps)).toEqual(['/login', '/login', '/login']);
    expect(browser.jar.contents()).toEqual({});
    expect(stream.open()).toEqual([]);
    for (const app of apps) expect(app.state().events).toEqual({ phase: 'announced', reason });
    for (const app of apps.slice(2)) await renderApp(app);
    expect(screen.getByRole('alert')).toHaveTextContent(text);
    await user.type(screen.getByLabelText('Username'), 'a');
    expect(screen.queryByText(text)).toBeNull();
  });

  it('and was refreshed by another tab ends with a refused refresh, and the reason is shown', async () => {
    const { browser, apps } = await openTabs();
    const [app] = apps;
    if (!app) return;
    put(app.deps, tokenPair({ personas: severalPersonas }));
    // It is young: a 401 alone would not have it refreshed.
    await pass(6000);
    app.deps.api.auth.refresh.mockRejectedValue(new ApiError('server', { status: 401 }));
    await emit(browser, 'session-ended', { reason: 'locked' });
    expect(app.address()).toBe('/login');
    expect(app.state().events).toEqual({ phase: 'announced', reason: 'locked' });
  });
});

describe('an account that changes elsewhere', () => {
  it('is loaded again in every tab that shows it, without a spinner', async () => {
    const { browser, apps } = await openTabs(2);
    for (const { deps } of apps)
      deps.api.users.attributes.mockResolvedValue(userAttributes({ isAppActive: true }));
    await emit(browser, 'account-changed', { what: ['mfa'] });
    for (const app of apps)
      expect(app.state().session.profile).toMatchObject({ attributes: { isAppActive: true } });
  });
});

describe('a change between the opening of a page and its stream', () => {
  const isOn = { attributes: { isAppActive: true } };
  /** The account changes after the pages have read it. */
  const change = (apps: readonly OpenApp[]) => {
    for (const { deps } of apps)
      deps.api.users.attributes.mockResolvedValue(
        userAttributes({ isAppActive: true, accountVersion: 'v2' }),
      );
  };
  const readings = (apps: readonly OpenApp[]) =>
    apps.map(({ deps }) => deps.api.users.attributes.mock.calls.length);

  it.each([
    ['names another version', 'v2'],
    ['names no version', ''],
  ])('is read once by every tab when the stream %s', async (_what, version) => {
    const { apps, stream } = await openTabs(2, { accountVersion: 'v1' });
    change(apps);
    stream.open()[0]?.begin(version);
    await settle();
    for (const app of apps) expect(app.state().session.profile).toMatchObject(isOn);
    expect(readings(apps)).toEqual([2, 2]);
  });

  it('causes no call and no event if the stream names the version that was read', async () => {
    const { apps, stream } = await openTabs(2, { accountVersion: 'v1' });
    const before = apps.map((app) => app.dispatched());
    stream.open()[0]?.begin('v1');
    await settle();
    expect(readings(apps)).toEqual([1, 1]);
    expect(apps.map((app) => app.dispatched())).toEqual(before);
  });

  it('is looked for once the account that is still being read has arrived', async () => {
    const { apps, stream } = await openTabs(1, { accountVersion: 'v1' });
    const [app] = apps;
    const attributes = app?.deps.api.users.attributes;
    const answers: ((value: ReturnType<typeof userAttributes>) => void)[] = [];
    attributes?.mockImplementation(() => new Promise((resolve) => answers.push(resolve)));
    app?.dispatch(profileRequested());
    stream.open()[0]?.begin('v2');
    await settle();
    expect(attributes).toHaveBeenCalledTimes(2);
    answers[0]?.(userAttributes({ accountVersion: 'v1' }));
    await settle();
    expect(attributes).toHaveBeenCalledTimes(3);
    answers[1]?.(userAttributes({ accountVersion: 'v2', isAppActive: true }));
    await settle();
    expect(app?.state().session.profile).toMatchObject(isOn);
    expect(attributes).toHaveBeenCalledTimes(3);
  });

  it('causes no event if no account is shown', async () => {
    const { apps, stream } = await openTabs(1, { path: '/mfa-options' });
    const before = apps[0]?.dispatched();
    stream.open()[0]?.begin();
    await settle();
    expect(apps[0]?.dispatched()).toBe(before);
  });

  it('is received from another tab by a tab that has just opened', async () => {
    const { browser, apps } = await openTabs(1);
    const deps = browser.tab({ path: '/account-settings', config: { extensions } });
    deps.api.users.attributes.mockResolvedValue(userAttributes());
    const late = openApp(deps);
    await pass(500);
    change([...apps, late]);
    await emit(browser, 'account-changed', { what: ['mfa'] });
    expect(late.state().session.profile).toMatchObject({ attributes: { isAppActive: false } });
    await pass(1000);
    expect(late.state().session.profile).toMatchObject(isOn);
  });

  it('ends the session: the refused stream makes the page check it at once', async () => {
    const { browser, apps } = await openTabs(0);
    expect(apps).toEqual([]);
    const deps = browser.tab({ path: '/account-settings', config: { extensions } });
    put(deps, tokenPair({ personas: severalPersonas, lifeSeconds: 4 * 3600 }));
    deps.api.users.attributes.mockResolvedValue(userAttributes());
    deps.api.auth.refresh.mockRejectedValue(new ApiError('server', { status: 401 }));
    const app = openApp(deps);
    await pass(1000);
    browser.eventStream.open()[0]?.end(401);
    await settle();
    expect(app.address()).toBe('/login');
  });

  it('ends the session and is announced to a tab that has just opened, which says why', async () => {
    const { browser } = await openTabs(1);
    const deps = browser.tab({ path: '/account-settings', config: { extensions } });
    deps.api.users.attributes.mockResolvedValue(userAttributes());
    const late = openApp(deps);
    await pass(500);
    await emit(browser, 'session-ended', { reason: 'locked' });
    await pass(500);
    expect(late.address()).toBe('/login');
    expect(late.state().events).toEqual({ phase: 'announced', reason: 'locked' });
  });

  it('may happen while the page is in the back/forward cache: the page reads the account again when it returns', async () => {
    const { apps } = await openTabs(2);
    const [app] = apps;
    app?.deps.pageLife.emit('left');
    change(apps);
    await pass(60_000);
    app?.deps.pageLife.emit('restored');
    await settle();
    expect(app?.state().session.profile).toMatchObject(isOn);
    expect(readings(apps)).toEqual([2, 1]);
  });
});

describe('the stream', () => {
  it('is opened with the token of the cookie by one tab; when that tab is left, another one opens it', async () => {
    const { apps, stream, tokens } = await openTabs(2);
    expect(stream.open().map(({ url, bearer }) => [url, bearer])).toEqual([
      ['http://api.payments.localhost:4000/auth/v1/events', tokens.token],
    ]);
    apps[0]?.deps.pageLife.emit('left');
    await settle();
    expect(stream.open()).toHaveLength(1);
    expect(stream.opened()).toBe(2);
  });

  it('is not opened by a tab that finds, when it is shown, that the session is gone', async () => {
    const { apps, browser, stream } = await openTabs();
    apps[0]?.deps.pageLife.emit('hidden');
    await pass(301_000);
    browser.jar.remove(session);
    apps[0]?.deps.pageLife.emit('shown');
    await settle();
    expect(stream.opened()).toBe(1);
  });

  it('is not opened in setup mode, at the login, or without the extension', async () => {
    const browser = fakeBrowser();
    openApp(browser.tab({ config: { extensions } }));
    const inSetup = browser.tab({ path: '/account-settings', config: { extensions } });
    inSetup.api.users.attributes.mockResolvedValue(userAttributes());
    putSetup(inSetup);
    openApp(inSetup);
    await pass(10_000);
    expect(browser.eventStream.opened()).toBe(0);
  });
});

/** Follows the events of a signed-in tab for this long, ms. */
function following(ms: number) {
  const browser = fakeBrowser();
  const deps = browser.tab({ path: '/account-settings', config: { extensions } });
  const tokens = tokenPair({ lifeSeconds: 4 * 3600 });
  put(deps, tokens);
  const claims = decodeClaims(tokens.token);
  if (!claims) throw new Error('No token');
  const line = deps.broadcast.open('payments-test-events');
  const saga = expectSaga(function* () {
    const heard = eventChannel<object>(line.subscribe);
    const work = yield* fork(liveEvents, deps, { uid: claims.uid, line, heard });
    // Otherwise expectSaga would wait for its end.
    yield* delay(ms);
    yield* cancel(work);
  }).withReducer(rootReducer, rootReducer(undefined, sessionRestored(claims)));
  const result = async () => {
    const running = saga.silentRun(ms + 1000);
    await pass(ms + 1000);
    const { effects } = (await running) as {
      readonly effects: { readonly put?: readonly { readonly payload: { readonly action: Action } }[] };
    };
    return (effects.put ?? []).map(({ payload }) => payload.action);
  };
  /** Another tab writes a token of this user. */
  const replaceToken = () => {
    const next = tokenPair({ lifeSeconds: 4 * 3600, iat: Date.now() / 1000 });
    put(deps, next);
    return next;
  };
  return { browser, deps, tokens, claims, saga, result, replaceToken, stream: browser.eventStream };
}
const after = (ms: number, work: () => unknown) => void setTimeout(work, ms);
const locked = { reason: 'locked' } as const;

describe('the announced end of a session', () => {
  const announce = (browser: FakeBrowser) =>
    after(1000, () => browser.eventStream.open()[0]?.emit('session-ended', locked));

  it('ends it here, too, when another host has removed its cookies already', async () => {
    const { browser, result } = following(2000);
    announce(browser);
    after(500, () => browser.jar.names().forEach(browser.jar.remove));
    expect(await result()).toEqual([sessionEndAnnounced(locked), sessionEnded({ reason: 'missing' })]);
  });

  it('has a refresh decide if the cookie holds a token of another tab', async () => {
    const { browser, result, replaceToken, deps } = following(2000);
    after(500, replaceToken);
    announce(browser);
    expect(await result()).toEqual([sessionEndAnnounced(locked), bearerRefused('sessionEnd')]);
    expect(deps.cookies.names()).toContain(session);
  });

  it.each([
    ['another reason', 'session-ended', { reason: 'of-a-later-version' }],
    ['another event', 'of-a-later-version', locked],
  ])('is none with %s', async (_what, name, data) => {
    const { stream, result } = following(2000);
    after(1000, () => stream.open()[0]?.emit(name, data));
    expect(await result()).toEqual([]);
  });
});

describe('the stream of a tab', () => {
  it('is closed when the tab has been hidden for five minutes, and opened when it is shown', async () => {
    const { deps, stream, result } = following(700_000);
    const open: number[] = [];
    after(0, () => deps.pageLife.emit('hidden'));
    for (const ms of [299_000, 302_000, 600_001]) after(ms, () => open.push(stream.open().length));
    after(600_000, () => deps.pageLife.emit('shown'));
    expect(await result()).toEqual([]);
    expect(open).toEqual([1, 0, 1]);
  });

  it('that breaks is opened again, after a longer wait each time', async () => {
    const { stream, result } = following(10_000);
    const opened: number[] = [];
    after(0, () => stream.open()[0]?.end(0));
    after(999, () => opened.push(stream.opened()));
    after(1001, () => opened.push(stream.opened()));
    after(2000, () => stream.open()[0]?.end(0));
    after(3999, () => opened.push(stream.opened()));
    after(4001, () => opened.push(stream.opened()));
    await result();
    expect(opened).toEqual([1, 2, 2, 3]);
  });

  it('that ends is opened with the token of the cookie', async () => {
    const { stream, result, replaceToken } = following(62_000);
    let bearers: readonly string[] = [];
    let renewed = '';
    after(1000, () => (renewed = replaceToken().token));
    after(60_000, () => stream.open()[0]?.end(200));
    after(61_500, () => (bearers = stream.open().map(({ bearer }) => bearer)));
    await result();
    expect(stream.opened()).toBe(2);
    expect(bearers).toEqual([renewed]);
  });

  it('that is refused with 401 causes one refresh, and is not asked for again with this token', async () => {
    const { stream, result } = following(600_000);
    after(1000, () => stream.open()[0]?.end(401));
    expect(await result()).toEqual([bearerRefused('sessionEnd')]);
    expect(stream.opened()).toBe(1);
  });

  it('that is refused with each token has only the first young one refreshed', async () => {
    const { stream, saga, result, replaceToken } = following(600_000);
    after(1000, () => stream.open()[0]?.end(401));
    after(2000, () => {
      const adopted = decodeClaims(replaceToken().token);
      if (adopted) saga.dispatch(sessionAdopted(adopted));
    });
    after(3000, () => stream.open()[0]?.end(401));
    expect(await result()).toEqual([bearerRefused('sessionEnd'), bearerRefused(undefined)]);
    expect(stream.opened()).toBe(2);
  });
});

it('a page with no extensions makes none of their calls, and has none of their cookies and channels', async () => {
  const browser = fakeBrowser();
  const deps = browser.tab({ path: '/account-settings' });
  put(deps, tokenPair({ personas: severalPersonas, lifeSeconds: 4 * 3600 }));
  deps.api.users.attributes.mockResolvedValue(userAttributes());
  const app = openApp(deps);
  await settle();
  await renderApp(app);
  await act(() => pass(60_000));
  for (const { call } of featureCalls(deps.api)) expect(call).not.toHaveBeenCalled();
  expect(browser.eventStream.opened()).toBe(0);
  expect(browser.broadcast.openChannels()).toEqual([]);
  expect(deps.cookies.names()).toEqual([session, `${session}-refresh`]);
  expect(screen.getAllByRole('region').map(({ textContent }) => textContent.slice(0, 8))).toHaveLength(2);
});
