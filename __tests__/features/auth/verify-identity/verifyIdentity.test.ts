/** @jest-environment node */
/** Tests options.saga and verification.slice. */
import { providerAbandoned, providerRequested } from '@features/auth/provider/providerAttempt.slice';
import {
  identityPasswordSubmitted,
  identityProvidersRequested,
  identityRefused,
  verificationReducer,
  verificationStarted,
} from '@features/auth/verify-identity/verification.slice';
import { verifyIdentity } from '@features/auth/verify-identity/verifyIdentity.saga';
import { enrolmentMethodChosen } from '@features/mfa';
import { ApiError } from '@shared/api/apiError';
import { expectSaga } from 'redux-saga-test-plan';
import { methods, tokenPair } from '../../../support/builders';
import { fakeDeps } from '../../../support/fakeDeps';
import { pass, settle } from '../../../support/openApp';
import { put } from '../../../support/sessionCookies';
import { openSettings } from './openVerify';
import { refusalMessages } from '@features/auth/refusals.messages';
import { later } from '../../../support/later';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));

type Options = NonNullable<Parameters<typeof openSettings>[0]>;

/** A method was chosen: the screen asks for the password, or for a provider. */
const openForSetup = async (method: 'basic' | 'other', options: Options = {}) => {
  const app = await openSettings({ method, ...options });
  await app.send(enrolmentMethodChosen({ method: method === 'basic' ? 'text' : 'app' }));
  app.deps.api.mfa.addAuthenticator.mockResolvedValue({ code: 'KEY', url: 'otpauth://totp/x' });
  return app;
};
type App = Awaited<ReturnType<typeof openForSetup>>;
const submit = async (app: App, password = 'Corr3ct-horse') => {
  await app.send(identityPasswordSubmitted(password));
};

const unable = refusalMessages.verifyDefault;

describe('verifying identity with the password', () => {
  it('comes between choosing a method and its set-up', async () => {
    const app = await openForSetup('basic');
    expect(app.address()).toBe('/ask-password/enable');
    expect(app.state().auth.verification.screen).toEqual({
      phase: 'asking',
      proof: { by: 'password', failures: 0 },
    });
    await submit(app);
    expect(app.deps.api.auth.validatePassword.mock.calls).toEqual([
      [app.token, { password: 'Corr3ct-horse' }],
    ]);
    expect(app.address()).toBe('/authy-collect-info/u_1');
    expect(app.state().auth.verification).toEqual({
      screen: { phase: 'closed' },
      period: { purpose: 'enable', expiresAt: 1_800_000_180_000, isExpiring: false },
    });
  });

  /** A user with a password submits it on the screen. */
  const verifying = (validatePassword: () => Promise<{ readonly authVerificationToken: string }>) => {
    const deps = fakeDeps({ path: '/ask-password/enable' });
    put(deps, tokenPair({ method: 'basic' }));
    deps.api.auth.validatePassword.mockImplementation(validatePassword);
    const saga = expectSaga(verifyIdentity, deps, 'enable').withReducer(verificationReducer);
    const result = async () => {
      const running = saga.dispatch(identityPasswordSubmitted('Corr3ct-horse')).silentRun(1000);
      await pass(1000);
      await running;
    };
    return { deps, saga, result };
  };

  it.each([
    [new ApiError('server', { status: 401, serverMessage: 'Not that one' }), { message: 'Not that one' }],
    [new ApiError('server', { status: 401 }), { message: unable }],
    [new ApiError('server', { status: 503 }), { message: unable, trouble: 'failing' }],
    [new ApiError('network'), { message: unable, trouble: 'unreachable' }],
    [new ApiError('unexpected'), { message: unable }],
  ] as const)('a rejected proof (%s) shows an error, and can be retried', async (error, failure) => {
    const { deps, saga, result } = verifying(() => Promise.resolve({ authVerificationToken: 'vt-1' }));
    deps.api.auth.validatePassword.mockRejectedValueOnce(error);
    let isHeld: boolean | undefined;
    setTimeout(() => {
      isHeld = deps.vault.get('verification') !== undefined;
      saga.dispatch(identityPasswordSubmitted('Corr3ct-horse'));
    }, 500);
    saga.put(identityRefused(failure));
    saga.put(verificationStarted({ purpose: 'enable', expiresAt: 1_800_000_180_500 }));
    await result();
    expect(isHeld).toBe(false);
    expect(deps.vault.get('verification')).toEqual({ authVerificationToken: 'vt-1' });
  });

  it('a second press during the check makes no second call', async () => {
    const { deps, saga, result } = verifying(() => new Promise(() => undefined));
    setTimeout(() => saga.dispatch(identityPasswordSubmitted('another')), 500);
    await result();
    expect(deps.api.auth.validatePassword).toHaveBeenCalledTimes(1);
  });

  it('an answer that arrives after the screen was left proves nothing', async () => {
    const app = await openForSetup('basic');
    const pending = later(app.deps.api.auth.validatePassword);
    await submit(app);
    await app.visit('/account-settings');
    await pending.answer({ authVerificationToken: 'vt-late' });
    expect(app.address()).toBe('/account-settings');
    expect(app.deps.vault.get('verification')).toBeUndefined();
    expect(app.state().auth.verification).toEqual({ screen: { phase: 'closed' }, period: null });
  });
});

