import type { AccountInput, Service } from '../../src/index.ts';
import { appCode } from './authenticator.ts';
import type { RequestParts, TestResponse } from './testService.ts';

export const ada = 'ada@example.com';
export const oldPassword = 'Correct-horse7';
export const newPassword = 'New-secret8';
export const appSecret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
export const phone = '+12025550143';

/** An account with one persona and a password, with what the test changes of it. */
export function account(changes: Partial<AccountInput> = {}): AccountInput {
  return {
    username: ada,
    email: ada,
    firstName: 'Ada',
    lastName: 'Lovelace',
    password: oldPassword,
    methods: [{ method: 'basic' }],
    personas: { ledger: [{ applicationUrl: 'http://ledger.payments.localhost/' }] },
    mfa: null,
    mustSetUpMfa: false,
    lastReset: null,
    ...changes,
  };
}

/** Reads a string property; the test fails where it is none. */
export function text(answer: TestResponse, name: string): string {
  const value = answer.body[name];
  if (typeof value !== 'string') throw new Error(`${name} is not a string in ${answer.text}`);
  return value;
}

/** What the calls need of a service. */
export interface Client {
  readonly directory: Service['directory'];
  readonly get: (path: string, parts?: RequestParts) => Promise<TestResponse>;
  readonly post: (path: string, body: unknown, parts?: RequestParts) => Promise<TestResponse>;
  /** Milliseconds since 1970, as the service sees it. */
  readonly now: () => number;
}

/** What users of `account()` call, and what an administrator writes for them. */
export type UserCalls = ReturnType<typeof userCalls>;

export function userCalls({ get, post, directory, now }: Client) {
  const write = (changes: Partial<AccountInput> = {}) => directory.accounts.upsert(account(changes));
  const signIn = (
    credentials: { username?: string; password?: string; trustedJWT?: string } = {},
  ): Promise<TestResponse> =>
    post('/auth/v1/token', { username: ada, method: 'basic', password: oldPassword, ...credentials });
  const readUser = (uid: string, bearer: string): Promise<TestResponse> =>
    get(`/user-management/v1/users/${encodeURIComponent(uid)}`, { bearer });
  /** A verification or a bearer that is left out is not sent. */
  const add = (path: string, body: object, bearer: string, authVerificationToken?: string) =>
    post(
      path,
      { ...body, ...(authVerificationToken === undefined ? {} : { authVerificationToken }) },
      { bearer },
    );
  const validateSetup =
    (mfaRegistering: 'authy' | 'mfa') =>
    (bearer: string, mfaCode: string, verification?: string): Promise<TestResponse> =>
      add('/mfa/v1/validate-setup', { mfaCode, mfaRegistering }, bearer, verification);

  return {
    write,
    signIn,
    readUser,
    refresh: (refresh: string): Promise<TestResponse> => post('/auth/v1/refresh', { refresh }),
    forgot: (email = ada): Promise<TestResponse> => post('/password-reset/v1/forgot-password', { email }),
    /** Signs in with the password up to the challenge. @returns its token. */
    challenge: async (): Promise<string> => text(await signIn(), 'authVerificationToken'),
    /** Enters a code at `/two-auth`. */
    enterCode: (authVerificationToken: string, mfaCode: string, more: object = {}): Promise<TestResponse> =>
      post('/auth/v1/token', { username: ada, method: 'basic', authVerificationToken, mfaCode, ...more }),
    /** What the app with `appSecret` shows now, or at another time. */
    codeOfApp: (secondsLater = 0): Promise<string> => appCode(appSecret, now() + secondsLater * 1000),
    /** A signed-in user with these changes. @returns the session token and the uid. */
    signedIn: async ({ mfa = null, ...rest }: Partial<AccountInput> = {}) => {
      const { uid, username } = await write(rest);
      const bearer = text(await signIn({ username }), 'token');
      // The session stays; the second factor was set up later.
      if (mfa !== null) await write({ ...rest, mfa });
      return { bearer, uid };
    },
    /** Verifies the identity by password. @returns the `authVerificationToken`. */
    verified: async (bearer: string): Promise<string> =>
      text(
        await post('/auth/v1/validate-password', { password: oldPassword }, { bearer }),
        'authVerificationToken',
      ),
    addPhone: (bearer: string, verification?: string, more: object = {}): Promise<TestResponse> =>
      add(
        '/mfa/v1/sms-authy-add',
        { phone, countryCode: 'US', register: true, ...more },
        bearer,
        verification,
      ),
    addApp: (bearer: string, verification?: string): Promise<TestResponse> =>
      add('/mfa/v1/twofactor-add', {}, bearer, verification),
    validatePhone: validateSetup('authy'),
    validateApp: validateSetup('mfa'),
    disable: (bearer: string, verification?: string, password: string | undefined = oldPassword) =>
      add('/mfa/v1/disable', { password }, bearer, verification),
    /** The two flags of the settings. */
    activeFactors: async (bearer: string, uid: string) => {
      const { data } = (await readUser(uid, bearer)).body as {
        data: { attributes: { authyActive: boolean; twoFactorActive: boolean } };
      };
      const { authyActive, twoFactorActive } = data.attributes;
      return { authyActive, twoFactorActive };
    },
    reset: (hash: string, changes: object = {}): Promise<TestResponse> =>
      post('/password-reset/v1/password-reset', {
        ...{ password: newPassword, confirm: newPassword, hash, method: 'basic' },
        ...changes,
      }),
    activate: (hash: string, changes: object = {}): Promise<TestResponse> =>
      post('/password-reset/v1/activate', {
        ...{ firstName: 'Ina', lastName: 'Vited', password: newPassword, confirm: newPassword },
        ...{ hash, method: 'basic', ...changes },
      }),
    openInvite: (hash: string): Promise<TestResponse> =>
      get(`/user-management/v1/api-users/invite/link/${encodeURIComponent(hash)}`),
    exchange: (magiclinkId: string): Promise<TestResponse> =>
      post('/auth/v1/token', { magiclinkId, method: 'magiclink' }),
  };
}
