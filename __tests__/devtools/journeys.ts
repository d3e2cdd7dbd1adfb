import { providerRequested } from '@features/auth/provider/providerAttempt.slice';
import { codeSubmitted, newCodeRequested } from '@features/auth/challenge/challenge.slice';
import { copyRequested, linkOpened } from '@features/auth/links/oneTimeLink.slice';
import {
  passwordSubmitted,
  usernameEditStarted,
  usernameSubmitted,
} from '@features/auth/sign-in/signIn.slice';
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
import type { TokenResponse } from '@shared/api/decoders';
import { ApiError } from '@shared/api/apiError';
import { linkFollowed } from '@shared/routing/location.slice';
import { answers, methods, userAttributes } from '../support/builders';
import { secrets } from '../architecture/markedSecrets';
import { fakeBrowser, type FakeBrowser, type FakeDeps, type TabOptions } from '../support/fakeDeps';
import { openApp } from '../support/openApp';

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

const session = { token: secrets.session, refresh: secrets.refresh };
const wrongCode = new ApiError('server', { status: 401, serverMessage: 'Wrong code' });
const refused = new ApiError('server', { status: 400, serverMessage: 'Refused' });
const username = 'ada@example.com';

/** A tab in which every call answers with marked secrets. */
function open(
  options: TabOptions = {},
  signedIn?: 'password' | 'provider',
  browser = fakeBrowser(),
): FakeDeps {
  const deps = browser.tab(options);
  const { api } = deps;
  api.auth.methods.mockResolvedValue([methods.basic, methods.google, methods.microsoft]);
  api.auth.token.mockResolvedValue(session);
  api.auth.revoke.mockResolvedValue(undefined);
  api.auth.validatePassword.mockResolvedValue({ authVerificationToken: secrets.verificationToken });
  api.auth.exchangeMagicLink.mockResolvedValue({
    applicationUrl: 'http://ledger.payments.localhost:4000/',
    token: secrets.linkToken,
    refreshToken: secrets.linkRefresh,
  });
  api.users.attributes.mockResolvedValue(userAttributes({ authyActive: true }));
  api.users.apiInvite.mockResolvedValue({ apiKey: secrets.apiKey, apiSecret: secrets.apiSecret });
  api.mfa.addPhone.mockResolvedValue({ lastFourPhone: '0143' });
  api.mfa.addAuthenticator.mockResolvedValue({ code: secrets.key, url: secrets.qrUrl });
  api.mfa.validateSetup.mockResolvedValue(undefined);
  api.mfa.disable.mockResolvedValue(undefined);
  api.mfa.authyInfo.mockResolvedValue({ lastFourPhone: '0143' });
  const { forgot, reset, change, activate } = api.password;
  for (const call of [forgot, reset, change, activate]) call.mockResolvedValue(undefined);
  if (signedIn) writeSession(deps, signedIn === 'password' ? secrets.session : secrets.sessionOfProvider);
  return deps;
}

function writeSession({ cookies }: FakeDeps, token: string): void {
  const value = JSON.stringify({ authenticated: { token, refresh: secrets.refresh } });
  cookies.write('payments-test-session', value, { kind: 'session' });
  cookies.write('payments-test-session-refresh', secrets.refresh, { kind: 'session' });
}

async function enterUsername({ act }: Drive): Promise<void> {
  await act(usernameEditStarted());
  await act(usernameSubmitted({ username, rememberMe: true }));
}

async function signIn(drive: Drive, ...tokens: readonly (TokenResponse | ApiError)[]): Promise<void> {
  for (const answer of tokens)
    if (answer instanceof ApiError) drive.deps.api.auth.token.mockRejectedValueOnce(answer);
    else drive.deps.api.auth.token.mockResolvedValueOnce(answer);
  await enterUsername(drive);
  await drive.act(passwordSubmitted(secrets.password));
}

/** The window that was opened last brings its code. */
const bringCode = ({ deps, happen }: Drive) =>
  happen(() => deps.popup.windows.at(-1)?.say({ type: 'oauth/code', code: secrets.providerCode }));

