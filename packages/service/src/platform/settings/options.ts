import type { Outbox } from '../outbox/outbox.ts';
import type { MailLook } from '../themes/mailLook.ts';

/** Where the service keeps its state. */
export type DatabaseOptions =
  /** Embedded PostgreSQL (PGlite); `null` keeps all data in memory, for tests. */
  | { readonly folder: string | null }
  /** A PostgreSQL server, 15 or later: `postgres://user:password@host:port/database`. */
  | { readonly url: string };

/** Cost of argon2id (RFC 9106 §4), and limits of its queue. Tests use less. */
export interface PasswordHashOptions {
  /** Memory in KiB. */
  readonly memoryKib: number;
  /** Number of passes. */
  readonly passes: number;
  /**
   * Hashes at once for all callers; at most half of them for one address. Default: the number of processors, but 2 or
   * 3, because Node's pool has 4 threads and other work in it (signatures, host names) must not wait for a hash.
   */
  readonly atOnce: number;
  /** Hashes that wait in the queue. Calls beyond it get 503, as do those that have waited for 6 s. */
  readonly waiting: number;
}

/** Fields of one event; never a secret, a body, or a path parameter. */
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

export type LogLevel = 'info' | 'warn' | 'error';

/** Writes events. */
export type Logger = Readonly<Record<LogLevel, (event: string, fields?: LogFields) => void>>;

/** Writes nothing. */
export const silentLogger: Logger = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** The settings that are independent of sign-on. */
export interface PlatformSettings {
  readonly database: DatabaseOptions;
  /** Public origin of this service: `iss` of its tokens. */
  readonly issuer: string;
  /** Origins of the login pages, exact (`https://login.example.com`). */
  readonly allowedOrigins: readonly string[];
  /** Languages of errors, mails and text messages (BCP 47), the default first. Default: English. */
  readonly languages: readonly string[];
  /** What mails show of a theme. Absent: plain mails. */
  readonly mailLook?: MailLook;
  /**
   * 32 bytes in base64 or base64url, which encrypt the signing key, the secrets of authenticator apps and unsent
   * messages. May contain several keys, separated by commas or white space: the first encrypts, all decrypt. Optional
   * only with the embedded database and an issuer on this machine; secrets are then stored as plaintext.
   */
  readonly encryptionKey?: string;
  /** Whether RS256 keys are made and published beside the ES256 ones. Default `false`. */
  readonly rsaKeys: boolean;
  readonly passwordHash: PasswordHashOptions;
  /**
   * Addresses or ranges of proxies whose `X-Forwarded-For` is trusted. Without it, all users behind a proxy share one
   * client address, and with it the limits and the lockout.
   */
  readonly trustedProxies: readonly string[];
  /** Value of Strict-Transport-Security. Default: that of helmet. */
  readonly transportSecurity?: string;
  /** The clock, in milliseconds since 1970. */
  readonly now: () => number;
  /**
   * Whether the start brings the schema of the database up to date, or requires that `vestibule migrate` has done so. An empty database
   * gets its schema in any case. Default 'update'.
   */
  readonly schema: 'update' | 'require';
  /** Who runs a command, for the audit log. Absent in the service itself. */
  readonly administrator?: string;
  /** How long entries of the audit log are kept, in days. */
  readonly auditDays: number;
  /** Sends text messages and mails; by default each is refused with an error. */
  readonly outbox: Outbox;
  /** By default nothing is logged. */
  readonly logger: Logger;
}

/** Where OpenTelemetry traces go. */
export interface TracesOptions {
  /** Base address of a collector that accepts OTLP over HTTP. */
  readonly endpoint: string;
  /** Headers of each export, for example a token of the collector. */
  readonly headers: Readonly<Record<string, string>>;
  /** Share of calls that are traced, 0 to 1. */
  readonly ratio: number;
  readonly serviceName: string;
}
