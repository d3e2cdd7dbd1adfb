import { availableParallelism } from 'node:os';
import { linkSettings, type LinkOptions } from './links/linkOptions';
import { defaultTextLimits, type TextLimits } from './mfa/textLimits';
import { noOutbox } from './outbox/noOutbox';
import type { Outbox } from './outbox/outbox';
import type { ProvidersOptions } from './provider/providersOptions';

/** Where the service keeps its state. */
export type DatabaseOptions =
  /** Embedded PostgreSQL (PGlite); `null` keeps everything in memory, for tests. */
  | { readonly folder: string | null }
  /** A PostgreSQL server, 15 or later: `postgres://user:password@host:port/database`. */
  | { readonly url: string };

/**
 * Lockout after failed attempts (specification §4, 'Too many failed login attempts') at the password of a username or at
 * the codes of a user. Each source (a network, a trusted device, a session) is counted by itself.
 */
export interface LockoutOptions {
  /** Failed attempts that lock the source. Default 5. */
  readonly attempts: number;
  /** Failures older than this no longer count, in seconds. Default 900. */
  readonly windowSeconds: number;
  /** The first lock of a source, in seconds; each further one is twice as long. Default 900. */
  readonly lockSeconds: number;
  /** The longest lock, and how long a source must be quiet until its locks are forgotten, in seconds. Default 86,400. */
  readonly longestLockSeconds: number;
  /** Failed attempts of one source in a day. Default 20. */
  readonly attemptsPerDay: number;
  /** Wrong passwords for one username in a day, from all unknown networks (see `Attempts`). Default 100. */
  readonly passwordsPerDay: number;
  /** Wrong codes for one user in a day, from all unknown networks. Default 20. */
  readonly codesPerDay: number;
}

/** Limits per client address; counted in this process (the lockout, which is shared, is in the database). */
export interface RateLimitOptions {
  /** All calls, also those that do not exist. Default 600. */
  readonly requestsPerMinute: number;
  /**
   * `POST /auth/v1/token`. Default 30: a sign-in takes up to three (password, code, another code), so ten people behind
   * one address get in within one minute.
   */
  readonly tokenCallsPerMinute: number;
  /**
   * `GET /auth/v1/method/{username}`, which tells whether the username exists; one for each sign-in. Default 30.
   */
  readonly methodCallsPerMinute: number;
  /** Other calls that check a secret or send a message, each call by itself. Default 60. */
  readonly secretChecksPerMinute: number;
}

/** Cost of argon2id (RFC 9106 §4), and how much of it is done. The defaults are for production; tests may ask for less. */
export interface PasswordHashOptions {
  /** Memory in KiB. Default 65,536. */
  readonly memoryKib: number;
  /** Number of passes. Default 3. */
  readonly passes: number;
  /**
   * Hashes at once for all callers, half of them at most for one address. Default: one for each processor, from 2 to 4
   * (Node's pool has 4 threads).
   */
  readonly atOnce: number;
  /** Hashes that wait, besides. Beyond it calls are answered 503. Default 64. */
  readonly waiting: number;
}

/** Facts of one event; never a secret, a body, or a path parameter. */
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** Where events are written. */
export interface Logger {
  readonly info: (event: string, fields?: LogFields) => void;
  readonly warn: (event: string, fields?: LogFields) => void;
  readonly error: (event: string, fields?: LogFields) => void;
}