describe('the verify-identity screen, opened by its address', () => {
  it('first asks for the method if the purpose is a set-up', async () => {
    const app = await openSettings({ path: '/ask-password/enable' });
    expect(app.address()).toBe('/mfa-options');
  });

  it.each([
    ...['/ask-password/reset', '/ask-password/Enable', '/ask-password/%65nable%20'],
    ...['/ask-password', '/ask-password/'],
  ])('for an unknown purpose (%s) leads to the settings', async (path) => {
    expect((await openSettings({ path })).address()).toBe('/account-settings');
  });
});

const proofOf = (app: App) => app.state().auth.verification.screen;
const attemptOf = (app: App) => app.state().auth.providerAttempt;
const sayCode = async (app: App) => {
  app.deps.popup.windows.at(-1)?.say({ type: 'oauth/code', code: 'code-1' });
  await settle();
};

describe('verifying identity with a provider', () => {
  it('loads the provider before the press, so that the window opens synchronously', async () => {
    const app = await openForSetup('other');
    expect(app.deps.api.auth.methods.mock.calls).toEqual([['ada@example.com']]);
    expect(proofOf(app)).toEqual({
      phase: 'asking',
      proof: { by: 'provider', known: null, providers: ['google'], checked: null },
    });
    app.dispatch(providerRequested('google'));
    expect(app.deps.popup.windows).toHaveLength(1);
  });

  it.each([
    ['google', methods.google, { code: 'code-1' }],
    ['microsoft', methods.microsoft, { code: 'code-1', codeVerifier: 'verifier-1' }],
  ] as const)('has %s ask for the credentials again, and goes on', async (provider, offer, evidence) => {
    const app = await openForSetup('other', { offered: [methods.basic, offer] });
    await app.send(providerRequested(provider));
    const asked = new URL(app.deps.popup.windows[0]?.visited[0] ?? '');
    expect(asked.searchParams.get('prompt')).toBe('login');
    expect(asked.hostname).toBe(`${provider}.payments.localhost`);
    await sayCode(app);
    expect(app.deps.api.auth.validatePassword.mock.calls).toEqual([[app.token, evidence]]);
    expect(app.address()).toBe('/qrcode-start/u_1');
    expect(app.deps.vault.get('verification')).toEqual({ authVerificationToken: 'vt-1' });
    expect(app.deps.popup.windows[0]?.closedByPage()).toBe(true);
  });

  const both = [methods.basic, methods.google, methods.microsoft];
  const offering = async (claims: NonNullable<Options['claims']>, stored?: string) => {
    const app = await openSettings({ method: 'other', offered: both, claims });
    app.deps.storage.browser.write('provider', stored ?? null);
    await app.send(enrolmentMethodChosen({ method: 'app' }));
    return app;
  };

  it.each([
    ['the token names it', { method: 'microsoft' }, 'google u_1', ['microsoft']],
    ['the user signed in with it in this browser', {}, 'microsoft u_1', ['microsoft']],
    ['another user signed in with one', {}, 'microsoft u_2', ['google', 'microsoft']],
    ['nothing is known', {}, undefined, ['google', 'microsoft']],
    ['the stored text is not from this application', {}, 'basic u_1', ['google', 'microsoft']],
  ] as const)(
    'of an account with both, offers the right ones: %s',
    async (_why, claims, stored, providers) => {
      expect(proofOf(await offering(claims, stored))).toMatchObject({ proof: { providers } });
    },
  );

  it('with the other provider, when the one that the token names is not offered any more', async () => {
    const app = await openForSetup('other', { claims: { method: 'microsoft' } });
    expect(proofOf(app)).toMatchObject({ proof: { providers: ['google'] } });
  });

  it('opens the window of the provider that was chosen, and the other can be chosen after a refusal', async () => {
    const app = await offering({});
    app.deps.api.auth.validatePassword.mockRejectedValueOnce(new ApiError('server', { status: 401 }));
    for (const provider of ['microsoft', 'google'] as const) {
      await app.send(providerRequested(provider));
      expect(attemptOf(app)).toMatchObject({ method: provider, status: 'waiting' });
      const asked = new URL(app.deps.popup.windows.at(-1)?.visited[0] ?? '');
      expect(asked.hostname).toBe(`${provider}.payments.localhost`);
      await sayCode(app);
    }
    expect(app.address()).toBe('/qrcode-start/u_1');
  });

  it.each([
    [new ApiError('server', { status: 403, serverMessage: 'Not from here.' }), 'Not from here.', undefined],
    [new ApiError('server', { status: 503 }), unable.message, 'failing'],
    [new ApiError('network'), unable.message, 'unreachable'],
  ])(
    'says why the provider cannot be loaded (%s), and loads it at the next press',
    async (error, message, trouble) => {
      const app = await openSettings({ method: 'other' });
      app.deps.storage.browser.write('provider', 'google u_1');
      app.deps.api.auth.methods.mockRejectedValueOnce(error);
      await app.send(enrolmentMethodChosen({ method: 'text' }));
      expect(app.dialog()).toMatchObject({ title: 'Verification Error', message });
      expect(app.dialog()?.trouble).toBe(trouble);
      expect(proofOf(app)).toMatchObject({ phase: 'asking', proof: { known: 'google', providers: [] } });
      app.answerDialog(true);
      await app.send(identityProvidersRequested());
      expect(app.deps.popup.windows).toEqual([]);
      expect(proofOf(app)).toMatchObject({ phase: 'asking', proof: { providers: ['google'] } });
      app.dispatch(providerRequested('google'));
      expect(app.deps.popup.windows).toHaveLength(1);
    },
  );

  it('says that there are no methods where the account has no provider', async () => {
    const app = await openForSetup('other', { offered: [methods.basic] });
    expect(app.dialog()).toMatchObject({
      title: 'Verification Error',
      message: 'No Login Methods available',
    });
    expect(proofOf(app)).toMatchObject({ phase: 'asking' });
  });

  it.each([
    ['the e-mail', { username: 'ada', email: 'ada+bills@example.com' }, 'ada@example.com'],
    ['a username that is an e-mail', { username: 'ada+x@example.com', email: '' }, 'ada@example.com'],
    ['the e-mail rather than the username', { username: 'old@example.com', email: 'new@x.com' }, 'new@x.com'],
    ['no hint without either', { username: 'ada', email: '' }, null],
  ])('sends %s as the login hint', async (_name, claims, hint) => {
    const app = await openForSetup('other', { claims });
    await app.send(providerRequested('google'));
    const [address = ''] = app.deps.popup.windows[0]?.visited ?? [];
    expect(new URL(address).searchParams.get('login_hint')).toBe(hint);
  });

  it.each([
    ['Cancel', (app: App) => app.dispatch(providerAbandoned())],
    ['leaving the screen', (app: App) => app.deps.navigation.visit('/account-settings')],
  ])('a code that arrives after %s proves nothing', async (_name, giveUp) => {
    const app = await openForSetup('other');
    await app.send(providerRequested('google'));
    giveUp(app);
    await settle();
    await sayCode(app);
    expect(app.deps.api.auth.validatePassword).not.toHaveBeenCalled();
    expect(app.deps.popup.windows[0]?.closedByPage()).toBe(true);
  });
});
