import { providerRequested } from '@features/auth/provider/providerAttempt.slice';
import { codeSubmitted, newCodeRequested } from '@features/auth/challenge/challenge.slice';
import { copyRequested, linkOpened } from '@features/auth/links/oneTimeLink.slice';
import { passwordSubmitted, usernameSubmitted } from '@features/auth/sign-in/signIn.slice';
import { identityPasswordSubmitted } from '@features/auth/verify-identity/verification.slice';
import { enrolmentMethodChosen, turnOffRequested } from '@features/mfa';
import { setupSignInRequested } from '@features/mfa/activated/activation.slice';
import {
  keyCopyRequested,
  phoneSubmitted,
  enrolmentCodeSubmitted,
} from '@features/mfa/enrolment/enrolment.slice';
import { forgotSubmitted, resendRequested } from '@features/password/forgot/forgot.slice';
import { newPasswordSubmitted } from '@features/password/save/newPassword.slice';
import { logoutRequested } from '@features/session';
import type { TokenResponse, TwoStepMethod } from '@shared/api/decoders';
import { ApiError } from '@shared/api/apiError';
import { linkFollowed } from '@shared/routing/location.slice';
import { createHash } from 'node:crypto';
import { answers, methods, userAttributes } from '../../support/builders';
import { usernameEditStarted } from '@shared/slots';
import { secrets } from './markedSecrets';
import { fakeBrowser, type FakeBrowser, type FakeDeps, type TabOptions } from '../../support/fakeDeps';
import { openApp } from '../../support/openApp';
import { put } from '../../support/sessionCookies';

/** A tab that a journey goes through, and what a user or the environment does in it. */
export interface Drive {
  readonly deps: FakeDeps;
  readonly browser: FakeBrowser;
  readonly act: (action: { readonly type: string }) => Promise<void>;
  readonly pass: (ms: number) => Promise<void>;
  /** The dialog on top is confirmed. */
  readonly confirm: () => Promise<void>;
  /** Anything else that happens outside. */
  readonly happen: (what: () => void) => Promise<void>;
}

/** A flow through the whole application, the same whenever it is run. */
export interface Journey {
  readonly open: (browser: FakeBrowser) => FakeDeps;
  readonly run: (drive: Drive) => Promise<void>;
  /** Where it ends. */
  readonly end: string;
  /** What may go on in an address, because it is for it. */
  readonly goesOn?: readonly string[];
}

export const session = { token: secrets.session, refresh: secrets.refresh };
export const wrongCode = new ApiError('server', { status: 401, serverMessage: 'Wrong code' });
const refused = new ApiError('server', { status: 400, serverMessage: 'Refused' });
const username = 'ada@example.com';
const trustCookie = `payments-test-session-trust-${username}`;

/** A tab in which every call of the core answers with marked secrets. */
export function open(
  options: TabOptions = {},
  signedIn?: 'password' | 'provider',
  browser = fakeBrowser(),
): FakeDeps {
  const deps = browser.tab(options);
  const { api } = deps;
  api.auth.methods.mockResolvedValue([methods.basic, methods.google, methods.microsoft]);
  api.auth.token.mockResolvedValue(session);
  api.auth.validatePassword.mockResolvedValue({ authVerificationToken: secrets.verificationToken });
  api.auth.exchangeMagicLink.mockResolvedValue({
    applicationUrl: 'http://ledger.payments.localhost:4000/',
    token: secrets.linkToken,
    refreshToken: secrets.linkRefresh,
  });
  api.users.attributes.mockResolvedValue(userAttributes({ isTextActive: true }));
  api.users.apiInvite.mockResolvedValue({ apiKey: secrets.apiKey, apiSecret: secrets.apiSecret });
  api.mfa.addPhone.mockResolvedValue({ lastFourPhone: '0143' });
  api.mfa.addAuthenticator.mockResolvedValue({ code: secrets.key, url: secrets.qrUrl });
  api.mfa.validateSetup.mockResolvedValue(undefined);
  api.mfa.disable.mockResolvedValue(undefined);
  api.mfa.activePhone.mockResolvedValue({ lastFourPhone: '0143' });
  const { forgot, reset, change, activate } = api.password;
  for (const call of [forgot, reset, change, activate]) call.mockResolvedValue(undefined);
  if (signedIn) writeSession(deps, signedIn === 'password' ? secrets.session : secrets.sessionOfProvider);
  return deps;
}

const writeSession = (deps: FakeDeps, token: string) => put(deps, { token, refresh: secrets.refresh });

export async function enterUsername({ act }: Drive): Promise<void> {
  await act(usernameEditStarted());
  await act(usernameSubmitted({ username, rememberMe: true }));
}

