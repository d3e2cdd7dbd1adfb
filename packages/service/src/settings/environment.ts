import { readFileSync } from 'node:fs';
import { isProtected } from '../addresses.ts';
import type { SmtpOptions } from '../outbox/smtpMail.ts';
import type { TextWebhookOptions, TwilioOptions } from '../outbox/textProvider.ts';
import { isWebAddress, type LinkOptions } from './linkOptions.ts';
import type { DatabaseOptions, ServiceOptions, TracesOptions } from './options.ts';
import type { ProvidersOptions } from './providersOptions.ts';

/** What `start.ts` needs besides the service's own options. */
export interface Environment {
  readonly port: number;
  /** Address to listen on. */
  readonly host: string;
  readonly service: ServiceOptions;
  /** How long calls are still taken after the signal to stop. */
  readonly drainSeconds: number;
  /** Where metrics are served; absent: nowhere. */
  readonly metrics?: { readonly port: number; readonly host: string };
  /** Absent: nothing is traced. */
  readonly traces?: TracesOptions;
  /** Absent: mails are not sent. */
  readonly smtp?: SmtpOptions;
  /** One of them at most; neither: text messages are not sent. */
  readonly twilio?: TwilioOptions;
  readonly textWebhook?: TextWebhookOptions;
}

type Variables = Readonly<Record<string, string | undefined>>;

/** A variable is missing or malformed; the message names it. */
export class EnvironmentError extends Error {
  override readonly name = 'EnvironmentError';
}

/** Variables whose value is a secret; each may be in a file that `NAME_FILE` names. */
export const secretVariables = [
  'DATABASE_URL',
  'ENCRYPTION_KEY',
  'SMTP_URL',
  'TWILIO_AUTH_TOKEN',
  'TEXT_WEBHOOK_SECRET',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'GOOGLE_CLIENT_SECRET',
  'MICROSOFT_CLIENT_SECRET',
] as const;

/**
 * The variables, with the secrets that are in files. A final line break of a file is not part of the secret.
 *
 * @throws EnvironmentError naming the variable whose file cannot be read, or that is given twice.
 */
export function withSecretFiles(variables: Variables): Variables {
  const complete: Record<string, string | undefined> = { ...variables };
  for (const name of secretVariables) {
    const file = nonEmpty(variables[`${name}_FILE`]);
    if (file === undefined) continue;
    if (nonEmpty(variables[name]) !== undefined)
      throw new EnvironmentError(`${name} and ${name}_FILE are both set.`);
    try {
      complete[name] = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
    } catch {
      throw new EnvironmentError(`The file that ${name}_FILE names cannot be read.`);
    }
  }
  return complete;
}

/**
 * Reads the environment variables that `README.md` lists.
 *
 * @throws EnvironmentError naming the first variable that is missing or malformed.
 */
export function readEnvironment(variables: Variables): Environment {
  const seconds = (name: string): number | undefined => optionalInteger(variables, name, 1, 31_536_000);
  const perMinute = (name: string): number | undefined => optionalInteger(variables, name, 1, 1_000_000);
  const port = optionalInteger(variables, 'PORT', 0, 65_535) ?? 4001;
  const metricsPort = optionalInteger(variables, 'METRICS_PORT', 1, 65_535);
  const read = (name: string): string | undefined => (variables[name] === '' ? undefined : variables[name]);
  const providers = providersFrom(read, (name) => required(variables, name));
  return {
    port,
    host: variables['HOST'] ?? '127.0.0.1',
    drainSeconds: optionalInteger(variables, 'DRAIN_SECONDS', 0, 3600) ?? 2,
    ...present('smtp', smtpFrom(variables)),
    ...present('traces', tracesFrom(read)),
    ...(metricsPort === undefined
      ? {}
      : { metrics: { port: metricsPort, host: nonEmpty(variables['METRICS_HOST']) ?? '127.0.0.1' } }),
    ...textsFrom(read, (name) => required(variables, name)),
    service: {
      database: databaseFrom(variables),
      issuer: originFrom(required(variables, 'ISSUER'), 'ISSUER'),
      allowedOrigins: listFrom(required(variables, 'ALLOWED_ORIGINS')).map((origin) =>
        originFrom(origin, 'ALLOWED_ORIGINS'),
      ),
      trustedProxies: listFrom(variables['TRUSTED_PROXIES'] ?? ''),
      ...present('accessTokenSeconds', seconds('ACCESS_TOKEN_SECONDS')),
      ...present('refreshTokenSeconds', seconds('REFRESH_TOKEN_SECONDS')),
      ...present('sessionSeconds', seconds('SESSION_SECONDS')),
      ...present('signingKeySeconds', seconds('SIGNING_KEY_SECONDS')),
      ...present('auditDays', optionalInteger(variables, 'AUDIT_DAYS', 1, 36_500)),
      ...present('productName', nonEmpty(variables['PRODUCT_NAME'])),
      ...present('encryptionKey', nonEmpty(variables['ENCRYPTION_KEY'])),
      ...(providers === undefined ? {} : { providers }),
      links: linksFrom((name) => addressFrom(read(name), name), seconds),
      lockout: {
        ...present('attempts', optionalInteger(variables, 'LOCKOUT_ATTEMPTS', 1, 1000)),
        ...present('windowSeconds', seconds('LOCKOUT_WINDOW_SECONDS')),
        ...present('lockSeconds', seconds('LOCKOUT_SECONDS')),
        ...present('longestLockSeconds', seconds('LOCKOUT_LONGEST_SECONDS')),
        ...present('attemptsPerDay', optionalInteger(variables, 'LOCKOUT_ATTEMPTS_PER_DAY', 1, 1000)),
        ...present('passwordsPerDay', optionalInteger(variables, 'LOCKOUT_PASSWORDS_PER_DAY', 1, 100_000)),
        ...present('codesPerDay', optionalInteger(variables, 'LOCKOUT_CODES_PER_DAY', 1, 1000)),
      },
      passwordHash: { ...present('atOnce', optionalInteger(variables, 'HASHES_AT_ONCE', 1, 3)) },
      rateLimit: {
        ...present('requestsPerMinute', perMinute('REQUESTS_PER_MINUTE')),
        ...present('tokenCallsPerMinute', perMinute('TOKEN_CALLS_PER_MINUTE')),
        ...present('methodCallsPerMinute', perMinute('METHOD_CALLS_PER_MINUTE')),
        ...present('secretChecksPerMinute', perMinute('SECRET_CHECKS_PER_MINUTE')),
      },
    },
  };
}

