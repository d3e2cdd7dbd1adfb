import type { AppConfig } from '@vestibule/contract/appConfig';
import * as v from 'valibot';
import { isNetwork, isProtected } from './platform/addresses.ts';
import { clientsVariable } from './core/clientFields.ts';
import { isServerAddress } from './platform/database/connect.ts';
import type { CertificateFiles } from './platform/http/webServer.ts';
import { mailLookVariable } from './platform/themes/mailLook.ts';
import { reasonOf } from './platform/namedError.ts';
import type { SmtpOptions } from './platform/outbox/smtpMail.ts';
import type { TextWebhookOptions, TwilioOptions } from './platform/outbox/textProvider.ts';
import { isWebAddress } from './core/settings/linkOptions.ts';
import { readSecretFile } from './platform/settings/secretFile.ts';
import { list, origin, required, text, type ReadVariable } from './platform/settings/variables.ts';
import { settingsParts, type ServiceOptions } from './slots.ts';
import type { DatabaseOptions, LogLevel, TracesOptions } from './platform/settings/options.ts';
import { translatedLanguages } from './platform/texts/texts.ts';

/** The options of the process, in addition to those of the service. */
export interface Environment {
  readonly port: number;
  /** Address to listen on; absent: all addresses. */
  readonly host?: string;
  /** Files with the certificate and its chain, and with the key, PEM; absent: plain http. */
  readonly tls?: CertificateFiles;
  /** Port on which http requests are redirected to https; absent: none. */
  readonly redirectPort?: number;
  /** Webroot with responses to challenges of a certificate authority (ACME, http-01), which `redirectPort` serves. */
  readonly acmeFolder?: string;
  readonly service: ServiceOptions;
  /** How long calls are still accepted after the signal to stop. */
  readonly drainSeconds: number;
  /** The least level of events that are logged. */
  readonly logLevel: LogLevel;
  /** Where metrics are served; absent: not served. */
  readonly metrics?: { readonly port: number; readonly host: string };
  /** Absent: no traces. */
  readonly traces?: TracesOptions;
  /** Absent: mails are not sent. */
  readonly smtp?: SmtpOptions;
  /** The sender of text messages, at most one of the two. Without one no text messages are sent. */
  readonly twilio?: TwilioOptions;
  readonly textWebhook?: TextWebhookOptions;
}

/** The variables of the environment, or of a file. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** A variable is missing or malformed; the message names it. */
export class EnvironmentError extends Error {
  override readonly name = 'EnvironmentError';
}

/** Variables whose value is a secret or of several lines. `NAME_FILE` may name a file with the value instead. */
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
 * The variables, including the secrets that are in files.
 *
 * @throws EnvironmentError naming the variable whose file cannot be read or can be changed by others, or that is set twice.
 */
export function withSecretFiles(variables: Variables): Variables {
  const complete: Record<string, string | undefined> = { ...variables };
  for (const name of secretVariables) {
    const file = variables[`${name}_FILE`];
    if (!file) continue;
    if (variables[name]) throw new EnvironmentError(`${name} and ${name}_FILE are both set.`);
    try {
      complete[name] = readSecretFile(file);
    } catch (error) {
      throw new EnvironmentError(`${name}_FILE: ${reasonOf(error)}.`);
    }
  }
  return complete;
}

const whole = (least: number, most: number) =>
  v.optional(
    v.pipe(
      v.string(),
      v.transform(Number),
      v.check(
        (number) => Number.isInteger(number) && number >= least && number <= most,
        `must be a whole number from ${least} to ${most}.`,
      ),
    ),
  );
const seconds = whole(1, 31_536_000);
const perMinute = whole(1, 1_000_000);

const networks = v.optional(
  v.pipe(
    v.string(),
    list,
    v.array(v.pipe(v.string(), v.check(isNetwork, 'must hold addresses or ranges such as 203.0.113.0/24.'))),
  ),
);

/** The names are those of the library that reads the header. */
const proxies = v.pipe(
  v.optional(v.string(), ''),
  list,
  v.array(
    v.pipe(
      v.string(),
      v.check(
        (network) => isNetwork(network) || ['loopback', 'linklocal', 'uniquelocal'].includes(network),
        'must hold addresses or ranges such as 203.0.113.0/24.',
      ),
    ),
  ),
);

/** An address that a path can be appended to. */
const webAddress = v.optional(
  v.pipe(v.string(), v.check(isWebAddress, 'must be an http(s) address such as https://login.example.com.')),
);

/** An address to which secrets are sent. */
const protectedAddress = v.pipe(
  v.string(),
  v.check((value) => {
    const url = URL.parse(value);
    return isProtected(value) && url?.username === '' && url.password === '';
  }, 'must be an https address without a user. Plain http is accepted on this machine only.'),
);

