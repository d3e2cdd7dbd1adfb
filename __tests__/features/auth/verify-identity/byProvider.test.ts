/** @jest-environment node */
import {
  identityProviderAbandoned,
  identityProviderRequested,
} from '@features/auth/verify-identity/verification.slice';
import { setupMethodChosen } from '@features/mfa';
import type { LoginMethod } from '@shared/api/api';
import { ApiError } from '@shared/api/apiError';
import { methods, type AccessTokenFacts } from '../../../support/builders';
import { settle } from '../../../support/openApp';
import { openSettings } from './openVerify';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));
afterEach(() => jest.useRealTimers());

const openForSetup = async (
  offered: readonly LoginMethod[] = [methods.google],
  claims: Partial<AccessTokenFacts> = {},
) => {
  const app = await openSettings({ method: 'other', offered, claims });
  app.dispatch(setupMethodChosen({ method: 'qrcode' }));
  await settle();
  app.deps.api.mfa.addAuthenticator.mockResolvedValue({ code: 'KEY', url: 'otpauth://totp/x' });
  return app;
};
type App = Awaited<ReturnType<typeof openForSetup>>;
const proofOf = (app: App) => app.state().auth.verification.screen;
const sayCode = async (app: App) => {
  app.deps.popup.windows.at(-1)?.say({ type: 'oauth/code', code: 'code-1' });
  await settle();
};

describe('verifying identity through a provider', () => {
  it('finds out which one before the press, so that the window opens in its turn', async () => {
    const app = await openForSetup();
    expect(app.deps.api.auth.methods.mock.calls).toEqual([['ada@example.com']]);
    expect(proofOf(app)).toEqual({
      phase: 'asking',
      proof: { by: 'provider', provider: 'google', window: null },
    });
    app.dispatch(identityProviderRequested());
    expect(app.deps.popup.windows).toHaveLength(1);
  });

  it.each([
    ['google', methods.google, { code: 'code-1' }],
    ['microsoft', methods.microsoft, { code: 'code-1', codeVerifier: 'verifier-1' }],
  ] as const)('has %s ask for the credentials again, and goes on', async (provider, offer, evidence) => {
    const app = await openForSetup([methods.basic, offer]);
    app.dispatch(identityProviderRequested());
    await settle();
    const asked = new URL(app.deps.popup.windows[0]?.visited[0] ?? '');
    expect(asked.searchParams.get('prompt')).toBe('login');
    expect(asked.hostname).toBe(`${provider}.payments.localhost`);
    await sayCode(app);
    expect(app.deps.api.auth.validatePassword.mock.calls).toEqual([[app.token, evidence]]);
    expect(app.address()).toBe('/qrcode-start/u_1');
    expect(app.deps.vault.get('verification')).toEqual({ authVerificationToken: 'vt-1' });
    expect(app.deps.popup.windows[0]?.closedByPage()).toBe(true);
  });

  it('tells when the provider cannot be found out, and asks again at the next press', async () => {
    const app = await openSettings({ method: 'other' });
    app.deps.api.auth.methods.mockRejectedValueOnce(new ApiError('network'));
    app.dispatch(setupMethodChosen({ method: 'sms' }));
    await settle();
    expect(app.dialog()).toMatchObject({ message: 'No Login Methods available' });
    app.answerDialog(true);
    app.dispatch(identityProviderRequested());
    await settle();
    expect(app.deps.popup.windows).toEqual([]);
    expect(proofOf(app)).toMatchObject({ phase: 'asking', proof: { provider: 'google' } });
    app.dispatch(identityProviderRequested());
    expect(app.deps.popup.windows).toHaveLength(1);
  });

  it('a blocked window leaves the button and a line, and no dialog', async () => {
    const app = await openForSetup();
    app.deps.popup.block();
    app.dispatch(identityProviderRequested());
    await settle();
    expect(proofOf(app)).toMatchObject({
      phase: 'asking',
      proof: { window: { status: 'blocked', blocks: 1 } },
    });
    app.dispatch(identityProviderRequested());
    await settle();
    expect(proofOf(app)).toMatchObject({ proof: { window: { status: 'blocked', blocks: 2 } } });
    expect(app.dialog()).toBeUndefined();
  });

  it.each([
    ['the e-mail', { username: 'ada', email: 'ada+bills@example.com' }, 'ada@example.com'],
    ['a username that is one', { username: 'ada+x@example.com', email: '' }, 'ada@example.com'],
    ['the e-mail before it', { username: 'old@example.com', email: 'new@example.com' }, 'new@example.com'],
    ['none of both', { username: 'ada', email: '' }, null],
  ])('tells the provider by %s who is expected', async (_name, claims, hint) => {
    const app = await openForSetup([methods.google], claims);
    app.dispatch(identityProviderRequested());
    await settle();
    const [address = ''] = app.deps.popup.windows[0]?.visited ?? [];
    expect(new URL(address).searchParams.get('login_hint')).toBe(hint);
  });

  it('a code that the service does not take is told, and the button is there again', async () => {
    const app = await openForSetup();
    app.deps.api.auth.validatePassword.mockRejectedValue(new ApiError('server', { status: 401 }));
    app.dispatch(identityProviderRequested());
    await settle();
    await sayCode(app);
    expect(app.dialog()).toMatchObject({
      message: 'We were unable to verify your identity. Please try again.',
    });
    expect(proofOf(app)).toMatchObject({ phase: 'asking', proof: { window: null } });
  });

  it.each([
    ['Cancel', (app: App) => app.dispatch(identityProviderAbandoned())],
    ['leaving the screen', (app: App) => app.deps.navigation.visit('/account-settings')],
  ])('a code that comes after %s proves nothing', async (_name, giveUp) => {
    const app = await openForSetup();
    app.dispatch(identityProviderRequested());
    await settle();
    giveUp(app);
    await settle();
    await sayCode(app);
    expect(app.deps.api.auth.validatePassword).not.toHaveBeenCalled();
    expect(app.deps.popup.windows[0]?.closedByPage()).toBe(true);
  });
});