export async function signIn(drive: Drive, ...tokens: readonly (TokenResponse | ApiError)[]): Promise<void> {
  for (const answer of tokens)
    if (answer instanceof ApiError) drive.deps.api.auth.token.mockRejectedValueOnce(answer);
    else drive.deps.api.auth.token.mockResolvedValueOnce(answer);
  await enterUsername(drive);
  await drive.act(passwordSubmitted(secrets.password));
}

/** The window that was opened last brings its code. */
const bringCode = ({ deps, happen }: Drive) =>
  happen(() => deps.popup.windows.at(-1)?.say({ type: 'oauth/code', code: secrets.providerCode }));

/** A wrong code, the dialog that reports it, and the right one. */
async function enterCode({ act, confirm, deps, pass }: Drive, resend: boolean): Promise<void> {
  deps.api.auth.token.mockRejectedValueOnce(wrongCode);
  await act(codeSubmitted({ code: secrets.wrongCode, trust: true }));
  await confirm();
  await pass(1500);
  if (resend) {
    const { nextChallengeToken: authVerificationToken } = secrets;
    deps.api.auth.token.mockResolvedValueOnce(answers.textChallenge({ authVerificationToken }));
    await act(newCodeRequested());
    await pass(6000);
  }
  deps.api.auth.token.mockResolvedValueOnce({ ...session, trustedToken: secrets.trusted });
  await act(codeSubmitted({ code: secrets.code, trust: true }));
}

/** From the choice of a method to its end: a wrong code, its dialog, and the right one. */
async function setUp(
  { act, confirm, deps, pass }: Drive,
  method: TwoStepMethod,
  prove?: () => Promise<void>,
) {
  await act(enrolmentMethodChosen({ method }));
  await prove?.();
  if (method === 'text') {
    const entry = { country: 'US', text: '(202) 555-0143' } as const;
    deps.api.mfa.addPhone.mockRejectedValueOnce(refused);
    await act(phoneSubmitted({ entry, number: { phone: '+12025550143', countryCode: 'US' } }));
    await confirm();
    await act(phoneSubmitted({ entry, number: { phone: '+12025550143', countryCode: 'US' } }));
  } else {
    await act(keyCopyRequested());
    await act(linkFollowed({ to: '/verification/u_1/' }));
  }
  deps.api.mfa.validateSetup.mockRejectedValueOnce(wrongCode);
  await act(enrolmentCodeSubmitted(secrets.wrongCode));
  await confirm();
  await pass(1500);
  await act(enrolmentCodeSubmitted(secrets.code));
}

export const byPassword = ({ act }: Drive) => act(identityPasswordSubmitted(secrets.password));

async function byProvider(drive: Drive): Promise<void> {
  await drive.act(providerRequested('google'));
  await bringCode(drive);
}

/** A window that is blocked, one that is closed, and one that brings the code. */
const byProviderAtLogin = (provider: 'google' | 'microsoft') => async (drive: Drive) => {
  const { deps, act, happen, pass, confirm } = drive;
  await enterUsername(drive);
  deps.popup.block();
  await act(providerRequested(provider));
  deps.popup.allow();
  await act(providerRequested(provider));
  await happen(() => deps.popup.windows.at(-1)?.seemClosed());
  await pass(3000);
  await confirm();
  await act(providerRequested(provider));
  await pass(2000);
  await bringCode(drive);
};

const newPassword = { password: secrets.newPassword, confirm: secrets.newPassword };

/** One that violates the rules, one that is refused, and the right one. */
async function save(
  { act, deps, pass }: Drive,
  call: 'reset' | 'activate' | 'change',
  name?: { readonly firstName: string; readonly lastName: string },
): Promise<void> {
  const { unfitPassword, otherPassword } = secrets;
  await act(newPasswordSubmitted({ password: unfitPassword, confirm: unfitPassword }, name));
  deps.api.password[call].mockRejectedValueOnce(refused);
  await act(newPasswordSubmitted({ ...newPassword, confirm: otherPassword }, name));
  await act(newPasswordSubmitted(newPassword, name));
  await pass(2500);
}

const visit = ({ deps, happen }: Drive, path: string) => happen(() => deps.navigation.visit(path));

const magicLinkCookie = `payments-test-session-${createHash('sha256').update(secrets.linkId).digest('hex')}`;

const settings = '/account-settings';

const setUpMode = (method: TwoStepMethod): Journey => ({
  open: () => open(),
  run: async (drive) => {
    await signIn(drive, { mfaJWT: secrets.setUp });
    await setUp(drive, method);
    await drive.act(setupSignInRequested());
  },
  end: `/login?method=${method === 'text' ? 'sms' : 'qrcode'}`,
});

