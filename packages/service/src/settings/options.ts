import { availableParallelism } from 'node:os';
import { noOutbox, type Outbox } from '../outbox/outbox.ts';
import { linkSettings, type LinkOptions } from './linkOptions.ts';
import type { ProvidersOptions } from './providersOptions.ts';

/** Where the service keeps its state. */
export type DatabaseOptions =
  /** Embedded PostgreSQL (PGlite); `null` keeps everything in memory, for tests. */
  | { readonly folder: string | null }
  /** A PostgreSQL server, 15 or later: `postgres://user:password@host:port/database`. */
  | { readonly url: string };

/**
 * Lockout after failed attempts at the password of a username or at
 * the codes of a user. Each source (a network, a trusted device, a session) is counted by itself.
 */
export interface LockoutOptions {
  /** Failed attempts that lock the source. */
  readonly attempts: number;
  /** Failures older than this no longer count, in seconds. */
  readonly windowSeconds: number;
  /** The first lock of a source, in seconds; each further one is twice as long. */
  readonly lockSeconds: number;
  /** The longest lock, and how long a source must be quiet until its locks are forgotten, in seconds. */
  readonly longestLockSeconds: number;
  /** Failed attempts of one source in a day. */
  readonly attemptsPerDay: number;
  /** Wrong passwords for one username in a day, from all unknown networks (see `Attempts`). */
  readonly passwordsPerDay: number;
  /** Wrong codes for one user in a day, from all unknown networks. */
  readonly codesPerDay: number;
}

export const defaultLockout: LockoutOptions = {
  attempts: 5,
  windowSeconds: 900,
  lockSeconds: 900,
  longestLockSeconds: 86_400,
  attemptsPerDay: 20,
  passwordsPerDay: 100,
  codesPerDay: 20,
};

/** Limits of text messages; counted in the database, each for a window of its own. */
export interface TextLimits {
  /** Codes for signing in, for one user. */
  readonly signInsPerUser: number;
  /** Codes for setting up a phone, for one user. */
  readonly setUpsPerUser: number;
  /** Codes for setting up one phone, for all users together, so that no phone can be flooded. */
  readonly setUpsPerPhone: number;
  /** Length of the window, in seconds. */
  readonly windowSeconds: number;
}

const defaultTextLimits: TextLimits = {
  signInsPerUser: 10,
  setUpsPerUser: 5,
  setUpsPerPhone: 5,
  windowSeconds: 3600,
};

/** Limits per client address; counted in this process (the lockout, which is shared, is in the database). */
export interface RateLimitOptions {
  /** All calls, also those that do not exist. */
  readonly requestsPerMinute: number;
  /**
   * `POST /auth/v1/token`: a sign-in takes up to three (password, code, another code), so ten people behind
   * one address get in within one minute.
   */
  readonly tokenCallsPerMinute: number;
  /**
   * `GET /auth/v1/method/{username}`, which tells whether the username exists; one for each sign-in.
   */
  readonly methodCallsPerMinute: number;
  /** Other calls that check a secret or send a message, each call by itself. */
  readonly secretChecksPerMinute: number;
}

const defaultRateLimit: RateLimitOptions = {
  requestsPerMinute: 600,
  tokenCallsPerMinute: 30,
  methodCallsPerMinute: 30,
  secretChecksPerMinute: 60,
};

/** Cost of argon2id (RFC 9106 §4), and how much of it is done. Tests ask for less. */
export interface PasswordHashOptions {
  /** Memory in KiB. */
  readonly memoryKib: number;
  /** Number of passes. */
  readonly passes: number;
  /**
   * Hashes at once for all callers, half of them at most for one address. Default: one for each processor, 2 or 3: Node's
   * pool has 4 threads, and what else needs one (a signature to check, a name to look up) must not wait for a hash.
   */
  readonly atOnce: number;
  /** Hashes that wait, besides. Beyond it calls are answered 503, as are those that still wait 6 s after they came. */
  readonly waiting: number;
}

const defaultPasswordHash: PasswordHashOptions = {
  memoryKib: 65_536,
  passes: 3,
  atOnce: Math.min(3, Math.max(2, availableParallelism())),
  waiting: 64,
};

/** Facts of one event; never a secret, a body, or a path parameter. */
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** Where events are written. */
export interface Logger {
  readonly info: (event: string, fields?: LogFields) => void;
  readonly warn: (event: string, fields?: LogFields) => void;
  readonly error: (event: string, fields?: LogFields) => void;
}

