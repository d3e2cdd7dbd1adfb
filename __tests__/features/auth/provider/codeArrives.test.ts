/** @jest-environment node */
import type { Provider } from '@shared/platform/platform';
import { hosts, trustedToken } from '../../../support/builders';
import { settle } from '../../../support/openApp';
import { noTraces, openWithProviders, type ProviderApp } from './openWithProviders';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));
afterEach(() => jest.useRealTimers());

const code = { type: 'oauth/code', code: 'code-1' };
const payloads = {
  google: { username: 'ada+x@example.com', method: 'google', code: 'code-1' },
  microsoft: {
    username: 'ada+x@example.com',
    method: 'microsoft',
    code: 'code-1',
    codeVerifier: 'verifier-1',
  },
} as const;
const providers = ['google', 'microsoft'] as const;

const waiting = async (provider: Provider): Promise<ProviderApp> => {
  const app = await openWithProviders({ username: 'ada+x@example.com' });
  await app.choose(provider);
  return app;
};

describe('the authorisation code arrives', () => {
  it.each(providers)('from %s: it is exchanged once, with these keys and no others', async (provider) => {
    const app = await waiting(provider);
    app.window().say(code);
    await settle();
    expect(app.deps.api.auth.token.mock.calls).toEqual([[payloads[provider]]]);
    expect(app.deps.navigation.leaves).toEqual([hosts.ledger]);
    expect(app.state().session.access).toMatchObject({ phase: 'active', claims: { uid: 'u_1' } });
    expect(app.dialogs).toEqual([]);
  });

  it.each(providers)('from %s: the trusted token of this username goes along', async (provider) => {
    const app = await waiting(provider);
    const trusted = trustedToken();
    app.deps.cookies.write('payments-test-session-trust-ada+x@example.com', trusted, { kind: 'session' });
    app.deps.cookies.write('payments-test-session-trust-ada@example.com', 'another’s', { kind: 'session' });
    app.window().say(code);
    await settle();
    expect(app.deps.api.auth.token.mock.calls).toEqual([[{ ...payloads[provider], trustedJWT: trusted }]]);
  });

  it.each<readonly [string, (app: ProviderApp) => void]>([
    ['the channel', (app) => app.sayOnChannel('state-1', code)],
    ['the window', (app) => app.window().say(code)],
    [
      'both, the channel first',
      (app) => {
        app.sayOnChannel('state-1', code);
        app.window().say(code);
      },
    ],
    [
      'both, the window first, again and again',
      (app) => {
        for (let times = 0; times < 20; times += 1) {
          app.window().say(code);
          app.sayOnChannel('state-1', code);
        }
      },
    ],
    [
      'both, with another code each',
      (app) => {
        app.window().say(code);
        app.sayOnChannel('state-1', { type: 'oauth/code', code: 'another' });
      },
    ],
  ])('over %s: one code, one token call, one way out', async (_line, deliver) => {
    const app = await waiting('google');
    deliver(app);
    await settle();
    deliver(app);
    await settle();
    expect(app.deps.api.auth.token.mock.calls).toEqual([[payloads.google]]);
    expect(app.deps.navigation.leaves).toEqual([hosts.ledger]);
    expect(app.window().heard).toEqual([{ type: 'oauth/received', state: 'state-1' }]);
  });

  it('is answered on both lines, the window is closed, and nothing of the flow is left', async () => {
    const app = await waiting('microsoft');
    const heard: object[] = [];
    const stop = app.browser.broadcast.open('state-1');
    stop.subscribe((message) => heard.push(message));
    app.window().say(code);
    await settle();
    expect(heard).toEqual([{ type: 'oauth/received' }]);
    expect(app.window().heard).toEqual([{ type: 'oauth/received', state: 'state-1' }]);
    stop.close();
    expect(app.window().closedByPage()).toBe(true);
    expect(app.traces()).toEqual(noTraces);
  });

  it('the form is busy with the exchange, and not before', async () => {
    const app = await waiting('google');
    app.deps.api.auth.token.mockReturnValue(new Promise(() => undefined));
    expect(app.signIn()).toMatchObject({
      phase: 'choosing',
      provider: { method: 'google', status: 'waiting' },
    });
    app.window().say(code);
    await settle();
    expect(app.signIn()).toMatchObject({ phase: 'submitting', method: 'google' });
    expect(app.signIn()).not.toHaveProperty('provider');
  });

  it('on the channel of another state it is nobody’s', async () => {
    const app = await waiting('google');
    for (const state of ['state-2', 'state-', 'STATE-1', '']) app.sayOnChannel(state, code);
    await settle();
    expect(app.deps.api.auth.token).not.toHaveBeenCalled();
  });
});
