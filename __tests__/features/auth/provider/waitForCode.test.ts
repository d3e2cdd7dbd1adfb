/** @jest-environment node */
import { inEnglish } from '../../../support/openApp';
import {
  providerAttemptFailed,
  providerAttemptReducer,
  providerRequested,
  providerWindowOpened,
  type ProviderAttemptState,
} from '@features/auth/provider/providerAttempt.slice';
import { waitForCode } from '@features/auth/provider/waitForCode.saga';
import { passwordSubmitted } from '@features/auth/sign-in/signIn.slice';
import type { LoginMethod } from '@shared/api/decoders';
import type { Action } from '@reduxjs/toolkit';
import type { AllowedUrl, Provider } from '@shared/ports/ports';
import { expectSaga } from 'redux-saga-test-plan';
import { hosts, methods } from '../../../support/builders';
import { fakeBrowser } from '../../../support/fakeDeps';
import { createFakePopup } from '../../../support/fakePopups';
import { pass, settle } from '../../../support/openApp';
import { noTraces, openWithProviders, type ProviderApp, waysOut } from './openWithProviders';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));

const unable = {
  google: 'Unable to log in with Google',
  microsoft: 'Unable to log in with Microsoft',
} as const;
const misconfigured =
  'Microsoft Active Directory not properly configured, please contact provider-support@payments.example';
const minutes = 60_000;

/** The flow has ended: one error, the form usable, the window closed, nothing left, and a late code is ignored. */
const expectOver = async (app: ProviderApp, words: string) => {
  expect(app.dialogs).toEqual([words]);
  expect(app.dialog()).toMatchObject({ title: 'Login Error', message: words });
  // The failure of a provider does not count as a refused password: a half-typed one stays.
  expect(app.signIn()).toMatchObject({ phase: 'choosing', provider: null, failures: 0 });
  expect(app.window().closedByPage()).toBe(true);
  expect(app.traces()).toEqual(noTraces);
  app.window().say({ type: 'oauth/code', code: 'late' });
  app.sayOnChannel('state-1', { type: 'oauth/code', code: 'late' });
  await pass(11 * minutes);
  expect(app.deps.api.auth.token).not.toHaveBeenCalled();
  expect(app.dialogs).toEqual([words]);
};

const authorization = 'https://accounts.example/authorize?state=state-1';

/** Waits for the code of a provider's window, for at most this long, ms. */
function waiting(ms: number, provider: Provider = 'google') {
  const browser = fakeBrowser();
  const deps = browser.tab();
  const window = createFakePopup().openBlank();
  if (!window) throw new Error('The fake lets every window open');
  const flow = { provider, state: 'state-1', url: authorization as AllowedUrl };
  const opened = providerAttemptReducer(null, providerWindowOpened(provider));
  const saga = expectSaga(waitForCode, deps, window, flow).withReducer(providerAttemptReducer, opened);
  const failures: string[] = [];
  const result = async () => {
    const running = saga.silentRun(ms);
    await pass(ms);
    const { returnValue, effects, storeState } = (await running) as {
      readonly returnValue?: string | null;
      readonly effects: { readonly put?: readonly { readonly payload: { readonly action: Action } }[] };
      readonly storeState: ProviderAttemptState;
    };
    for (const { payload } of effects.put ?? [])
      if (providerAttemptFailed.match(payload.action))
        failures.push(inEnglish(payload.action.payload.message));
    return { code: returnValue, failures, status: storeState?.status };
  };
  const traces = () => ({
    channels: browser.broadcast.openChannels(),
    states: [...browser.oauthStates.stored.keys()],
    listeners: window.listenerCount(),
  });
  return { browser, deps, window, result, traces };
}
const after = (ms: number, work: () => unknown) => void setTimeout(work, ms);

describe.each<Provider>(['google', 'microsoft'])('the handshake with the window of %s', (provider) => {
  it('ends with the code, which is answered; nothing is left', async () => {
    const { window, result, traces } = waiting(6000, provider);
    after(5000, () => window.say({ type: 'oauth/code', code: 'code-1' }));
    expect(await result()).toEqual({ code: 'code-1', failures: [], status: 'waiting' });
    expect(window.visited).toEqual([authorization]);
    expect(window.heard).toEqual([{ type: 'oauth/received', state: 'state-1' }]);
    expect(traces()).toEqual(noTraces);
  });

  it.each([
    ['access_denied', unable[provider], []],
    ['login_required', unable[provider], []],
    ['no_code', 'No authorization code received', ['Error: No authorization code received']],
    ['other_issuer', unable[provider], [`Error: The response is not of the issuer of ${provider}`]],
  ])('ends when %s was returned', async (error, words, logged) => {
    const { deps, window, result, traces } = waiting(6000, provider);
    after(5000, () => window.say({ type: 'oauth/error', error }));
    expect(await result()).toEqual({ code: null, failures: [words], status: 'closed' });
    expect(window.heard).toEqual([{ type: 'oauth/received', state: 'state-1' }]);
    expect(traces()).toEqual(noTraces);
    expect(deps.log.errors.map((one) => String(one.error))).toEqual(logged);
  });

  it('lasts almost 10 minutes without an answer', async () => {
    const { result } = waiting(10 * minutes - 1000, provider);
    expect(await result()).toMatchObject({ failures: [], status: 'waiting' });
  });

  it('ends after 10 minutes, even if other messages arrive on its channel all the time', async () => {
    const { browser, result, traces } = waiting(10 * minutes + 1000, provider);
    for (let minute = 1; minute < 10; minute += 1)
      after(minute * minutes, () => browser.broadcast.open('state-1').post({ type: 'oauth/code' }));
    expect(await result()).toMatchObject({ code: null, failures: [unable[provider]] });
    expect(traces()).toMatchObject({ states: [], listeners: 0 });
  });

  it('does not begin when the browser stores no cookie for the state', async () => {
    const { browser, window, result, traces } = waiting(1000, provider);
    browser.oauthStates.refuse();
    expect(await result()).toMatchObject({ code: null, failures: [unable[provider]] });
    expect(window.visited).toEqual([]);
    expect(traces()).toEqual(noTraces);
  });
});

