/** @jest-environment node */
import type { Provider } from '@shared/platform/platform';
import { hosts } from '../../../support/builders';
import { pass, settle } from '../../../support/openApp';
import { noTraces, openWithProviders } from './openWithProviders';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));
afterEach(() => jest.useRealTimers());

const unable = {
  google: 'Unable to log in with Google',
  microsoft: 'Unable to log in with Microsoft',
} as const;
const minute = 60_000;

/** The provider's window is in front; then it reads as closed. */
const seemsClosed = async (provider: Provider) => {
  const app = await openWithProviders();
  const window = await app.choose(provider);
  app.deps.pageLife.focus(false);
  await pass(3000);
  window.seemClosed();
  await pass(500);
  return app;
};

describe.each<Provider>(['google', 'microsoft'])('the window of %s reads as closed', (provider) => {
  it('while the person is elsewhere: the line says to finish there, and nothing more happens', async () => {
    const app = await seemsClosed(provider);
    const maybeClosed = { phase: 'choosing', provider: { method: provider, status: 'maybeClosed' } };
    expect(app.signIn()).toMatchObject(maybeClosed);
    await pass(9 * minute);
    expect(app.dialogs).toEqual([]);
    expect(app.signIn()).toMatchObject(maybeClosed);
    expect(app.traces()).toEqual({ channels: ['state-1'], states: ['state-1'], listeners: 1 });
  });

  it('and the person is back for a second: the dialog opens, once', async () => {
    const app = await seemsClosed(provider);
    app.deps.pageLife.focus(true);
    await pass(900);
    expect(app.dialogs).toEqual([]);
    await pass(600);
    expect(app.dialogs).toEqual([unable[provider]]);
    expect(app.dialog()).toMatchObject({ title: 'Login Error', message: unable[provider] });
    app.answerDialog(true);
    // Not again, and not at the end of the 10 minutes either.
    await pass(11 * minute);
    expect(app.dialogs).toEqual([unable[provider]]);
    expect(app.dialog()).toBeUndefined();
    expect(app.signIn()).toMatchObject({ phase: 'choosing', provider: null });
    expect(app.traces()).toEqual(noTraces);
  });

  it('and the person is back for less than a second each time: no dialog', async () => {
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
    ['read already', true],
  ])('a late code is taken, with the dialog %s, and no dialog is left', async (_name, read) => {
    const app = await seemsClosed(provider);
    app.deps.pageLife.focus(true);
    await pass(2000);
    if (read) app.answerDialog(true);
    await pass(5 * minute);
    app.deps.api.auth.token.mockReturnValue(new Promise(() => undefined));
    app.sayOnChannel('state-1', { type: 'oauth/code', code: 'late' });
    await settle();
    expect(app.dialog()).toBeUndefined();
    expect(app.signIn()).toMatchObject({ phase: 'submitting', method: provider });
    expect(app.deps.api.auth.token).toHaveBeenCalledTimes(1);
    expect(app.traces()).toEqual(noTraces);
  });

  it('a late refusal of the provider is told, and ends the flow', async () => {
    const app = await seemsClosed(provider);
    app.deps.pageLife.focus(true);
    await pass(2000);
    app.answerDialog(true);
    app.sayOnChannel('state-1', { type: 'oauth/error', error: 'access_denied' });
    await settle();
    expect(app.dialogs).toEqual([unable[provider], unable[provider]]);
    expect(app.traces()).toEqual(noTraces);
  });

  it('a new attempt is open at once, and closes the dialog', async () => {
    const app = await seemsClosed(provider);
    app.deps.pageLife.focus(true);
    await pass(2000);
    await app.choose(provider);
    expect(app.deps.popup.windows).toHaveLength(2);
    expect(app.dialog()).toBeUndefined();
    expect(app.traces()).toEqual({ channels: ['state-2'], states: ['state-2'], listeners: 1 });
  });
});

describe('a provider’s page that severs the window from its opener', () => {
  it('makes it read as closed at once; the code comes over the channel all the same, once', async () => {
    const app = await openWithProviders();
    const window = await app.choose('google');
    app.deps.pageLife.focus(false);
    window.seemClosed();
    await pass(2 * minute);
    expect(app.dialogs).toEqual([]);
    app.sayOnChannel('state-1', { type: 'oauth/code', code: 'code-1' });
    app.sayOnChannel('state-1', { type: 'oauth/code', code: 'code-1' });
    app.deps.pageLife.focus(true);
    await pass(5000);
    expect(app.deps.api.auth.token).toHaveBeenCalledTimes(1);
    expect(app.deps.navigation.leaves).toEqual([hosts.ledger]);
    expect(app.dialogs).toEqual([]);
  });
});
