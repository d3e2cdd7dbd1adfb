import type * as contract from '@contract/schema.gen';

/**
 * The calls of the contract, and its extensions, decoded at the edge (docs/behaviour.md#service-contract). Every member
 * rejects with an `ApiError` and with nothing else; an answer of the wrong shape is a failed call.
 */
export interface Api {
  /** Loads the transport, a chunk of its own, ahead of the first call. Never rejects. */
  readonly warmUp: () => Promise<void>;
  readonly auth: AuthApi;
  readonly users: UsersApi;
  readonly mfa: MfaApi;
  readonly password: PasswordApi;
}

/** Microsoft needs its configuration to start; the service may leave it out, which has an error of its own (docs/behaviour.md#errors). */
export type LoginMethod =
  | { readonly method: 'basic' }
  | { readonly method: 'google' }
  | {
      readonly method: 'microsoft';
      readonly configuration?: { readonly tenantId: string; readonly clientId: string };
    };

/** Name of a login method, as it travels in `method`. */
export type LoginMethodName = LoginMethod['method'];

/**
 * Body of the token call that signs a user in, in the contract's own forms: which method goes with a password, what a
 * challenge's answer must carry. `resend` only tells a request for a new text message from a forgotten code; it is not
 * sent.
 */
export type TokenRequest =
  | contract.PasswordTokenRequest
  | contract.GoogleTokenRequest
  | contract.MicrosoftTokenRequest
  | contract.MfaCodeTokenRequest
  | (contract.ResendTokenRequest & { readonly resend: true });

/** The token answer; which of its fields are there decides what comes next (docs/behaviour.md#token-answer). */
export interface TokenAnswer {
  readonly token?: string;
  readonly refresh?: string;
  readonly mfaJWT?: string;
  readonly mfaRequired?: boolean;
  /** `mfa` also for an unknown type. */
  readonly mfaType?: 'authy' | 'mfa';
  readonly authVerificationToken?: string;
  readonly authyId?: string;
  readonly uid?: string;
  readonly trustedToken?: string;
}

/** Both tokens of a session. */
export interface TokenPair {
  readonly token: string;
  readonly refresh: string;
}

/** What a magic link was exchanged for (docs/behaviour.md#magic-links). */
export interface MagicLinkAnswer {
  readonly application?: string;
  readonly applicationUrl?: string;
  readonly type?: string;
  readonly redirectUrl?: string;
  readonly token?: string;
  readonly refreshToken?: string;
}

/** Calls under `/auth/v1`. */
export interface AuthApi {
  /** Known methods only; an unknown `method` value is left out (docs/behaviour.md#login-methods). */
  readonly methods: (username: string) => Promise<readonly LoginMethod[]>;
  readonly token: (request: TokenRequest) => Promise<TokenAnswer>;
  readonly exchangeMagicLink: (magiclinkId: string) => Promise<MagicLinkAnswer>;
  /** Given up after 10 s; within them the token may be sent again while unanswered (docs/behaviour.md#refresh-call). */
  readonly refresh: (refresh: string) => Promise<TokenPair>;
  /**
   * Extension `revoke`: ends a session at the service, or makes a set-up token worthless. Goes on when the page is left.
   * Only where the configuration lists it.
   */
  readonly revoke: (token: contract.RevokeRequest) => Promise<void>;
  readonly validatePassword: (
    bearer: string,
    proof: { readonly password: string } | { readonly code: string; readonly codeVerifier?: string },
  ) => Promise<{ readonly authVerificationToken: string }>;
}

/** Attributes of the user call. */
export interface UserAttributes {
  /** Empty where the account has none. */
  readonly email: string;
  /** Text messages are on. */
  readonly authyActive: boolean;
  /** The authenticator app is on. */
  readonly twoFactorActive: boolean;
  /** ISO 8601, or `null` for never. */
  readonly lastReset: string | null;
}

/** Calls under `/user-management/v1`. */
export interface UsersApi {
  readonly attributes: (bearer: string, uid: string) => Promise<UserAttributes>;
  readonly apiInvite: (hash: string) => Promise<{ readonly apiKey: string; readonly apiSecret: string }>;
}

/** `authy` = text message, `mfa` = authenticator app. */
export type MfaRegistering = 'authy' | 'mfa';

/** Calls under `/mfa/v1`. All take the bearer: the session token, or in setup mode the `mfaToken`. */
export interface MfaApi {
  readonly validateSetup: (
    bearer: string,
    body: {
      readonly mfaCode: string;
      readonly mfaRegistering: MfaRegistering;
      readonly authVerificationToken?: string;
    },
  ) => Promise<void>;
  readonly addPhone: (
    bearer: string,
    body: {
      readonly phone: string;
      readonly countryCode: 'US' | 'GB';
      readonly authVerificationToken?: string;
    },
  ) => Promise<{ readonly lastFourPhone: string }>;
  readonly addAuthenticator: (
    bearer: string,
    body: { readonly authVerificationToken?: string },
  ) => Promise<{ readonly code: string; readonly url: string }>;
  readonly disable: (
    bearer: string,
    body: { readonly password?: string; readonly authVerificationToken?: string },
  ) => Promise<void>;
  readonly authyInfo: (bearer: string) => Promise<{ readonly phoneNumber: string }>;
}

/** Calls under `/password-reset/v1`. */
export interface PasswordApi {
  readonly forgot: (email: string) => Promise<void>;
  readonly reset: (body: {
    readonly password: string;
    readonly confirm: string;
    readonly hash: string;
  }) => Promise<void>;
  readonly change: (
    bearer: string,
    body: {
      readonly newPassword: string;
      readonly confirmPassword: string;
      readonly oldPassword: string;
      readonly username: string;
    },
  ) => Promise<void>;
  readonly activate: (body: {
    readonly firstName: string;
    readonly lastName: string;
    readonly password: string;
    readonly confirm: string;
    readonly hash: string;
  }) => Promise<void>;
}