const turnOff = (by: 'password' | 'provider', prove: (drive: Drive) => Promise<void>): Journey => ({
  open: () => open({ path: settings }, by),
  run: async (drive) => {
    await drive.act(turnOffRequested());
    await drive.confirm();
    await prove(drive);
  },
  end: settings,
});

/** The journeys through the core. Each extension has its own in `journeys.ts` of its tests. */
export const coreJourneys: Readonly<Record<string, Journey>> = {
  'a password': {
    open: () => {
      const deps = open({ path: `/login?code=${secrets.urlCode}&state=${secrets.urlState}` });
      deps.cookies.write(trustCookie, secrets.trusted);
      return deps;
    },
    run: async (drive) => {
      await signIn(drive, new ApiError('server', { status: 401, serverMessage: 'Wrong' }));
      await drive.confirm();
      await drive.act(passwordSubmitted(secrets.password));
    },
    end: settings,
  },
  'a password, to one application': {
    open: () => open(),
    run: (drive) => signIn(drive, { ...session, token: secrets.sessionOfOneApplication }),
    end: '/login',
  },
  'a password, without personas': {
    open: () => open(),
    run: (drive) => signIn(drive, { ...session, token: secrets.sessionWithoutPersonas }),
    end: '/login',
  },
  'a password, with an invalid token': {
    open: () => open(),
    run: (drive) => signIn(drive, { ...session, token: secrets.brokenToken }),
    end: '/login',
  },
  Google: { open: () => open(), run: byProviderAtLogin('google'), end: settings },
  Microsoft: { open: () => open(), run: byProviderAtLogin('microsoft'), end: settings },
  'a second step by text message': {
    open: () => open(),
    run: async (drive) => {
      await signIn(drive, answers.textChallenge({ authVerificationToken: secrets.challengeToken }));
      await enterCode(drive, true);
    },
    end: settings,
  },
  'a second step by app': {
    open: () => open(),
    run: async (drive) => {
      await signIn(drive, answers.appChallenge({ authVerificationToken: secrets.challengeToken }));
      await enterCode(drive, false);
    },
    end: settings,
  },
  'a set-up by text message': {
    open: () => open({ path: '/mfa-options' }, 'password'),
    run: (drive) => setUp(drive, 'text', () => byPassword(drive)),
    end: '/mfa-activated?method=sms',
  },
  'a set-up by app, identity proved by a provider': {
    open: () => open({ path: '/mfa-options' }, 'provider'),
    run: (drive) => setUp(drive, 'app', () => byProvider(drive)),
    end: '/mfa-activated?method=qrcode',
  },
  'a set-up in setup mode': setUpMode('text'),
  'a set-up by app in setup mode': setUpMode('app'),
  'a change of the phone number, warned of its end': {
    open: () => open({ path: settings }, 'password'),
    run: async (drive) => {
      await drive.act(enrolmentMethodChosen({ method: 'text' }));
      await byPassword(drive);
      // The countdown runs, and ends.
      await drive.pass(155_000);
      await drive.pass(30_000);
    },
    end: settings,
  },
  'a change of the password': {
    open: () => open({ path: '/reset-password-verify' }, 'password'),
    run: async (drive) => {
      drive.deps.api.auth.validatePassword.mockRejectedValueOnce(refused);
      await byPassword(drive);
      await drive.confirm();
      await byPassword(drive);
      await save(drive, 'change');
    },
    end: '/login',
  },
  'a turn-off': turnOff('password', byPassword),
  'a turn-off, identity proved by a provider': turnOff('provider', byProvider),
  'a forgotten password, and its reset': {
    open: () => open(),
    run: async (drive) => {
      await drive.act(linkFollowed({ to: '/forgot-password' }));
      await drive.act(forgotSubmitted(username));
      await drive.act(resendRequested());
      await drive.act(forgotSubmitted(username));
      await visit(drive, `/reset-password/${secrets.linkId}`);
      await save(drive, 'reset');
    },
    end: '/login',
  },
  'a reset by query': {
    open: () => open({ path: `/reset?hash=${secrets.linkId}` }, 'password'),
    run: (drive) => save(drive, 'reset'),
    end: '/login',
  },
  'an activation': {
    open: () => open({ path: `/activate/${secrets.linkId}` }),
    run: (drive) => save(drive, 'activate', { firstName: 'Ada', lastName: 'Lovelace' }),
    end: '/login',
  },
  'a link to an API invitation': {
    open: () => open({ path: `/secret-key/${secrets.linkId}`, config: { oneTimeLinks: 'click' } }),
    run: async (drive) => {
      await drive.act(linkOpened());
      await drive.act(copyRequested('apiKey'));
      drive.deps.clipboard.refuse();
      await drive.act(copyRequested('apiSecret'));
      await visit(drive, '/unauthorized');
    },
    end: '/unauthorized',
  },
  'a link too deep for its route': {
    open: () => open({ path: '/unauthorized' }),
    run: (drive) => visit(drive, `/activate/${secrets.linkId}/more`),
    end: '/login',
  },
  'links that have expired': {
    open: () => open({ path: '/unauthorized' }),
    run: async (drive) => {
      const { auth, users } = drive.deps.api;
      for (const call of [auth.exchangeMagicLink, users.apiInvite]) call.mockRejectedValue(refused);
      for (const path of ['redirect', 'secret-key']) await visit(drive, `/${path}/${secrets.linkId}`);
    },
    end: '/unauthorized',
  },
  'a magic link': {
    open: () => open({ path: `/redirect/${secrets.linkId}`, config: { oneTimeLinks: 'click' } }),
    run: (drive) => drive.act(linkOpened()),
    end: `/redirect/${secrets.linkId}`,
  },
  'a magic link whose cookie the browser refuses': {
    open: () => open({ path: '/unauthorized' }),
    run: (drive) => {
      drive.deps.cookies.refuse(magicLinkCookie);
      return visit(drive, `/redirect/${secrets.linkId}`);
    },
    end: '/unauthorized',
  },
  'a magic link to a form': {
    open: () => open({ path: '/unauthorized' }),
    run: (drive) => {
      drive.deps.api.auth.exchangeMagicLink.mockResolvedValue({
        type: 'activate',
        applicationUrl: 'http://login.payments.localhost:4000/',
        token: secrets.linkToken,
        refreshToken: secrets.linkRefresh,
      });
      return visit(drive, `/redirect/${secrets.linkId}`);
    },
    end: `/activate/${secrets.linkId}`,
    goesOn: [`/activate/${secrets.linkId}`],
  },
  'a refresh in two tabs': {
    open: (browser) => {
      const deps = open({ path: settings }, undefined, browser);
      writeSession(deps, secrets.shortSession);
      deps.api.auth.refresh.mockImplementation(async () => {
        await new Promise((resolve) => setTimeout(resolve, 300));
        return { token: secrets.renewedSession, refresh: secrets.renewedRefresh };
      });
      return deps;
    },
    run: async ({ act, browser, happen, deps, pass }) => {
      // Opened later, and so the second to find the token due.
      await pass(2000);
      const other = openApp(open({ path: settings }, undefined, browser));
      await pass(460_000);
      expect(deps.api.auth.refresh).toHaveBeenCalledTimes(1);
      await happen(() => {
        writeSession(deps, secrets.adoptedSession);
      });
      await pass(10_000);
      await happen(() => {
        other.dispatch(logoutRequested());
      });
      await act(usernameEditStarted());
    },
    end: '/login',
  },
  'a lockout': {
    open: () => open(),
    run: async (drive) => {
      await signIn(drive, answers.textChallenge({ authVerificationToken: secrets.challengeToken }));
      const serverMessage = 'Too many failed login attempts. Please try again in 15 minutes.';
      drive.deps.api.auth.token.mockRejectedValueOnce(new ApiError('server', { status: 429, serverMessage }));
      await drive.act(codeSubmitted({ code: secrets.code, trust: false }));
      await drive.confirm();
      await signIn(drive, session);
      await drive.act(linkFollowed({ to: settings }));
      await drive.act(enrolmentMethodChosen({ method: 'app' }));
      drive.deps.api.auth.validatePassword.mockRejectedValueOnce(
        new ApiError('server', { status: 429, serverMessage }),
      );
      await drive.act(identityPasswordSubmitted(secrets.password));
      await drive.confirm();
      await enterUsername(drive);
    },
    end: '/login',
  },
  'a sign-in in a parent’s frame': {
    open: () => open({ embedding: 'trusted' }),
    run: async (drive) => {
      await signIn(drive);
      await drive.act(linkFollowed({ to: settings }));
      await drive.act(logoutRequested());
    },
    end: '/login',
  },
};

/** The cookies that the page writes a secret to (docs/behaviour.md#cookies); the others to none. */
export const homes: Readonly<Partial<Record<keyof typeof secrets, readonly string[]>>> = {
  session: ['payments-test-session'],
  sessionOfOneApplication: ['payments-test-session'],
  renewedSession: ['payments-test-session'],
  renewedRefresh: ['payments-test-session', 'payments-test-session-refresh'],
  refresh: ['payments-test-session', 'payments-test-session-refresh'],
  setUp: ['payments-test-session-setup'],
  trusted: [trustCookie],
  linkToken: [magicLinkCookie],
  linkRefresh: [magicLinkCookie],
};
