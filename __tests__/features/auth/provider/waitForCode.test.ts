/** @jest-environment node */
import { providerRequested } from '@features/auth/provider/providerAttempt.slice';
import { passwordSubmitted } from '@features/auth/sign-in/signIn.slice';
import type { LoginMethod } from '@shared/api/decoders';
import type { Provider } from '@shared/ports/ports';
import { hosts, methods } from '../../../support/builders';
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

describe.each<Provider>(['google', 'microsoft'])('the flow of %s ends', (provider) => {
  it.each([
    ['access_denied', unable[provider], []],
    ['login_required', unable[provider], []],
    ['no_code', 'No authorization code received', ['Error: No authorization code received']],
    ['other_issuer', unable[provider], [`Error: The response is not of the issuer of ${provider}`]],
  ])('when %s was returned', async (error, words, logged) => {
    const app = await openWithProviders();
    const window = await app.choose(provider);
    window.say({ type: 'oauth/error', error });
    await settle();
    expect(window.heard).toEqual([{ type: 'oauth/received', state: 'state-1' }]);
    await expectOver(app, words);
    expect(app.deps.log.errors.map((one) => String(one.error))).toEqual(logged);
  });

  it('after 10 minutes without an answer, and not a second earlier', async () => {
    const app = await openWithProviders();
    await app.choose(provider);
    await pass(10 * minutes - 1000);
    expect(app.dialogs).toEqual([]);
    expect(app.signIn()).toMatchObject({ provider: { method: provider, status: 'waiting' } });
    await pass(1000);
    await expectOver(app, unable[provider]);
  });

  it('when the browser stores no cookie for the state; the window is not navigated', async () => {
    const app = await openWithProviders();
    app.browser.oauthStates.refuse();
    await app.choose(provider);
    expect(app.window().visited).toEqual([]);
    await expectOver(app, unable[provider]);
  });

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

  it('after 10 minutes even if other messages arrive on its channel all the time', async () => {
    const app = await openWithProviders();
    await app.choose(provider);
    for (let minute = 1; minute <= 10; minute += 1) {
      app.sayOnChannel('state-1', { type: 'oauth/code' });
      await pass(minutes);
    }
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

it('a flow ends at once after the computer slept through the 10 minutes', async () => {
  const app = await openWithProviders();
  await app.choose('google');
  await pass(5000);
  app.deps.clock.advance(8 * 60 * minutes);
  await pass(1000);
  expect(app.dialogs).toEqual([unable.google]);
  expect(app.traces()).toEqual(noTraces);
});

/** The provider's window has the focus; then it appears closed. */
const seemsClosed = async (provider: Provider) => {
  const app = await openWithProviders();
  const window = await app.choose(provider);
  app.deps.pageLife.focus(false);
  await pass(3000);
  window.seemClosed();
  await pass(500);
  return app;
};

describe('the window appears closed', () => {
  const provider = 'google';

  it('and the page has no focus: the hint says to finish in the other window, and nothing else happens', async () => {
    const app = await seemsClosed(provider);
    const maybeClosed = { phase: 'choosing', provider: { method: provider, status: 'maybeClosed' } };
    expect(app.signIn()).toMatchObject(maybeClosed);
    await pass(9 * minutes);
    expect(app.dialogs).toEqual([]);
    expect(app.signIn()).toMatchObject(maybeClosed);
    expect(app.traces()).toEqual({ channels: ['state-1'], states: ['state-1'], listeners: 1 });
  });

  it('and the page has had the focus for a second: the dialog opens, once', async () => {
    const app = await seemsClosed(provider);
    app.deps.pageLife.focus(true);
    await pass(900);
    expect(app.dialogs).toEqual([]);
    await pass(600);
    expect(app.dialogs).toEqual([unable[provider]]);
    expect(app.dialog()).toMatchObject({ title: 'Login Error', message: unable[provider] });
    app.answerDialog(true);
    // Not again, and not at the end of the 10 minutes either.
    await pass(11 * minutes);
    expect(app.dialogs).toEqual([unable[provider]]);
    expect(app.dialog()).toBeUndefined();
    expect(app.signIn()).toMatchObject({ phase: 'choosing', provider: null });
    expect(app.traces()).toEqual(noTraces);
  });

  it('and the page has the focus for less than a second each time: no dialog', async () => {
    const app = await seemsClosed(provider);
    for (let times = 0; times < 10; times += 1) {
      app.deps.pageLife.focus(true);
      await pass(500);
      app.deps.pageLife.focus(false);
      await pass(1000);
    }
    expect(app.dialogs).toEqual([]);
  });

  it.each([
    ['open', false],
    ['closed already', true],
  ])('a late code is accepted, with the dialog %s, and no dialog is left', async (_name, read) => {
    const app = await seemsClosed(provider);
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
  });

  it('a late error of the provider is shown, and ends the flow', async () => {
    const app = await seemsClosed(provider);
    app.deps.pageLife.focus(true);
    await pass(2000);
    app.answerDialog(true);
    app.sayOnChannel('state-1', { type: 'oauth/error', error: 'access_denied' });
    await settle();
    expect(app.dialogs).toEqual([unable[provider], unable[provider]]);
    expect(app.traces()).toEqual(noTraces);
  });
});

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
