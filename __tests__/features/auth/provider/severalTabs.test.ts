/** @jest-environment node */
import { providerAbandoned, providerRequested } from '@features/auth/provider/providerAttempt.slice';
import { usernameChangeRequested } from '@features/auth/sign-in/signIn.slice';
import type { Provider } from '@shared/ports/ports';
import { answers, hosts, methods, tokenPair } from '../../../support/builders';
import { fakeBrowser, type FakeBrowser } from '../../../support/fakeDeps';
import { createFakeBroadcast, createFakePopup, type FakePopupWindow } from '../../../support/fakePopups';
import { openApp, pass, settle, type OpenApp } from '../../../support/openApp';
import { openWithProviders, type ProviderApp } from './openWithProviders';
import { sessionCookie } from '../../../support/sessionCookies';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));

/** A tab whose flow has its own secrets, named after the user. */
const openTab = async (browser: FakeBrowser, person: string, provider: Provider): Promise<ProviderApp> => {
  const app = await openWithProviders({
    browser,
    offered: [methods[provider]],
    username: `${person}@example.com`,
    overrides: {
      makeOauthSecrets: () =>
        Promise.resolve({
          state: `state-${person}`,
          nonce: `nonce-${person}`,
          verifier: `verifier-${person}`,
          challenge: `challenge-${person}`,
        }),
    },
  });
  app.deps.api.auth.token.mockResolvedValue(answers.session({ uid: person }));
  return app;
};

/** Which of the two channels the browser lets through. */
type Lines = 'both lines' | 'the channel alone' | 'the window alone';

/** The provider navigates a window back to us: our own page runs in it. */
const comeBack = (browser: FakeBrowser, window: FakePopupWindow, code: string, lines: Lines): OpenApp => {
  const state = new URL(window.visited[0] ?? '').searchParams.get('state') ?? '';
  const deps = browser.tab({
    path: `/oauth-redirect?code=${code}&state=${state}`,
    overrides: {
      popup: createFakePopup(lines === 'the channel alone' ? null : window.inside),
      // A frame's channels are in another partition, where no other page listens.
      ...(lines === 'the window alone' ? { broadcast: createFakeBroadcast() } : {}),
    },
  });
  return openApp(deps);
};

describe.each<Lines>(['both lines', 'the channel alone', 'the window alone'])('over %s', (lines) => {
  it('two tabs sign in two users through two windows at once, each with its own code', async () => {
    const browser = fakeBrowser();
    // 1. Both windows are open.
    const ada = await openTab(browser, 'ada', 'google');
    const bob = await openTab(browser, 'bob', 'microsoft');
    expect([...browser.oauthStates.stored]).toEqual([
      ['state-ada', 'google'],
      ['state-bob', 'microsoft'],
    ]);
    // 2. They return in the other order.
    const bobsWindow = comeBack(browser, bob.window(), 'code-bob', lines);
    await settle();
    expect(bob.deps.api.auth.token).toHaveBeenCalledTimes(1);
    expect(ada.deps.api.auth.token).not.toHaveBeenCalled();
    const adasWindow = comeBack(browser, ada.window(), 'code-ada', lines);
    await pass(15_000);
    // 3. Each code was exchanged once, by its own tab.
    expect(ada.deps.api.auth.token.mock.calls).toEqual([
      [{ username: 'ada@example.com', method: 'google', code: 'code-ada' }],
    ]);
    expect(bob.deps.api.auth.token.mock.calls).toEqual([
      [
        {
          username: 'bob@example.com',
          method: 'microsoft',
          code: 'code-bob',
          codeVerifier: 'verifier-bob',
        },
      ],
    ]);
    // 4. The windows closed themselves, and nothing is left.
    for (const { deps } of [adasWindow, bobsWindow]) expect(deps.popup.closedSelf()).toBe(true);
    expect([...browser.oauthStates.stored]).toEqual([]);
    expect(browser.broadcast.openChannels()).toEqual([]);
    expect([ada.dialogs, bob.dialogs]).toEqual([[], []]);
  });
});