it('the handshake ends at once after the computer slept through the 10 minutes', async () => {
  const { deps, result, traces } = waiting(6000);
  after(5000, () => deps.clock.advance(8 * 60 * minutes));
  expect(await result()).toMatchObject({ code: null, failures: [unable.google] });
  expect(traces()).toEqual(noTraces);
});

/** The provider's window has the focus; after 3 s it appears closed. */
const closing = (ms: number) => {
  const outside = waiting(ms);
  outside.deps.pageLife.focus(false);
  after(3000, () => outside.window.seemClosed());
  return outside;
};

describe('a window that appears closed', () => {
  it('while the page has no focus causes a hint to finish in it, and nothing else', async () => {
    const { result } = closing(9 * minutes);
    expect(await result()).toMatchObject({ failures: [], status: 'maybeClosed' });
  });

  it.each([
    [5400, []],
    [6000, [unable.google]],
    // Not again at the end of the 10 minutes.
    [11 * minutes, [unable.google]],
  ])(
    'while the page has had the focus since 4.5 s counts as a failure once, within %d ms: %j',
    async (ms, failures) => {
      const { deps, result } = closing(ms);
      after(4500, () => deps.pageLife.focus(true));
      expect((await result()).failures).toEqual(failures);
    },
  );

  it('while the page has the focus for less than a second each time does not', async () => {
    const { deps, result } = closing(20_000);
    for (let times = 0; times < 10; times += 1) {
      after(4000 + times * 1500, () => deps.pageLife.focus(true));
      after(4500 + times * 1500, () => deps.pageLife.focus(false));
    }
    expect((await result()).failures).toEqual([]);
  });

  it('may bring an error later, which is shown too and ends the flow', async () => {
    const { deps, window, result, traces } = closing(2 * minutes);
    after(4000, () => deps.pageLife.focus(true));
    after(minutes, () => window.say({ type: 'oauth/error', error: 'access_denied' }));
    expect(await result()).toMatchObject({ code: null, failures: [unable.google, unable.google] });
    expect(traces()).toEqual(noTraces);
  });
});

describe.each<Provider>(['google', 'microsoft'])('the flow of %s ends before a request', (provider) => {
  it.each([
    ['the browser has no WebCrypto', () => Promise.resolve(null), 'Error: No WebCrypto'],
    ['the chunk for its secrets is lost', () => Promise.reject(new Error('Lost')), 'Error: Lost'],
  ])('when %s; the window is not navigated', async (_why, makeOauthSecrets, error) => {
    const app = await openWithProviders({ overrides: { makeOauthSecrets } });
    await app.choose(provider);
    expect(app.window().visited).toEqual([]);
    expect(app.deps.log.errors.map((logged) => String(logged.error))).toEqual([error]);
    await expectOver(app, unable[provider]);
  });
});

describe('the flow of microsoft ends before a request', () => {
  const { tenantId, clientId } = methods.microsoft.configuration;

  it.each<readonly [string, LoginMethod]>([
    ['no configuration', { method: 'microsoft' }],
    ['a tenant that is a path', { method: 'microsoft', configuration: { tenantId: '../..', clientId } }],
    ['a client with a query', { method: 'microsoft', configuration: { tenantId, clientId: 'x?y' } }],
    ['empty values', { method: 'microsoft', configuration: { tenantId: '', clientId: '' } }],
  ])('when its configuration is invalid: %s', async (_name, offer) => {
    const app = await openWithProviders({ offered: [methods.basic, offer] });
    await app.choose('microsoft');
    expect(app.window().visited).toEqual([]);
    expect(app.deps.log.errors.map(({ error }) => String(error))).toEqual([
      'Error: Microsoft configuration incomplete',
    ]);
    await expectOver(app, misconfigured);
  });
});

