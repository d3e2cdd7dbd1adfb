import { availableParallelism } from 'node:os';
import type { DeployedClient } from '../clientFields.ts';
import {
  silentLogger,
  type PasswordHashOptions,
  type PlatformSettings,
} from '../../platform/settings/options.ts';
import type { Limits } from '../../platform/http/limiter.ts';
import { linkSettings, type LinkOptions } from './linkOptions.ts';
import type { ProvidersOptions } from './providersOptions.ts';

/**
 * Lockout after failed attempts at the password of a username or at the codes of a user. Each source (a network, a
 * trusted device or a session) is counted separately.
 */
export interface LockoutOptions {
  /** Failed attempts that lock the source. */
  readonly attempts: number;
  /** Failures older than this no longer count, in seconds. */
  readonly windowSeconds: number;
  /** The first lock of a source, in seconds; each further one is twice as long. */
  readonly lockSeconds: number;
  /** The longest lock, and the time without failures after which the locks of a source are forgotten, in seconds. */
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

/** Limits of text messages within one window; counted in the database. */
export interface TextLimits {
  /** Codes for signing in, for one user. */
  readonly signInsPerUser: number;
  /** Codes for enrolling a phone, for one user. */
  readonly setUpsPerUser: number;
  /** Codes for enrolling one phone, for all users together, so that no phone can be flooded. */
  readonly setUpsPerPhone: number;
  /** All codes of all users: bounds what a fault or an attack can cost. */
  readonly all: number;
  /** Length of the window, in seconds. */
  readonly windowSeconds: number;
}

const defaultTextLimits: TextLimits = {
  signInsPerUser: 10,
  setUpsPerUser: 5,
  setUpsPerPhone: 5,
  all: 1000,
  windowSeconds: 3600,
};

/** Limits per address of the caller, or client, and process. (The lockout is shared by all processes, in the database.) */
export interface RateLimitOptions {
  /** All calls, including unknown addresses. */
  readonly requestsPerMinute: number;
  /**
   * `POST /auth/v1/token`. A sign-in takes up to three calls (password, code, second code), so ten people behind one
   * address can sign in within a minute.
   */
  readonly tokenCallsPerMinute: number;
  /** `GET /auth/v1/method/{username}`, which reveals whether the username exists; one call for each sign-in. */
  readonly methodCallsPerMinute: number;
  /** Other calls that check a secret or send a message, counted per call, and what `ForeignContext` counts. */
  readonly secretChecksPerMinute: number;
  /** Sign-ins that other applications have started and that are not finished. A finished one counts no longer. */
  readonly unfinishedSignInsPerMinute: number;
  /** Calls of the server of an application, for its client from any address. Refused ones count as checks of a secret. */
  readonly clientCallsPerMinute: number;
  /** Addresses or ranges without these limits, for example of an office behind one address. The lockout applies to them too. */
  readonly unlimitedNetworks: readonly string[];
}

/** The limits of `RateLimitOptions`, by their names. */
export type RateLimits = Limits<RateLimit>;

export type RateLimit = Exclude<keyof RateLimitOptions, 'unlimitedNetworks'>;

const defaultRateLimit: RateLimitOptions = {
  requestsPerMinute: 600,
  tokenCallsPerMinute: 30,
  methodCallsPerMinute: 30,
  secretChecksPerMinute: 60,
  unfinishedSignInsPerMinute: 60,
  clientCallsPerMinute: 600,
  unlimitedNetworks: [],
};

const defaultPasswordHash: PasswordHashOptions = {
  memoryKib: 65_536,
  passes: 3,
  atOnce: Math.min(3, Math.max(2, availableParallelism())),
  waiting: 64,
};

/** Default lifetimes and periods, in seconds. */
const defaultDurations = {
  /** Lifetime of a session token. */
  accessTokenSeconds: 900,
  /** Lifetime of an unused refresh token. */
  refreshTokenSeconds: 28_800,
  /** Lifetime of a session, regardless of how often it is refreshed. */
  sessionSeconds: 86_400,
  /** The grace period, in which a rotated refresh token is still accepted. */
  refreshGraceSeconds: 10,
  /** Lifetime of a setup token (`mfaJWT`). */
  setupTokenSeconds: 900,
  /** Lifetime of a challenge, also of a passkey; a new text message restarts it, up to three times this long in total. */
  challengeSeconds: 600,
  /** Lifetime of the code in a text message. */
  textCodeSeconds: 600,
  /** Lifetime of an enrolment until its first code; by text message at most `textCodeSeconds`. */
  enrolmentSeconds: 600,
  /** Lifetime of a verification token. */
  verificationSeconds: 180,
  /** Maximum age of a sign-in at the provider (`auth_time`) when an identity is verified. */
  reauthenticationSeconds: 120,
  /** How long a trusted device skips the second step. */
  trustedDeviceSeconds: 2_592_000,
  /** Age at which a signing key gets a successor. */
  signingKeySeconds: 7_776_000,
};

type Durations = Readonly<typeof defaultDurations>;

/** The options with every default filled in. A capability extends them with its own. */
export interface ServiceSettings extends Durations, PlatformSettings {
  readonly textLimits: TextLimits;
  /** Name of the product in text messages and authenticator apps. */
  readonly productName: string;
  /** Sign-in with Google and Microsoft. Absent: neither. */
  readonly providers?: ProvidersOptions;
  /** Applications of the deployment file that are registered here. Default: none. */
  readonly clients: readonly DeployedClient[];
  readonly links: LinkOptions;
  readonly lockout: LockoutOptions;
  /** `'off'` is for tests. */
  readonly rateLimit: RateLimitOptions | 'off';
}

/** Groups of settings that may be given in part. */
type Groups = 'links' | 'lockout' | 'textLimits' | 'passwordHash';

/** All options. Only `database`, `issuer` and `allowedOrigins` are required. */
export type OptionsOf<Settings extends ServiceSettings> = Pick<
  ServiceSettings,
  'database' | 'issuer' | 'allowedOrigins'
> &
  Partial<Omit<Settings, Groups | 'rateLimit'>> & {
    readonly [Group in Groups]?: Partial<ServiceSettings[Group]>;
  } & { readonly rateLimit?: Partial<RateLimitOptions> | 'off' };

/** Fills in the defaults. @param defaults of the capabilities. */
export function settingsFrom<Settings extends ServiceSettings>(
  options: OptionsOf<Settings>,
  defaults?: Partial<Settings>,
): Settings {
  const given = {
    ...defaultDurations,
    languages: ['en'],
    productName: 'Payments',
    trustedProxies: [],
    auditDays: 400,
    clients: [],
    rsaKeys: false,
    ...defaults,
    schema: 'update' as const,
    now: Date.now,
    outbox: {},
    logger: silentLogger,
    ...options,
    links: linkSettings(options.links, options.allowedOrigins),
    lockout: { ...defaultLockout, ...options.lockout },
    textLimits: { ...defaultTextLimits, ...options.textLimits },
    rateLimit: options.rateLimit === 'off' ? 'off' : { ...defaultRateLimit, ...options.rateLimit },
    passwordHash: { ...defaultPasswordHash, ...options.passwordHash },
  };
  // The compiler cannot tell that `defaults` and `options` have the settings of the capabilities.
  return given as unknown as Settings;
}