it('a window that returns with the state of another tab’s flow delivers its code to that flow only', async () => {
  const browser = fakeBrowser();
  const ada = await openTab(browser, 'ada', 'google');
  const bob = await openTab(browser, 'bob', 'microsoft');
  const deps = browser.tab({
    path: '/oauth-redirect?code=code-bob&state=state-bob',
    overrides: { popup: createFakePopup(ada.window().inside) },
  });
  openApp(deps);
  await pass(1000);
  expect(ada.deps.api.auth.token).not.toHaveBeenCalled();
  expect(ada.signIn()).toMatchObject({ phase: 'choosing', provider: { status: 'waiting' } });
  expect(bob.deps.api.auth.token).toHaveBeenCalledTimes(1);
});

type Step = (app: ProviderApp) => unknown;

const open: Step = (app) => app.choose('google');
const blocked: Step = (app) => {
  app.deps.popup.block();
  app.dispatch(providerRequested('google'));
};
const closed: Step = async (app) => {
  await open(app);
  app.deps.pageLife.focus(true);
  app.window().seemClosed();
  await pass(3000);
  expect(app.dialog()).toMatchObject({ message: 'Unable to log in with Google' });
};
const ok: Step = (app) => app.answerDialog(true);
const cancel: Step = (app) => app.dispatch(providerAbandoned());
const back: Step = (app) => app.dispatch(usernameChangeRequested());
const signInElsewhere: Step = async ({ deps }) => {
  deps.cookies.write('payments-test-session', sessionCookie(tokenPair()));
  await pass(5000);
};

it.each<readonly [string, boolean, readonly Step[]]>([
  ['follows after its window was blocked', true, [blocked, signInElsewhere]],
  ['follows after its window was closed', true, [closed, ok, signInElsewhere]],
  ['does not follow while its window is open', false, [open, signInElsewhere]],
  ['follows at Ok, when its window was closed afterwards', true, [open, signInElsewhere, closed, ok]],
  ['follows at Cancel', true, [open, signInElsewhere, cancel]],
  ['follows when its next window is blocked', true, [open, signInElsewhere, blocked]],
  ['follows on the way back to the username', true, [open, signInElsewhere, back]],
])('when another tab signs in, /login %s', async (_title, follows, steps) => {
  const app = await openWithProviders();
  for (const step of steps) await step(app);
  expect(app.deps.navigation.leaves).toEqual(follows ? [hosts.ledger] : []);
});

it('after a reload of the page the window gets no response, shows that, and no code is exchanged', async () => {
  const browser = fakeBrowser();
  const before = await openTab(browser, 'ada', 'google');
  const address = before.window().visited[0] ?? '';
  // The reload: the page's sagas end abruptly, the cookies stay.
  const after = fakeBrowser();
  after.oauthStates.store(new URL(address).searchParams.get('state') ?? '', 'google');
  const page = await openTab(after, 'eve', 'google');
  const window = comeBack(after, before.window(), 'code-ada', 'the channel alone');
  await pass(11_000);
  expect(window.state().auth.oauthReturn).toEqual({ phase: 'over' });
  expect(page.deps.api.auth.token).not.toHaveBeenCalled();
});

it('a state that this page did not create, such as a cookie planted by a sibling host, delivers no code to it', async () => {
  const browser = fakeBrowser();
  const ada = await openTab(browser, 'ada', 'google');
  browser.oauthStates.store('state-planted', 'google');
  const deps = browser.tab({
    path: '/oauth-redirect?code=code-eve&state=state-planted',
    overrides: { popup: createFakePopup(ada.window().inside) },
  });
  openApp(deps);
  await pass(1000);
  expect(ada.deps.api.auth.token).not.toHaveBeenCalled();
});