it.each([
  ['open', false],
  ['closed already', true],
])(
  'a code that is late, because the window appeared closed, is accepted, with the dialog %s; no dialog is left',
  async (_name, read) => {
    const provider = 'google';
    const app = await openWithProviders();
    const window = await app.choose(provider);
    window.seemClosed();
    app.deps.pageLife.focus(true);
    await pass(2000);
    if (read) app.answerDialog(true);
    await pass(5 * minutes);
    app.deps.api.auth.token.mockReturnValue(new Promise(() => undefined));
    app.sayOnChannel('state-1', { type: 'oauth/code', code: 'late' });
    await settle();
    expect(app.dialog()).toBeUndefined();
    expect(app.signIn()).toMatchObject({ phase: 'submitting', method: provider });
    expect(app.deps.api.auth.token).toHaveBeenCalledTimes(1);
    expect(app.traces()).toEqual(noTraces);
  },
);

const code = { type: 'oauth/code', code: 'late' };

describe.each(waysOut)('a pending flow is cancelled by %s', (_name, giveUp, screen) => {
  it('stored state, channel and window are removed or closed; a late code is ignored', async () => {
    const app = await openWithProviders();
    const window = await app.choose('google');
    expect(app.traces()).toEqual({ channels: ['state-1'], states: ['state-1'], listeners: 1 });
    giveUp(app);
    expect(app.traces()).toEqual(noTraces);
    expect(window.closedByPage()).toBe(true);
    window.say(code);
    app.sayOnChannel('state-1', code);
    await pass(660_000);
    expect(app.deps.api.auth.token).not.toHaveBeenCalled();
    expect(app.signIn()).toMatchObject(screen);
    expect(app.dialogs).toEqual([]);
    expect(app.deps.cookies.contents()).toEqual({});
  });

  it('a window that stays open is navigated to the page that closes itself, until it is closed', async () => {
    const app = await openWithProviders();
    const window = await app.choose('google');
    giveUp(app);
    window.outliveClose();
    const sent = () => window.visited.slice(1);
    const returnPoint = `${app.deps.config.signOnUrl}/oauth-redirect`;
    await pass(999);
    expect(sent()).toEqual([]);
    await pass(1);
    expect(sent()).toEqual([returnPoint]);
    await pass(2000);
    expect(sent()).toEqual([returnPoint, returnPoint]);
    window.seemClosed();
    await pass(60_000);
    expect(sent()).toHaveLength(2);
    expect(app.traces()).toEqual(noTraces);
  });

  it('a window that never closes is abandoned after half a minute', async () => {
    const app = await openWithProviders();
    const window = await app.choose('google');
    giveUp(app);
    window.outliveClose();
    await pass(31_000);
    expect(window.visited).toHaveLength(6);
    await pass(600_000);
    expect(window.visited).toHaveLength(6);
  });

  it('a window that is still blank is closed and not navigated', async () => {
    const app = await openWithProviders();
    app.dispatch(providerRequested('microsoft'));
    giveUp(app);
    await pass(1000);
    expect(app.window().visited).toEqual([]);
    expect(app.window().closedByPage()).toBe(true);
    expect(app.traces()).toEqual(noTraces);
  });
});

describe('Open again', () => {
  it('starts a new flow in a new window; the old one is closed, and only the new code is accepted', async () => {
    const app = await openWithProviders();
    const first = await app.choose('google');
    const second = await app.choose('google');
    expect(first.closedByPage()).toBe(true);
    expect(second.isClosed()).toBe(false);
    expect(app.traces()).toEqual({ channels: ['state-2'], states: ['state-2'], listeners: 1 });
    first.say(code);
    app.sayOnChannel('state-1', code);
    await settle();
    expect(app.deps.api.auth.token).not.toHaveBeenCalled();
    second.say({ type: 'oauth/code', code: 'code-2' });
    await settle();
    expect(app.deps.api.auth.token.mock.calls).toEqual([
      [{ username: 'ada@example.com', method: 'google', code: 'code-2' }],
    ]);
  });
});

describe('a password submitted during a flow', () => {
  it('ends the flow and signs in; a late code is ignored', async () => {
    const app = await openWithProviders();
    const window = await app.choose('google');
    app.dispatch(passwordSubmitted('Corr3ct-horse'));
    expect(app.traces()).toEqual(noTraces);
    expect(window.closedByPage()).toBe(true);
    window.say(code);
    await settle();
    expect(app.deps.api.auth.token.mock.calls).toEqual([
      [{ username: 'ada@example.com', method: 'basic', password: 'Corr3ct-horse' }],
    ]);
    expect(app.deps.navigation.leaves).toEqual([hosts.ledger]);
  });

  it('no window can be opened while its answer is pending', async () => {
    const app = await openWithProviders();
    app.deps.api.auth.token.mockReturnValue(new Promise(() => undefined));
    app.dispatch(passwordSubmitted('Corr3ct-horse'));
    await app.send(providerRequested('google'));
    expect(app.deps.popup.windows).toEqual([]);
    expect(app.signIn()).toMatchObject({ phase: 'submitting', method: 'basic' });
  });
});