/** A wrong code, the dialog that says so, and the right one. */
async function enterCode({ act, confirm, deps, pass }: Drive, resend: boolean): Promise<void> {
  deps.api.auth.token.mockRejectedValueOnce(wrongCode);
  await act(codeSubmitted({ code: secrets.wrongCode, trust: true }));
  await confirm();
  await pass(1500);
  if (resend) {
    const { nextChallengeToken: authVerificationToken } = secrets;
    deps.api.auth.token.mockResolvedValueOnce(answers.smsChallenge({ authVerificationToken }));
    await act(newCodeRequested());
    await pass(6000);
  }
  deps.api.auth.token.mockResolvedValueOnce({ ...session, trustedToken: secrets.trusted });
  await act(codeSubmitted({ code: secrets.code, trust: true }));
}

/** From the choice of a method to its end: a wrong code, its dialog, and the right one. */
async function setUp(
  { act, confirm, deps, pass }: Drive,
  method: 'sms' | 'qrcode',
  prove?: () => Promise<void>,
) {
  await act(enrolmentMethodChosen({ method }));
  await prove?.();
  if (method === 'sms') {
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

const byPassword = ({ act }: Drive) => act(identityPasswordSubmitted(secrets.password));

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

async function save({ act, pass }: Drive, wrong = secrets.otherPassword): Promise<void> {
  await act(newPasswordSubmitted({ ...newPassword, confirm: wrong }));
  await act(newPasswordSubmitted(newPassword));
  await pass(2500);
}

const settings = '/account-settings';

/** Every recorded journey of the application. */
export const journeys: Readonly<Record<string, Journey>> = {
  'a password': {
    open: () => open(),
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
  Google: { open: () => open(), run: byProviderAtLogin('google'), end: settings },
  Microsoft: { open: () => open(), run: byProviderAtLogin('microsoft'), end: settings },
  'a second step by text message': {
    open: () => open(),
    run: async (drive) => {
      await signIn(drive, answers.smsChallenge({ authVerificationToken: secrets.challengeToken }));
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
    run: (drive) => setUp(drive, 'sms', () => byPassword(drive)),
    end: '/mfa-activated?method=sms',
  },
  'a set-up by app, identity proved by a provider': {
    open: () => open({ path: '/mfa-options' }, 'provider'),
    run: (drive) => setUp(drive, 'qrcode', () => byProvider(drive)),
    end: '/mfa-activated?method=qrcode',
  },
  'a set-up in setup mode': {
    open: () => open(),
    run: async (drive) => {
      await signIn(drive, { mfaJWT: secrets.setUp, uid: 'u_1' });
      await setUp(drive, 'sms');
      await drive.act(setupSignInRequested());
    },
    end: '/login?method=sms',
  },
  'a change of the phone number, warned of its end': {
    open: () => open({ path: settings }, 'password'),
    run: async (drive) => {
      await drive.act(enrolmentMethodChosen({ method: 'sms' }));
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
      await save(drive);
    },
    end: '/login',
  },
  'a turn-off': {
    open: () => open({ path: settings }, 'password'),
    run: async (drive) => {
      await drive.act(turnOffRequested());
      await drive.confirm();
      await byPassword(drive);
    },
    end: settings,
  },
  'a forgotten password, and its reset': {
    open: () => open(),
    run: async (drive) => {
      await drive.act(linkFollowed({ to: '/forgot-password' }));
      await drive.act(forgotSubmitted(username));
      await drive.act(resendRequested());
      await drive.act(forgotSubmitted(username));
      await drive.happen(() => drive.deps.navigation.visit(`/reset-password/${secrets.linkId}`));
      drive.deps.api.password.reset.mockRejectedValueOnce(refused);
      await drive.act(newPasswordSubmitted(newPassword));
      await save(drive);
    },
    end: '/login',
  },
  'a link to an API invitation': {
    open: () => open({ path: `/secret-key/${secrets.linkId}`, config: { oneTimeLinks: 'click' } }),
    run: async (drive) => {
      await drive.act(linkOpened());
      await drive.act(copyRequested('apiKey'));
      await drive.happen(() => drive.deps.navigation.visit('/unauthorized'));
    },
    end: '/unauthorized',
  },
  'a magic link': {
    open: () => open({ path: `/redirect/${secrets.linkId}`, config: { oneTimeLinks: 'click' } }),
    run: (drive) => drive.act(linkOpened()),
    end: `/redirect/${secrets.linkId}`,
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
      await signIn(drive, answers.smsChallenge({ authVerificationToken: secrets.challengeToken }));
      const serverMessage = 'Too many failed login attempts. Please try again in 15 minutes.';
      drive.deps.api.auth.token.mockRejectedValueOnce(new ApiError('server', { status: 429, serverMessage }));
      await drive.act(codeSubmitted({ code: secrets.code, trust: false }));
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