const silent: Logger = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Lives and periods, and what holds unless an option says otherwise. */
const defaultDurations = {
  /** Life of a session token. */
  accessTokenSeconds: 900,
  /** A refresh token that is not used for this long is dead. */
  refreshTokenSeconds: 28_800,
  /** The longest life of a session however often it is refreshed. */
  sessionSeconds: 86_400,
  /** A rotated refresh token is still answered for this long. */
  refreshGraceSeconds: 10,
  /** Life of an `mfaJWT`. */
  setupTokenSeconds: 900,
  /** Time to answer a challenge at sign-in; a new text message starts it again, up to three times as much in all. */
  challengeSeconds: 600,
  /** Life of the code in a text message. */
  textCodeSeconds: 600,
  /** Time to verify the first code of a new second factor; by text message no longer than `textCodeSeconds`. */
  enrolmentSeconds: 600,
  /** Life of a verified identity. */
  verificationSeconds: 180,
  /** How long ago a provider may have asked for credentials at a re-authentication. */
  reauthenticationSeconds: 120,
  /** How long a trusted device skips the challenge. */
  trustedDeviceSeconds: 2_592_000,
  /** Age at which a signing key gets a successor. */
  signingKeySeconds: 7_776_000,
};

type Durations = Readonly<typeof defaultDurations>;

/** What a service works with: the options, with every default filled in. */
export interface ServiceSettings extends Durations {
  readonly database: DatabaseOptions;
  /** The public URL of this service: `iss` of its tokens. */
  readonly issuer: string;
  /** Origins of the login pages, exact (`https://login.example.com`). */
  readonly allowedOrigins: readonly string[];
  readonly textLimits: TextLimits;
  /** Names the product in text messages and in authenticator apps. */
  readonly productName: string;
  /**
   * 32 bytes in base64 or base64url, with which the signing key and the secrets of authenticator apps are encrypted. More,
   * separated by commas or white space, open what was encrypted with them. It may be absent with the embedded database and an issuer on this machine only; they are then stored as they are.
   */
  readonly encryptionKey?: string;
  /** Sign-in with Google and Microsoft. Absent: neither. */
  readonly providers?: ProvidersOptions;
  readonly links: LinkOptions;
  readonly lockout: LockoutOptions;
  /** `'off'` is for tests. */
  readonly rateLimit: RateLimitOptions | 'off';
  readonly passwordHash: PasswordHashOptions;
  /** Addresses or ranges of proxies whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly string[];
  /** The clock, in milliseconds since 1970. */
  readonly now: () => number;
  /** How long entries of the audit log are kept, in days. */
  readonly auditDays: number;
  /** Where text messages and mails go; by default each is refused with an error. */
  readonly outbox: Outbox;
  /** By default nothing is written. */
  readonly logger: Logger;
}

/** Settings that an option may give in part. */
type Groups = 'links' | 'lockout' | 'textLimits' | 'passwordHash';

/** Everything that a service can be told. Only `database`, `issuer` and `allowedOrigins` have no default. */
export type ServiceOptions = Pick<ServiceSettings, 'database' | 'issuer' | 'allowedOrigins'> &
  Partial<Omit<ServiceSettings, Groups | 'rateLimit'>> & {
    readonly [Group in Groups]?: Partial<ServiceSettings[Group]>;
  } & { readonly rateLimit?: Partial<RateLimitOptions> | 'off' };

/** Fills in the defaults. */
export function settingsFrom(options: ServiceOptions): ServiceSettings {
  return {
    ...defaultDurations,
    productName: 'Payments',
    trustedProxies: [],
    auditDays: 400,
    now: Date.now,
    outbox: noOutbox,
    logger: silent,
    ...options,
    links: linkSettings(options.links, options.allowedOrigins),
    lockout: { ...defaultLockout, ...options.lockout },
    textLimits: { ...defaultTextLimits, ...options.textLimits },
    rateLimit: options.rateLimit === 'off' ? 'off' : { ...defaultRateLimit, ...options.rateLimit },
    passwordHash: { ...defaultPasswordHash, ...options.passwordHash },
  };
}

/** Where OpenTelemetry traces go. */
export interface TracesOptions {
  /** Base address of a collector that takes OTLP over HTTP. */
  readonly endpoint: string;
  /** Sent with each delivery, a token of the collector for example. */
  readonly headers: Readonly<Record<string, string>>;
  /** Share of calls that are traced, 0 to 1. */
  readonly ratio: number;
  readonly serviceName: string;
}