function databaseFrom(variables: Variables): DatabaseOptions {
  const url = variables['DATABASE_URL'];
  if (url === undefined || url === '') {
    if (variables['NODE_ENV'] === 'production')
      throw new EnvironmentError('DATABASE_URL is not set: the embedded database is for development.');
    return { folder: variables['DATA_FOLDER'] ?? '.local/service' };
  }
  if (!/^postgres(ql)?:\/\//.test(url)) {
    throw new EnvironmentError('DATABASE_URL must be a postgres:// address.');
  }
  return { url };
}

function smtpFrom(variables: Variables): SmtpOptions | undefined {
  if (nonEmpty(variables['SMTP_URL']) === undefined) return undefined;
  const url = required(variables, 'SMTP_URL');
  const from = required(variables, 'MAIL_FROM');
  const address = URL.parse(url);
  if (address === null || !/^smtps?:$/.test(address.protocol) || address.hostname === '') {
    // Not the value: it may hold a password.
    throw new EnvironmentError('SMTP_URL must be an address such as smtps://user:password@mail.example.com.');
  }
  if (!/^(?:[^<>@,;:\r\n]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/.test(from)) {
    throw new EnvironmentError('MAIL_FROM must be a sender such as Payments <no-reply@example.com>.');
  }
  return { url, from };
}

/** OpenTelemetry's own names, of which these are read. */
function tracesFrom(read: Read): TracesOptions | undefined {
  const endpoint = read('OTEL_EXPORTER_OTLP_ENDPOINT');
  if (endpoint === undefined) return undefined;
  checkProtected(endpoint, 'OTEL_EXPORTER_OTLP_ENDPOINT');
  const share = read('OTEL_TRACES_SAMPLER_ARG')?.trim() ?? '1';
  const ratio = Number(share);
  if (share === '' || !(ratio >= 0 && ratio <= 1))
    throw new EnvironmentError('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1.');
  const headers = listFrom(read('OTEL_EXPORTER_OTLP_HEADERS') ?? '').map((pair) => {
    const [, name, value] = /^([\w!#$%&'*+.^`|~-]+)\s*=\s*(.*)$/.exec(pair) ?? [];
    try {
      if (name !== undefined && value !== undefined) return [name, decodeURIComponent(value)] as const;
    } catch {
      // Not UTF-8, or a percent sign that stands for itself.
    }
    throw new EnvironmentError(
      'OTEL_EXPORTER_OTLP_HEADERS must be pairs such as name=value, comma-separated, with %25 for a percent sign.',
    );
  });
  const serviceName = read('OTEL_SERVICE_NAME') ?? 'vestibule';
  return { endpoint, headers: Object.fromEntries(headers), ratio, serviceName };
}

/**
 * Who sends text messages, from the variables that `README.md` lists.
 *
 * @param required reads a variable that must be set now, or throws naming it.
 */
function textsFrom(
  read: Read,
  required: (name: string) => string,
): Pick<Environment, 'twilio' | 'textWebhook'> {
  const accountSid = read('TWILIO_ACCOUNT_SID');
  const url = read('TEXT_WEBHOOK_URL');
  if (accountSid !== undefined && url !== undefined)
    throw new EnvironmentError('TWILIO_ACCOUNT_SID and TEXT_WEBHOOK_URL are both set: choose one.');
  if (url !== undefined) {
    checkProtected(url, 'TEXT_WEBHOOK_URL');
    const secret = required('TEXT_WEBHOOK_SECRET');
    if (!isWebhookSecret(secret)) {
      throw new EnvironmentError(
        'TEXT_WEBHOOK_SECRET must be 24 to 64 bytes in base64; `openssl rand -base64 32` makes them.',
      );
    }
    return { textWebhook: { url, secret } };
  }
  if (accountSid === undefined) return {};
  const messagingServiceSid = read('TWILIO_MESSAGING_SERVICE_SID');
  const sender =
    messagingServiceSid === undefined ? { from: required('TWILIO_FROM') } : { messagingServiceSid };
  const apiUrl = read('TWILIO_API_URL');
  if (apiUrl !== undefined) checkProtected(apiUrl, 'TWILIO_API_URL');
  const authToken = required('TWILIO_AUTH_TOKEN');
  return { twilio: { accountSid, authToken, sender, ...present('apiUrl', apiUrl?.replace(/\/+$/, '')) } };
}

/** As Standard Webhooks writes it. */
function isWebhookSecret(secret: string): boolean {
  const base64 = secret.replace(/^whsec_/, '');
  const { byteLength } = Buffer.from(base64, 'base64');
  return /^[A-Za-z0-9+/]+={0,2}$/.test(base64) && byteLength >= 24 && byteLength <= 64;
}

function checkProtected(address: string, name: string): void {
  const url = URL.parse(address);
  if (isProtected(address) && url?.username === '' && url.password === '') return;
  throw new EnvironmentError(
    `${name} must be an https address without a user. Plain http is accepted on this machine only.`,
  );
}

function required(variables: Variables, name: string): string {
  const value = variables[name];
  if (value === undefined || value === '') throw new EnvironmentError(`${name} is not set.`);
  return value;
}

function optionalInteger(
  variables: Variables,
  name: string,
  least: number,
  most: number,
): number | undefined {
  const value = variables[name];
  if (value === undefined || value === '') return undefined;
  const number = Number(value);
  if (!Number.isInteger(number) || number < least || number > most) {
    throw new EnvironmentError(`${name} must be a whole number from ${least} to ${most}.`);
  }
  return number;
}

function originFrom(value: string, name: string): string {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.origin !== value) {
    throw new EnvironmentError(
      `${name} must hold origins such as https://login.example.com, without a path.`,
    );
  }
  return value;
}

function nonEmpty(value: string | undefined): string | undefined {
  return value === '' ? undefined : value;
}

function listFrom(value: string): string[] {
  return value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

function addressFrom(value: string | undefined, name: string): string | undefined {
  if (value === undefined || isWebAddress(value)) return value;
  throw new EnvironmentError(`${name} must be an http(s) address such as https://login.example.com.`);
}

/**
 * Link options from the variables that `README.md` lists.
 *
 * @param address reads a variable that holds a web address; `undefined` where it is not set or empty.
 * @param seconds reads a variable that holds a number of seconds, likewise.
 */
function linksFrom(
  address: (name: string) => string | undefined,
  seconds: (name: string) => number | undefined,
): Partial<LinkOptions> {
  return {
    ...present('signOnUrl', address('SIGN_ON_URL')),
    ...present('shortLinkUrl', address('SHORT_LINK_URL')),
    ...present('resetSeconds', seconds('RESET_LINK_SECONDS')),
    ...present('invitationSeconds', seconds('INVITATION_SECONDS')),
    ...present('magicLinkSeconds', seconds('MAGIC_LINK_SECONDS')),
  };
}

/** Reads one variable; `undefined` where it is not set or empty. */
type Read = (name: string) => string | undefined;

/**
 * Providers from the variables that `README.md` lists.
 *
 * @param required reads a variable that must be set now, or throws naming it.
 * @returns `undefined` when no client id is set.
 */
function providersFrom(read: Read, required: (name: string) => string): ProvidersOptions | undefined {
  const client = (
    prefix: string,
  ): { readonly clientId: string; readonly clientSecret: string } | undefined => {
    const clientId = read(`${prefix}_CLIENT_ID`);
    return clientId === undefined
      ? undefined
      : { clientId, clientSecret: required(`${prefix}_CLIENT_SECRET`) };
  };
  const google = client('GOOGLE');
  const microsoft = client('MICROSOFT');
  if (google === undefined && microsoft === undefined) return undefined;
  return {
    redirectUri: required('PROVIDER_REDIRECT_URI'),
    ...(google === undefined
      ? {}
      : { google: { ...google, issuer: read('GOOGLE_ISSUER') ?? 'https://accounts.google.com' } }),
    ...(microsoft === undefined
      ? {}
      : {
          microsoft: {
            ...microsoft,
            issuerTemplate:
              read('MICROSOFT_ISSUER_TEMPLATE') ?? 'https://login.microsoftonline.com/{tenantId}/v2.0',
          },
        }),
  };
}

/** An object with one option, or none where it is absent, so that its default applies. */
function present<Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): Readonly<Partial<Record<Name, Value>>>;
function present(name: string, value: unknown): Readonly<Record<string, unknown>> {
  return value === undefined ? {} : { [name]: value };
}
