/** @jest-environment node */
import { passwordSubmitted, providerChosen } from '@features/auth/sign-in/signIn.slice';
import { hosts } from '../../../support/builders';
import { pass, settle } from '../../../support/openApp';
import { noTraces, openWithProviders } from './openWithProviders';
import { waysOut } from './waysOut';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));
afterEach(() => jest.useRealTimers());

const code = { type: 'oauth/code', code: 'late' };

describe.each(waysOut)('a pending flow is given up by %s', (_name, giveUp, screen) => {
  it('the stored state is gone, the channel closed, the window too; a late code is ignored', async () => {
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

  it('a window that outlives the close is sent to where it closes itself, until it has', async () => {
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

  it('a window that never closes is let go after half a minute', async () => {
    const app = await openWithProviders();
    const window = await app.choose('google');
    giveUp(app);
    window.outliveClose();
    await pass(31_000);
    expect(window.visited).toHaveLength(6);
    await pass(600_000);
    expect(window.visited).toHaveLength(6);
  });

  it('also while the window is still blank: it is closed and goes nowhere', async () => {
    const app = await openWithProviders();
    app.dispatch(providerChosen('microsoft'));
    giveUp(app);
    await pass(1000);
    expect(app.window().visited).toEqual([]);
    expect(app.window().closedByPage()).toBe(true);
    expect(app.traces()).toEqual(noTraces);
  });
});

describe('Open again', () => {
  it('is a new flow in a new window; the old one is gone, and only the new code counts', async () => {
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

  it('may be the other provider', async () => {
    const app = await openWithProviders();
    const google = await app.choose('google');
    const microsoft = await app.choose('microsoft');
    expect(google.closedByPage()).toBe(true);
    expect(app.browser.oauthStates.stored).toEqual(new Map([['state-2', 'microsoft']]));
    expect(app.signIn()).toMatchObject({ provider: { method: 'microsoft', status: 'waiting' } });
    microsoft.say({ type: 'oauth/code', code: 'code-2' });
    await settle();
    expect(app.deps.api.auth.token.mock.calls[0]?.[0]).toMatchObject({ codeVerifier: 'verifier-2' });
  });

  it('has the full 10 minutes again', async () => {
    const app = await openWithProviders();
    await app.choose('google');
    await pass(590_000);
    await app.choose('google');
    await pass(590_000);
    expect(app.dialogs).toEqual([]);
    expect(app.traces().channels).toEqual(['state-2']);
  });
});

describe('a password that is submitted meanwhile', () => {
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

  it('lets no window open while its answer is awaited', async () => {
    const app = await openWithProviders();
    app.deps.api.auth.token.mockReturnValue(new Promise(() => undefined));
    app.dispatch(passwordSubmitted('Corr3ct-horse'));
    app.dispatch(providerChosen('google'));
    await settle();
    expect(app.deps.popup.windows).toEqual([]);
    expect(app.signIn()).toMatchObject({ phase: 'submitting', method: 'basic' });
  });
});
