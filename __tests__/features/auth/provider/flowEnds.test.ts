/** @jest-environment node */
import type { LoginMethod } from '@shared/api/api';
import type { Provider } from '@shared/platform/platform';
import { hosts, methods } from '../../../support/builders';
import { pass, settle } from '../../../support/openApp';
import { noTraces, openWithProviders, type ProviderApp } from './openWithProviders';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));
afterEach(() => jest.useRealTimers());

const unable = {
  google: 'Unable to log in with Google',
  microsoft: 'Unable to log in with Microsoft',
} as const;
const misconfigured =
  'Microsoft Active Directory not properly configured, please contact provider-support@payments.example';
const minutes = 60_000;

/** The flow is over: told once, the form free, the window closed, nothing left, and a late code is nobody's. */
const expectOver = async (app: ProviderApp, words: string) => {
  expect(app.dialogs).toEqual([words]);
  expect(app.dialog()).toMatchObject({ title: 'Login Error', message: words });
  expect(app.signIn()).toMatchObject({ phase: 'choosing', provider: null });
  expect(app.window().closedByPage()).toBe(true);
  expect(app.traces()).toEqual(noTraces);
  app.window().say({ type: 'oauth/code', code: 'late' });
  app.sayOnChannel('state-1', { type: 'oauth/code', code: 'late' });
  await pass(11 * minutes);
  expect(app.deps.api.auth.token).not.toHaveBeenCalled();
  expect(app.dialogs).toEqual([words]);
};

describe.each<Provider>(['google', 'microsoft'])('the flow of %s ends', (provider) => {
  it.each(['access_denied', 'server_error', 'login_required', 'interaction_required'])(
    'when the provider returned %s',
    async (error) => {
      const app = await openWithProviders();
      const window = await app.choose(provider);
      window.say({ type: 'oauth/error', error });
      await settle();
      expect(window.heard).toEqual([{ type: 'oauth/received', state: 'state-1' }]);
      await expectOver(app, unable[provider]);
      expect(app.deps.log.errors).toEqual([]);
    },
  );

  it('when it came back without a code; that is an error in the log too', async () => {
    const app = await openWithProviders();
    await app.choose(provider);
    app.sayOnChannel('state-1', { type: 'oauth/error', error: 'no_code' });
    await settle();
    await expectOver(app, 'No authorization code received');
    expect(app.deps.log.errors.map(({ error }) => String(error))).toEqual([
      'Error: No authorization code received',
    ]);
  });

  it('when the answer names another issuer; that is an error in the log too', async () => {
    const app = await openWithProviders();
    await app.choose(provider);
    app.sayOnChannel('state-1', { type: 'oauth/error', error: 'other_issuer' });
    await settle();
    await expectOver(app, unable[provider]);
    expect(app.deps.log.errors.map(({ error }) => String(error))).toEqual([
      `Error: The answer is not of the issuer of ${provider}`,
    ]);
  });

  it('when no answer came in 10 minutes, and not a second earlier', async () => {
    const app = await openWithProviders();
    await app.choose(provider);
    await pass(10 * minutes - 1000);
    expect(app.dialogs).toEqual([]);
    expect(app.signIn()).toMatchObject({ provider: { method: provider, status: 'waiting' } });
    await pass(1000);
    await expectOver(app, unable[provider]);
  });

  it('when the browser keeps no cookie for the state; the window goes nowhere', async () => {
    const app = await openWithProviders();
    app.browser.oauthStates.refuse();
    await app.choose(provider);
    expect(app.window().visited).toEqual([]);
    await expectOver(app, unable[provider]);
  });

  it('when the browser has no WebCrypto; the window goes nowhere', async () => {
    const app = await openWithProviders({
      overrides: { makeOauthSecrets: () => Promise.resolve(null) },
    });
    await app.choose(provider);
    expect(app.window().visited).toEqual([]);
    expect(app.deps.log.errors.map(({ error }) => String(error))).toEqual(['Error: No WebCrypto']);
    await expectOver(app, unable[provider]);
  });

  it('when what makes its secrets could not be fetched, which is nobody’s configuration', async () => {
    const app = await openWithProviders({
      overrides: { makeOauthSecrets: () => Promise.reject(new Error('Loading chunk 7 failed')) },
    });
    await app.choose(provider);
    expect(app.window().visited).toEqual([]);
    await expectOver(app, unable[provider]);
  });

  it('after 10 minutes also when somebody talks on its channel all the time', async () => {
    const app = await openWithProviders();
    await app.choose(provider);
    for (let minute = 1; minute <= 10; minute += 1) {
      app.sayOnChannel('state-1', { type: 'oauth/code' });
      await pass(minutes);
    }
    await expectOver(app, unable[provider]);
  });
});

describe('the flow of microsoft ends without a visit there', () => {
  const { tenantId, clientId } = methods.microsoft.configuration;

  it.each<readonly [string, LoginMethod]>([
    ['no configuration', { method: 'microsoft' }],
    ['a tenant that climbs', { method: 'microsoft', configuration: { tenantId: '../..', clientId } }],
    ['a client with a query', { method: 'microsoft', configuration: { tenantId, clientId: 'x?y' } }],
    ['nothing in it', { method: 'microsoft', configuration: { tenantId: '', clientId: '' } }],
  ])('when its configuration is unfit: %s', async (_name, offer) => {
    const app = await openWithProviders({ offered: [methods.basic, offer] });
    await app.choose('microsoft');
    expect(app.window().visited).toEqual([]);
    expect(app.deps.log.errors.map(({ error }) => String(error))).toEqual([
      'Error: Microsoft configuration incomplete',
    ]);
    await expectOver(app, misconfigured);
  });
});

it('after a laptop slept through the 10 minutes, the flow ends at once', async () => {
  const app = await openWithProviders();
  await app.choose('google');
  await pass(5000);
  app.deps.clock.advance(8 * 60 * minutes);
  await pass(1000);
  expect(app.dialogs).toEqual([unable.google]);
  expect(app.traces()).toEqual(noTraces);
});

it('an attempt after one that ended begins anew, and can succeed', async () => {
  const app = await openWithProviders();
  (await app.choose('google')).say({ type: 'oauth/error', error: 'access_denied' });
  await settle();
  const window = await app.choose('google');
  expect(app.dialog()).toBeUndefined();
  expect(app.traces()).toEqual({ channels: ['state-2'], states: ['state-2'], listeners: 1 });
  window.say({ type: 'oauth/code', code: 'code-2' });
  await settle();
  expect(app.deps.navigation.leaves).toEqual([hosts.ledger]);
});

it('a password that is half typed stays: a provider that failed counts as no refused password', async () => {
  const app = await openWithProviders();
  (await app.choose('google')).say({ type: 'oauth/error', error: 'access_denied' });
  await settle();
  expect(app.signIn()).toMatchObject({ phase: 'choosing', failures: 0 });
});
