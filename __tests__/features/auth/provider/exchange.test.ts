/** @jest-environment node */
/** Tests chooseMethod.saga, providerAttempt.slice and runProviderAttempts.saga. */
import { providerAbandoned, providerRequested } from '@features/auth/provider/providerAttempt.slice';
import { passwordSubmitted } from '@features/auth/sign-in/signIn.slice';
import { enrolmentMethodChosen } from '@features/mfa';
import type { TokenResponse } from '@shared/api/decoders';
import { ApiError } from '@shared/api/apiError';
import type { Provider } from '@shared/ports/ports';
import { answers, hosts, methods, severalPersonas } from '../../../support/builders';
import { settle } from '../../../support/openApp';
import { later } from '../../../support/later';
import { noTraces, openWithProviders, type ProviderApp, waysOut } from './openWithProviders';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));

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
        app.sayOnChannel('state-1', { ...code, code: 'another' });
      },
    ],
  ])('over %s: one code, one token call, one redirect', async (_line, deliver) => {
    const app = await waiting('google');
    deliver(app);
    await settle();
    deliver(app);
    await settle();
    expect(app.deps.api.auth.token.mock.calls).toEqual([[payloads.google]]);
    expect(app.deps.navigation.leaves).toEqual([hosts.ledger]);
    expect(app.window().heard).toEqual([{ type: 'oauth/received', state: 'state-1' }]);
  });
});

describe('while the code is being exchanged', () => {
  const exchanging = async () => {
    const app = await openWithProviders();
    const { answer } = later(app.deps.api.auth.token);
    const window = await app.choose('google');
    window.say({ type: 'oauth/code', code: 'code-1' });
    await settle();
    return { app, answer };
  };

  it.each([
    ['the same button', providerRequested('google')],
    ['the other button', providerRequested('microsoft')],
    ['Cancel', providerAbandoned()],
    ['Sign In', passwordSubmitted('pw')],
  ])('a press on %s has no effect', async (_name, press) => {
    const { app, answer } = await exchanging();
    await app.send(press);
    expect(app.deps.popup.windows).toHaveLength(1);
    expect(app.signIn()).toMatchObject({ phase: 'submitting', method: 'google' });
    await answer(answers.session());
    expect(app.deps.api.auth.token).toHaveBeenCalledTimes(1);
    expect(app.deps.navigation.leaves).toEqual([hosts.ledger]);
  });

  it.each(waysOut.filter(([name]) => name !== 'Cancel'))('%s cancels it', async (_name, giveUp) => {
    const { app, answer } = await exchanging();
    giveUp(app);
    await answer(answers.session());
    expect(app.deps.cookies.contents()).toEqual({});
    expect(app.deps.navigation.leaves).toEqual([]);
    expect(app.dialogs).toEqual([]);
  });
});

const noAccess = 'Your account has no access';
const outcomes: readonly (readonly [string, TokenResponse | ApiError, string])[] = [
  [
    'is rejected with a message',
    new ApiError('server', { status: 401, serverMessage: 'Ask <b>us</b>' }),
    'Ask <b>us</b>',
  ],
  ['is rejected without a message', new ApiError('server', { status: 401 }), noAccess],
];

describe.each<Provider>(['google', 'microsoft'])('the exchange of a code of %s', (provider) => {
  it.each(outcomes)('%s: a dialog, no cookie, a new attempt is a new flow', async (_n, answer, words) => {
    const app = await openWithProviders();
    if (answer instanceof ApiError) app.deps.api.auth.token.mockRejectedValue(answer);
    else app.deps.api.auth.token.mockResolvedValue(answer);
    const first = await app.choose(provider);
    first.say({ type: 'oauth/code', code: 'code-1' });
    await settle();
    expect(app.dialog()).toMatchObject({ title: 'Login Error', message: words, confirmLabel: 'Ok' });
    expect(app.dialogs).toEqual([words]);
    expect(app.signIn()).toMatchObject({ phase: 'choosing', failures: 1, provider: null });
    expect(app.deps.cookies.contents()).toEqual({});
    expect(app.deps.navigation.leaves).toEqual([]);
    expect(app.traces()).toEqual(noTraces);
    // Never retried automatically.
    await jest.advanceTimersByTimeAsync(60_000);
    expect(app.deps.api.auth.token).toHaveBeenCalledTimes(1);

    app.deps.api.auth.token.mockResolvedValue(answers.session());
    const second = await app.choose(provider);
    expect(app.dialog()).toBeUndefined();
    expect(new URL(second.visited[0] ?? '').searchParams.get('state')).toBe('state-2');
    second.say({ type: 'oauth/code', code: 'code-2' });
    await settle();
    expect(app.deps.navigation.leaves).toEqual([hosts.ledger]);
    expect(app.deps.api.auth.token).toHaveBeenCalledTimes(2);
    expect(app.deps.api.auth.token.mock.calls[1]?.[0]).toMatchObject({
      code: 'code-2',
      ...(provider === 'microsoft' ? { codeVerifier: 'verifier-2' } : {}),
    });
  });
});

describe('after the exchange', () => {
  it.each([
    ['google', methods.google, { code: 'code-1' }],
    ['microsoft', methods.microsoft, { code: 'code-1', codeVerifier: 'verifier-1' }],
  ] as const)('a second step may follow: the vault keeps what %s sent', async (provider, offer, kept) => {
    const app = await openWithProviders({ offered: [offer] });
    app.deps.api.auth.token.mockResolvedValue(answers.textChallenge());
    app.window().say(code);
    await settle();
    expect(app.address()).toBe('/two-auth');
    expect(app.deps.vault.get('challenge')).toEqual({ authVerificationToken: 'vt_1', ...kept });
    expect(app.state().auth.challenge).toMatchObject({ challenge: { method: provider, secondStep: 'text' } });
    expect(JSON.stringify(app.state())).not.toMatch(/code-1|verifier-1/);
    app.deps.navigation.back();
    await settle();
    expect(app.deps.vault.get('challenge')).toBeUndefined();
  });
});

it.each(providers)('%s is asked again, to verify the identity of its user', async (provider) => {
  const app = await openWithProviders();
  app.deps.api.auth.token.mockResolvedValue(answers.session({ method: 'other', personas: severalPersonas }));
  (await app.choose(provider)).say(code);
  await settle();
  await app.send(enrolmentMethodChosen({ method: 'text' }));
  expect(app.state().auth.verification.screen).toMatchObject({ proof: { providers: [provider] } });
});