/** Everything that a service can be told. Only `database`, `issuer` and `allowedOrigins` have no default. */
export interface ServiceOptions {
  readonly database: DatabaseOptions;
  /** The public URL of this service: `iss` of its tokens. */
  readonly issuer: string;
  /** Origins of the login pages, exact (`https://login.example.com`). */
  readonly allowedOrigins: readonly string[];
  /** Life of a session token, in seconds. Default 900. */
  readonly accessTokenSeconds?: number;
  /** A refresh token that is not used for this long is dead, in seconds. Default 28,800 (8 hours). */
  readonly refreshTokenSeconds?: number;
  /** The longest life of a session however often it is refreshed, in seconds. Default 86,400 (24 hours). */
  readonly sessionSeconds?: number;
  /** A rotated refresh token is still answered for this long, in seconds. Default 10 (decisions §2, reliability F6, F10). */
  readonly refreshGraceSeconds?: number;
  /** Life of an `mfaJWT`, in seconds. Default 900. */
  readonly setupTokenSeconds?: number;
  /**
   * Time to answer an MFA challenge at sign-in, in seconds; a new text message starts it anew, up to three times as much
   * in all. Default 600.
   */
  readonly challengeSeconds?: number;
  /** Life of the code in a text message, in seconds. Default 600. */
  readonly textCodeSeconds?: number;
  /**
   * Time to verify the first code of a new second factor, in seconds; by text message no longer than `textCodeSeconds`.
   * Default 600.
   */
  readonly enrolmentSeconds?: number;
  /** Life of a verified identity, in seconds. Default 180 (specification §9). */
  readonly verificationSeconds?: number;
  /** How long ago a provider may have asked for the person's credentials at a re-authentication, in seconds. Default 120. */
  readonly reauthenticationSeconds?: number;
  /** How long a trusted device skips the challenge, in seconds. Default 2,592,000 (30 days). */
  readonly trustedDeviceSeconds?: number;
  readonly textLimits?: Partial<TextLimits>;
  /** Names the product in text messages and in authenticator apps. Default 'Payments'. */
  readonly productName?: string;
  /**
   * 32 bytes in base64 or base64url, with which the signing key and the secrets of authenticator apps are encrypted. It may
   * be absent with the embedded database and an issuer on this machine only; they are then stored as they are.
   */
  readonly encryptionKey?: string;
  /** Sign-in with Google and Microsoft. Default: neither. */
  readonly providers?: ProvidersOptions;
  /** Where links lead and how long they live. */
  readonly links?: Partial<LinkOptions>;
  readonly lockout?: Partial<LockoutOptions>;
  /** `'off'` is for tests. */
  readonly rateLimit?: Partial<RateLimitOptions> | 'off';
  readonly passwordHash?: Partial<PasswordHashOptions>;
  /** Addresses or ranges of proxies whose `X-Forwarded-For` is believed. Default none. */
  readonly trustedProxies?: readonly string[];
  /** The clock, in milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number;
  /** Where text messages and mails go. Default: nowhere (each is refused with an error). */
  readonly outbox?: Outbox;
  /** Default: silent. */
  readonly logger?: Logger;
}

/** The options with every default filled in. */
export interface ServiceSettings {
  readonly database: DatabaseOptions;
  readonly issuer: string;
  readonly allowedOrigins: readonly string[];
  readonly accessTokenSeconds: number;
  readonly refreshTokenSeconds: number;
  readonly sessionSeconds: number;
  readonly refreshGraceSeconds: number;
  readonly setupTokenSeconds: number;
  readonly challengeSeconds: number;
  readonly textCodeSeconds: number;
  readonly enrolmentSeconds: number;
  readonly verificationSeconds: number;
  readonly reauthenticationSeconds: number;
  readonly trustedDeviceSeconds: number;
  readonly textLimits: TextLimits;
  readonly productName: string;
  readonly encryptionKey?: string;
  readonly providers?: ProvidersOptions;
  readonly links: LinkOptions;
  readonly lockout: LockoutOptions;
  readonly rateLimit: RateLimitOptions | 'off';
  readonly passwordHash: PasswordHashOptions;
  readonly trustedProxies: readonly string[];
  readonly now: () => number;
  readonly outbox: Outbox;
  readonly logger: Logger;
}

const silent: Logger = { info: () => undefined, warn: () => undefined, error: () => undefined };

const defaultDurations = {
  accessTokenSeconds: 900,
  refreshTokenSeconds: 28_800,
  sessionSeconds: 86_400,
  refreshGraceSeconds: 10,
  setupTokenSeconds: 900,
  challengeSeconds: 600,
  textCodeSeconds: 600,
  enrolmentSeconds: 600,
  verificationSeconds: 180,
  reauthenticationSeconds: 120,
  trustedDeviceSeconds: 2_592_000,
};

export const defaultLockout: LockoutOptions = {
  attempts: 5,
  windowSeconds: 900,
  lockSeconds: 900,
  longestLockSeconds: 86_400,
  attemptsPerDay: 20,
  passwordsPerDay: 100,
  codesPerDay: 20,
};

/** Fills in the defaults. */
export function settingsFrom(options: ServiceOptions): ServiceSettings {
  return {
    ...defaultDurations,
    productName: 'Payments',
    trustedProxies: [],
    now: Date.now,
    outbox: noOutbox,
    logger: silent,
    ...options,
    links: linkSettings(options.links, options.allowedOrigins),
    lockout: { ...defaultLockout, ...options.lockout },
    textLimits: { ...defaultTextLimits, ...options.textLimits },
    rateLimit:
      options.rateLimit === 'off'
        ? 'off'
        : {
            requestsPerMinute: 600,
            tokenCallsPerMinute: 30,
            methodCallsPerMinute: 30,
            secretChecksPerMinute: 60,
            ...options.rateLimit,
          },
    passwordHash: {
      memoryKib: 65_536,
      passes: 3,
      atOnce: Math.min(4, Math.max(2, availableParallelism())),
      waiting: 64,
      ...options.passwordHash,
    },
  };
}
