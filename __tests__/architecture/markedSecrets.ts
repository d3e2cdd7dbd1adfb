import { methods, onePersona, severalPersonas, unsignedJwt } from '../support/builders';
import { fakeDeps, type FakeDeps } from '../support/fakeDeps';
import { openApp, settle, type OpenApp } from '../support/openApp';

/** 15 January 2027, the start of the tests' clock. */
export const now = 1_800_000_000_000;

const jwt = (mark: string, claims: object = {}): string =>
  unsignedJwt({
    mark,
    uid: 'u_1',
    username: 'ada@example.com',
    email: 'ada@example.com',
    firstName: 'Ada',
    method: 'basic',
    isMfaSetup: false,
    personas: severalPersonas,
    iat: now / 1000,
    exp: now / 1000 + 86_400,
    ...claims,
  });

/** Every secret of two-step verification, of passwords and of links, marked so that a leak is found. */
export const secrets = {
  password: 'Marked-passw0rd',
  wrongCode: '402918',
  code: '739105',
  challengeToken: 'marked-challenge-token',
  nextChallengeToken: 'marked-next-challenge-token',
  verificationToken: 'marked-verification-token',
  session: jwt('marked-session'),
  sessionOfProvider: jwt('marked-session-of-provider', { method: 'other' }),
  sessionOfOneApplication: jwt('marked-session-of-one-application', { personas: onePersona }),
  refresh: 'marked-refresh',
  shortSession: jwt('marked-short-session', { exp: now / 1000 + 900 }),
  renewedSession: jwt('marked-renewed-session', { iat: now / 1000 + 450, exp: now / 1000 + 1350 }),
  adoptedSession: jwt('marked-adopted-session', { iat: now / 1000 + 455, exp: now / 1000 + 1355 }),
  renewedRefresh: 'marked-renewed-refresh',
  setUp: jwt('marked-set-up', { isMfaSetup: true }),
  trusted: unsignedJwt({ mark: 'marked-trusted', exp: now / 1000 + 86_400 }),
  key: 'MARKEDKEYMARKED2',
  qrUrl: 'otpauth://totp/Payments:ada%40example.com?secret=MARKEDKEYMARKED2',
  providerCode: 'marked-provider-code',
  verifier: 'marked-verifier',
  unfitPassword: 'marked-unfit-password',
  newPassword: 'Marked-new-passw0rd',
  otherPassword: 'Marked-other-passw0rd',
  linkId: 'marked-link-id',
  apiKey: 'marked-api-key',
  apiSecret: 'marked-api-secret',
  linkToken: jwt('marked-link-token'),
  linkRefresh: 'marked-link-refresh',
} as const;

/** A tab under DevTools' recorder, with every cookie that it ever wrote. */
export interface MarkedTab {
  readonly app: OpenApp;
  readonly deps: FakeDeps;
  /** Names of the cookies that a secret was ever written to. */
  readonly cookiesWith: (secret: string) => readonly string[];
  readonly act: (action: { readonly type: string }) => Promise<void>;
  /** The provider's window that was opened last returns its code. */
  readonly bringCode: () => Promise<void>;
}

/** Opens a tab in which every call answers with marked values; a session or a setup session may exist already. */
export async function openMarked(path: string, signedIn?: 'password' | 'provider'): Promise<MarkedTab> {
  const deps = fakeDeps({
    path,
    overrides: {
      makeOauthSecrets: () =>
        Promise.resolve({
          state: 'state-1',
          nonce: 'nonce-1',
          verifier: secrets.verifier,
          challenge: 'hash-1',
        }),
    },
  });
  const written = jest.spyOn(deps.cookies, 'write');
  answerWithMarks(deps);
  if (signedIn) {
    const token = signedIn === 'password' ? secrets.session : secrets.sessionOfProvider;
    const session = JSON.stringify({ authenticated: { token, refresh: secrets.refresh } });
    deps.cookies.write('payments-test-session', session, { kind: 'session' });
    deps.cookies.write('payments-test-session-refresh', secrets.refresh, { kind: 'session' });
  }
  const app = openApp(deps, { devTools: true });
  await settle();
  return {
    app,
    deps,
    cookiesWith: (secret) => [
      ...new Set(written.mock.calls.flatMap(([name, value]) => (value.includes(secret) ? [name] : []))),
    ],
    act: async (action) => {
      app.dispatch(action);
      await settle();
    },
    bringCode: async () => {
      deps.popup.windows.at(-1)?.say({ type: 'oauth/code', code: secrets.providerCode });
      await settle();
    },
  };
}

function answerWithMarks({ api }: FakeDeps): void {
  const attributes = { email: 'ada@example.com', authyActive: true, twoFactorActive: false, lastReset: null };
  api.auth.methods.mockResolvedValue([methods.basic, methods.microsoft]);
  api.auth.validatePassword.mockResolvedValue({ authVerificationToken: secrets.verificationToken });
  api.users.attributes.mockResolvedValue(attributes);
  api.mfa.addPhone.mockResolvedValue({ lastFourPhone: '0143' });
  api.mfa.addAuthenticator.mockResolvedValue({ code: secrets.key, url: secrets.qrUrl });
  api.mfa.validateSetup.mockResolvedValue(undefined);
  api.mfa.disable.mockResolvedValue(undefined);
  const { forgot, reset, change, activate } = api.password;
  for (const call of [forgot, reset, change, activate]) call.mockResolvedValue(undefined);
  api.users.apiInvite.mockResolvedValue({ apiKey: secrets.apiKey, apiSecret: secrets.apiSecret });
  api.mfa.authyInfo.mockResolvedValue({ lastFourPhone: '0143' });
}