/** A secret in the format of Standard Webhooks. */
const webhookSecret = v.pipe(
  required,
  v.check((secret) => {
    const base64 = secret.replace(/^whsec_/, '');
    const { byteLength } = Buffer.from(base64, 'base64');
    return /^[A-Za-z0-9+/]+={0,2}$/.test(base64) && byteLength >= 24 && byteLength <= 64;
  }, 'must be 24 to 64 bytes in base64; `openssl rand -base64 32` makes them.'),
);

const postgres = v.optional(
  v.pipe(
    v.string(),
    v.regex(/^postgres(ql)?:\/\//, 'must be a postgres:// address.'),
    v.check(
      isServerAddress,
      'must be a postgres:// address, with %23 for # in the password, %2F for /, %3F for ? and %25 for %.',
    ),
  ),
);

const smtpUrl = v.pipe(
  required,
  v.check((value) => {
    const url = URL.parse(value);
    return url !== null && /^smtps?:$/.test(url.protocol) && url.hostname !== '';
  }, 'must be an address such as smtps://user:password@mail.example.com.'),
);

const sender = v.pipe(
  required,
  v.regex(
    /^(?:[^<>@,;:\r\n]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/,
    'must be a sender such as Payments <no-reply@example.com>.',
  ),
);

const transportSecurity = v.optional(
  v.pipe(
    v.string(),
    v.regex(
      /^max-age=\d{1,9}(?:; includeSubDomains)?(?:; preload)?$/,
      'must be max-age=SECONDS, then optionally ; includeSubDomains and ; preload.',
    ),
  ),
);

const logLevel = v.optional(v.picklist(['info', 'warn', 'error'], 'must be info, warn or error.'), 'info');

const ratio = v.pipe(
  v.optional(v.string(), '1'),
  v.check(
    (value) => value.trim() !== '' && Number(value) >= 0 && Number(value) <= 1,
    'must be a number from 0 to 1.',
  ),
  v.transform(Number),
);

const invalid = (): never => {
  throw new TypeError('Not a pair');
};

/** Pairs in the format of OpenTelemetry. */
const headers = v.pipe(
  v.optional(v.string(), ''),
  list,
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const pairs = dataset.value.map((pair) => /^([\w!#$%&'*+.^`|~-]+)\s*=\s*(.*)$/.exec(pair) ?? []);
    try {
      return Object.fromEntries(
        pairs.map(([, name, value]) => [name ?? invalid(), decodeURIComponent(value ?? invalid())]),
      );
    } catch {
      // The text is not a pair, not UTF-8, or has an unescaped percent sign.
      addIssue({
        message: 'must be pairs such as name=value, comma-separated, with %25 for a percent sign.',
      });
      return NEVER;
    }
  }),
);

/** Languages that have a catalogue. */
const languages = v.optional(
  v.pipe(
    v.string(),
    list,
    v.check(
      (given) => given.every((one) => one === 'en' || translatedLanguages.includes(one)),
      `must be a comma-separated list of these languages: ${['en', ...translatedLanguages].join(', ')}.`,
    ),
    v.check((given) => new Set(given).size === given.length, 'must list each language once.'),
  ),
);

/** The options of the service, with the variable and the schema of each. Absent: the default of the service applies. */
const options = {
  top: {
    accessTokenSeconds: ['ACCESS_TOKEN_SECONDS', seconds],
    refreshTokenSeconds: ['REFRESH_TOKEN_SECONDS', seconds],
    sessionSeconds: ['SESSION_SECONDS', seconds],
    signingKeySeconds: ['SIGNING_KEY_SECONDS', seconds],
    auditDays: ['AUDIT_DAYS', whole(1, 36_500)],
    languages: ['LANGUAGES', languages],
    mailLook: ['MAIL_LOOK', mailLookVariable],
    clients: ['CLIENTS', clientsVariable],
    productName: ['PRODUCT_NAME', text],
    encryptionKey: ['ENCRYPTION_KEY', text],
    transportSecurity: ['TRANSPORT_SECURITY', transportSecurity],
  },
  links: {
    signOnUrl: ['SIGN_ON_URL', webAddress],
    shortLinkUrl: ['SHORT_LINK_URL', webAddress],
    resetSeconds: ['RESET_LINK_SECONDS', seconds],
    invitationSeconds: ['INVITATION_SECONDS', seconds],
    magicLinkSeconds: ['MAGIC_LINK_SECONDS', seconds],
  },
  lockout: {
    attempts: ['LOCKOUT_ATTEMPTS', whole(1, 1000)],
    windowSeconds: ['LOCKOUT_WINDOW_SECONDS', seconds],
    lockSeconds: ['LOCKOUT_SECONDS', seconds],
    longestLockSeconds: ['LOCKOUT_LONGEST_SECONDS', seconds],
    attemptsPerDay: ['LOCKOUT_ATTEMPTS_PER_DAY', whole(1, 1000)],
    passwordsPerDay: ['LOCKOUT_PASSWORDS_PER_DAY', whole(1, 100_000)],
    codesPerDay: ['LOCKOUT_CODES_PER_DAY', whole(1, 1000)],
  },
  textLimits: { all: ['TEXT_MESSAGES_PER_HOUR', whole(1, 1_000_000)] },
  passwordHash: { atOnce: ['HASHES_AT_ONCE', whole(1, 3)] },
  rateLimit: {
    requestsPerMinute: ['REQUESTS_PER_MINUTE', perMinute],
    tokenCallsPerMinute: ['TOKEN_CALLS_PER_MINUTE', perMinute],
    methodCallsPerMinute: ['METHOD_CALLS_PER_MINUTE', perMinute],
    secretChecksPerMinute: ['SECRET_CHECKS_PER_MINUTE', perMinute],
    unfinishedSignInsPerMinute: ['UNFINISHED_SIGN_INS_PER_MINUTE', perMinute],
    clientCallsPerMinute: ['CLIENT_CALLS_PER_MINUTE', perMinute],
    unlimitedNetworks: ['UNLIMITED_NETWORKS', networks],
  },
} as const;

/** The options of the service that follow from the configuration of its page: its languages and the options of its extensions. */
export function extensionOptions(page: AppConfig): Partial<ServiceOptions> {
  const service = v.parse(v.object(settingsParts.deploymentKeys), {});
  const { given, read } = reader(settingsParts.variablesOf(page, service));
  const { languages = [] } = page;
  return { ...(languages.length === 0 ? {} : { languages }), ...ofExtensions(read, given) };
}

function reader(variables: Variables): { readonly given: Variables; readonly read: ReadVariable } {
  // The variables are not copied, because `readDeployment` observes which of them are read.
  const given: Variables = new Proxy(variables, {
    get: (all, name: string) => (all[name] === '' ? undefined : all[name]),
  });
  const read: ReadVariable = (name, schema) => {
    const result = v.safeParse(schema, given[name], { abortEarly: true });
    // The value is left out, because it may be a secret.
    if (!result.success) throw new EnvironmentError(`${name} ${result.issues[0].message}`);
    return result.output;
  };
  return { given, read };
}

/**
 * Reads the environment variables that `README.md` lists. An empty one counts as not set.
 *
 * @throws EnvironmentError naming the first variable that is missing or malformed.
 */
export function readEnvironment(variables: Variables): Environment {
  const { given, read } = reader(variables);
  const group = <Table extends OptionTable>(table: Table): Options<Table> =>
    present(
      Object.fromEntries(Object.entries(table).map(([key, [name, schema]]) => [key, read(name, schema)])),
    ) as Options<Table>;
  const metricsPort = read('METRICS_PORT', whole(1, 65_535));
  const tls = tlsFrom(given, read);
  return {
    port: read('PORT', whole(0, 65_535)) ?? (tls === undefined ? 4001 : 443),
    drainSeconds: read('DRAIN_SECONDS', whole(0, 3600)) ?? 2,
    logLevel: read('LOG_LEVEL', logLevel),
    ...present({
      // Plain http is for proxies on this machine, unless another address is given.
      host: given['HOST'] ?? (tls === undefined ? '127.0.0.1' : undefined),
      tls,
      redirectPort: tls && (read('REDIRECT_PORT', whole(0, 65_535)) ?? 80),
      acmeFolder: given['ACME_FOLDER'],
      smtp: given['SMTP_URL'] && { url: read('SMTP_URL', smtpUrl), from: read('MAIL_FROM', sender) },
      traces: tracesFrom(given, read),
      metrics: metricsPort && { port: metricsPort, host: given['METRICS_HOST'] ?? '127.0.0.1' },
    }),
    ...textsFrom(given, read),
    service: {
      database: databaseFrom(given, read),
      issuer: read('ISSUER', v.pipe(required, origin)),
      allowedOrigins: read('ALLOWED_ORIGINS', v.pipe(required, list, v.array(v.pipe(v.string(), origin)))),
      trustedProxies: read('TRUSTED_PROXIES', proxies),
      ...group(options.top),
      ...ofExtensions(read, given),
      ...present({ providers: providersFrom(given, read) }),
      links: group(options.links),
      lockout: group(options.lockout),
      textLimits: group(options.textLimits),
      passwordHash: group(options.passwordHash),
      rateLimit: group(options.rateLimit),
    },
  };
}

type OptionTable = Readonly<Record<string, readonly [variable: string, schema: v.GenericSchema]>>;
type Options<Table extends OptionTable> = {
  readonly [Key in keyof Table]?: Exclude<v.InferOutput<Table[Key][1]>, undefined>;
};

/** One of the two alone is an error: the process must not speak plain http by mistake. */
function tlsFrom(given: Variables, read: ReadVariable): Environment['tls'] {
  if (given['TLS_CERTIFICATE_FILE'] === undefined && given['TLS_KEY_FILE'] === undefined) return undefined;
  return { certificate: read('TLS_CERTIFICATE_FILE', required), key: read('TLS_KEY_FILE', required) };
}

function databaseFrom(given: Variables, read: ReadVariable): DatabaseOptions {
  const url = read('DATABASE_URL', postgres);
  if (url !== undefined) return { url };
  if (given['NODE_ENV'] === 'production')
    throw new EnvironmentError('DATABASE_URL is not set: the embedded database is for development.');
  return { folder: given['DATA_FOLDER'] ?? '.local/service' };
}

/** The variables that are read have the names that OpenTelemetry defines. */
function tracesFrom(given: Variables, read: ReadVariable): TracesOptions | undefined {
  if (given['OTEL_EXPORTER_OTLP_ENDPOINT'] === undefined) return undefined;
  return {
    endpoint: read('OTEL_EXPORTER_OTLP_ENDPOINT', protectedAddress),
    ratio: read('OTEL_TRACES_SAMPLER_ARG', ratio),
    headers: read('OTEL_EXPORTER_OTLP_HEADERS', headers),
    serviceName: given['OTEL_SERVICE_NAME'] ?? 'vestibule',
  };
}

/** The configured sender of text messages. */
function textsFrom(given: Variables, read: ReadVariable): Pick<Environment, 'twilio' | 'textWebhook'> {
  const accountSid = given['TWILIO_ACCOUNT_SID'];
  if (given['TEXT_WEBHOOK_URL'] !== undefined) {
    if (accountSid !== undefined)
      throw new EnvironmentError('TWILIO_ACCOUNT_SID and TEXT_WEBHOOK_URL are both set: choose one.');
    const url = read('TEXT_WEBHOOK_URL', protectedAddress);
    return { textWebhook: { url, secret: read('TEXT_WEBHOOK_SECRET', webhookSecret) } };
  }
  if (accountSid === undefined) return {};
  const messagingServiceSid = given['TWILIO_MESSAGING_SERVICE_SID'];
  const sender =
    messagingServiceSid === undefined ? { from: read('TWILIO_FROM', required) } : { messagingServiceSid };
  const apiUrl = read('TWILIO_API_URL', v.optional(protectedAddress))?.replace(/\/+$/, '');
  const authToken = read('TWILIO_AUTH_TOKEN', required);
  return { twilio: { accountSid, authToken, sender, ...present({ apiUrl }) } };
}

/** @returns `undefined` without any client id. */
function providersFrom(given: Variables, read: ReadVariable): ServiceOptions['providers'] {
  const client = (prefix: string) => {
    const clientId = given[`${prefix}_CLIENT_ID`];
    return clientId && { clientId, clientSecret: read(`${prefix}_CLIENT_SECRET`, required) };
  };
  const google = client('GOOGLE');
  const microsoft = client('MICROSOFT');
  if (!google && !microsoft) return undefined;
  return {
    redirectUri: read('PROVIDER_REDIRECT_URI', required),
    ...present({
      google: google && { ...google, issuer: given['GOOGLE_ISSUER'] ?? 'https://accounts.google.com' },
      microsoft: microsoft && {
        ...microsoft,
        issuerTemplate:
          given['MICROSOFT_ISSUER_TEMPLATE'] ?? 'https://login.microsoftonline.com/{tenantId}/v2.0',
      },
    }),
  };
}

/** The options that are set; the others keep their defaults. */
function present<Given extends object>(
  given: Given,
): { readonly [Key in keyof Given]?: Exclude<Given[Key], undefined | '' | 0> } {
  return Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined && value !== '' && value !== 0),
  ) as { readonly [Key in keyof Given]?: Exclude<Given[Key], undefined | '' | 0> };
}

/** The options of extensions that are set. Zero is a value. */
const ofExtensions = (...given: Parameters<typeof settingsParts.read>): Partial<ServiceOptions> =>
  Object.fromEntries(Object.entries(settingsParts.read(...given)).filter(([, value]) => value !== undefined));
