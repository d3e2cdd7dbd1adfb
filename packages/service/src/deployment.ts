import path from 'node:path';
import * as v from 'valibot';
import { parse } from 'yaml';
import { returnPoint } from '@vestibule/contract/returnPoint';
import { parseConfig } from '@vestibule/contract/pageConfig';
import { extensionNames } from '@vestibule/contract/document';
import { describeRefusal } from '@vestibule/contract/pageConfigMessages';
import { configSchema } from '@vestibule/contract/pageConfigSchema';
import type { AppConfig } from '@vestibule/contract/appConfig';
import { defaultTransportSecurity } from '@vestibule/contract/pageHeaders';
import { EnvironmentError, readEnvironment, secretVariables } from './environment.ts';
import { deployedClients, type DeployedClient } from './core/clientFields.ts';
import { checkedThemes } from './platform/themes/checkedThemes.ts';
import { ThemesRefused, type Themes } from './platform/themes/themeFiles.ts';
import { hostnames, registrableDomain } from './platform/http/hostnames.ts';
import { mailLookOf } from './platform/themes/mailLook.ts';
import { describeUnknownKey, nearest } from './platform/settings/unknownKeys.ts';
import { settingsParts } from './slots.ts';
import { translatedLanguages } from './platform/texts/texts.ts';

/** A deployment as described by its file: docs/operations.md. */
export interface Deployment {
  /** The page's configuration. */
  readonly page: AppConfig;
  readonly themes: Themes;
  /** The variables of the service. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Variables that follow from the page, and that neither the file nor the environment may change. */
export const followingVariables = [
  'ISSUER',
  'ALLOWED_ORIGINS',
  'SIGN_ON_URL',
  'LANGUAGES',
  'MAIL_LOOK',
  'CLIENTS',
  ...settingsParts.followingVariables,
];

/** The file is invalid; the message is a sentence with the location and the reason. @param guide the document that explains it. */
export class DeploymentError extends Error {
  override readonly name = 'DeploymentError';
  readonly guide: string;

  constructor(message: string, guide = 'docs/operations.md') {
    super(message);
    this.guide = guide;
  }
}

const languagesGuide = 'docs/behaviour.md#languages';

const applicationOrigin = v.pipe(
  v.string(),
  v.regex(/^https:\/\/[a-z\d.-]+(?::\d+)?$/, 'must be an origin such as https://hub.example.com'),
);

const variable = v.pipe(
  v.union([v.string(), v.number()]),
  v.transform(String),
  v.regex(/^\P{Cc}*$/u, 'must be text of one line'),
);

const file = v.strictObject({
  page: v.record(v.string(), v.unknown(), 'must be the configuration block of the page'),
  service: v.strictObject({
    /** Sibling applications that refresh the session themselves (`@vestibule/client`). */
    applicationOrigins: v.optional(v.array(applicationOrigin), []),
    ...settingsParts.deploymentKeys,
    /** Applications that are registered here. */
    clients: v.optional(deployedClients, []),
    environment: v.optional(v.record(v.string(), variable), {}),
  }),
});

/** The page itself ignores unknown keys, which may be those of a newer release. */
const strictFile = v.object({ ...file.entries, page: configSchema });

/** Keys of the page that a deployment may leave out. */
const pageDefaults = {
  environment: 'production',
  parentOrigins: [],
  shortLinkHosts: [],
  supplierHosts: [],
  google: { clientId: 'none', authorizationUrl: 'https://accounts.google.com/o/oauth2/v2/auth' },
  microsoft: { authorizationUrl: 'https://login.microsoftonline.com/{tenantId}/oauth2/v2.0/authorize' },
};

/**
 * Reads and validates the file of a deployment, with the schemas of the page and of the service, and the files of its themes.
 *
 * @param folder that of the file, from which the paths of logos and fonts start.
 * @throws DeploymentError
 */
export function readDeployment(text: string, folder = '.'): Deployment {
  let given: unknown;
  try {
    given = parse(text);
  } catch (error) {
    throw new DeploymentError(`The file is not valid YAML: ${error instanceof Error ? error.message : ''}`);
  }
  const unfilled = placeholderIn(given, []);
  if (unfilled !== null) throw new DeploymentError(`${unfilled.join('.')} is a placeholder: give its value.`);
  const unknown = describeUnknownKey(strictFile, given);
  if (unknown !== null) throw new DeploymentError(`${unknown}.`);
  const read = v.safeParse(file, given);
  if (!read.success) {
    const [issue] = read.issues;
    const missing = issue.input === undefined;
    throw new DeploymentError(
      `${v.getDotPath(issue) ?? 'The file'} ${missing ? 'is missing' : sentence(issue)}.`,
    );
  }
  const { page: pagePart, service } = read.output;
  const themes = themesOf(pagePart['brands'], folder);
  const checked = parseConfig(JSON.stringify({ ...pageDefaults, ...pagePart }));
  if (!checked.ok)
    throw new DeploymentError(
      `page: ${describeRefusal(checked.refusal)}.`,
      checked.refusal.key.startsWith('languages') ? languagesGuide : undefined,
    );
  const page = checked.config;
  checkPage(page);
  checkExtensions(page, given);
  const look = mailLookOf(page, themes.addresses['default']?.logo);
  const environment = {
    ...derivedEnvironment(page, service),
    ...(look === null ? {} : { MAIL_LOOK: JSON.stringify(look) }),
    ...clientVariables(service.clients, folder),
    ...checkedVariables(page, service),
  };
  checkEnvironment(environment);
  return { page: withoutPaths(page), themes, environment };
}

/** The page needs no paths of this machine: `themes` has the addresses of the files. */
function withoutPaths(page: AppConfig): AppConfig {
  const brands = Object.entries(page.brands).map(([name, { theme, ...brand }]) => {
    if (theme === undefined) return [name, brand] as const;
    const { logo: _logo, font: _font, ...colours } = theme;
    return [name, { ...brand, theme: colours }] as const;
  });
  return { ...page, brands: Object.assign(page.brands, Object.fromEntries(brands)) };
}

function themesOf(brands: unknown, folder: string): Themes {
  try {
    return checkedThemes(brands, folder);
  } catch (error) {
    throw error instanceof ThemesRefused ? new DeploymentError(error.message) : error;
  }
}

/** @returns the path of the first key whose value is an ellipsis or contains one (`…`), as examples have it. */
function placeholderIn(given: unknown, path: readonly string[]): readonly string[] | null {
  if (typeof given === 'string') return given.includes('…') || given.trim() === '...' ? path : null;
  if (typeof given !== 'object' || given === null) return null;
  for (const [key, value] of Object.entries(given)) {
    const found = placeholderIn(value, [...path, key]);
    if (found !== null) return found;
  }
  return null;
}

function sentence(issue: v.BaseIssue<unknown>): string {
  if (issue.expected === 'never') return 'is not known';
  return issue.message.startsWith('must') ? issue.message : `is not understood (${issue.message})`;
}

/** Checks the names of the extensions, and that no key is set of which only extensions that are off know. */
function checkExtensions({ extensions }: AppConfig, given: unknown): void {
  const known = extensionNames();
  const unknown = extensions.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new DeploymentError(
      `page.extensions lists '${unknown}', which is not known${nearest(unknown, known)}.`,
    );
  for (const [key, owners] of Object.entries(settingsParts.ownersOfKeys)) {
    const isSet = key
      .split('.')
      .reduce<unknown>(
        (value, part) => (value as Readonly<Record<string, unknown>> | undefined)?.[part],
        given,
      );
    if (isSet !== undefined && !owners.some((name) => extensions.includes(name)))
      throw new DeploymentError(
        `${key} has no effect: page.extensions does not list ${owners.join(' or ')}.`,
      );
  }
}

/** Checks the rules of deployments; the page's own rules were checked before. */
function checkPage({
  cookies,
  signOnUrl,
  serviceUrl,
  supplierHosts,
  shortLinkHosts,
  refreshGraceSeconds,
  reportsTo,
  languages = [],
}: AppConfig): void {
  const unknown = languages.find((one) => one !== 'en' && !translatedLanguages.includes(one));
  if (unknown !== undefined)
    throw new DeploymentError(
      `page.languages lists '${unknown}'. Shipped are ${['en', ...translatedLanguages].join(', ')}.`,
      languagesGuide,
    );
  const twice = languages.find((one, index) => languages.indexOf(one) < index);
  if (twice !== undefined)
    throw new DeploymentError(`page.languages lists '${twice}' twice.`, languagesGuide);
  if (!signOnUrl.startsWith('https:')) throw new DeploymentError('page.signOnUrl must be https.');
  checkCookieDomain(cookies.domain, signOnUrl);
  // It becomes part of headers.
  if (!/^https:\/\/[a-z\d.-]+(?::\d+)?$/i.test(serviceUrl))
    throw new DeploymentError(
      'page.serviceUrl must be https and a host only, of letters, digits, hyphens and dots.',
    );
  const pageHosts = hostnames([new URL(signOnUrl).host, ...supplierHosts, ...shortLinkHosts]);
  if (pageHosts.has(new URL(serviceUrl).hostname))
    throw new DeploymentError('page.serviceUrl must be on a host of its own.');
  if (refreshGraceSeconds !== undefined && refreshGraceSeconds > 10)
    throw new DeploymentError('page.refreshGraceSeconds must not be above 10, the period of the service.');
  // It becomes part of headers, and browsers ignore a policy source with any other host, so the page could not report.
  if (reportsTo !== undefined && !/^https:\/\/[a-z\d.-]+(?::\d+)?(?:\/[\w.~:/?&=%@+-]*)?$/.test(reportsTo))
    throw new DeploymentError(
      'page.reportsTo must be an https address, without quotes, commas and semicolons, and with a host of letters, digits, hyphens and dots.',
    );
}

/** Sites of strangers would otherwise get the session; browsers refuse such cookies, and nobody could sign in. */
function checkCookieDomain(domain: string | undefined, signOnUrl: string): void {
  if (domain === undefined || registrableDomain(domain) !== null) return;
  const own = registrableDomain(new URL(signOnUrl).hostname);
  throw new DeploymentError(
    `page.cookies.domain is ${domain}, a public suffix, below which others have names too: browsers refuse its cookies. ${own === null ? 'Leave it out.' : `Use ${own}.`}`,
  );
}

/** The variables that follow from other parts of the file. */
function derivedEnvironment(
  page: AppConfig,
  service: v.InferOutput<typeof file>['service'],
): Readonly<Record<string, string>> {
  const origins = [
    page.signOnUrl,
    ...[...page.supplierHosts, ...page.shortLinkHosts].map((host) => `https://${host}`),
    ...service.applicationOrigins,
  ];
  const [shortLinkHost] = page.shortLinkHosts;
  return {
    ISSUER: new URL(page.serviceUrl).origin,
    ALLOWED_ORIGINS: [...new Set(origins)].join(','),
    SIGN_ON_URL: page.signOnUrl,
    TRANSPORT_SECURITY: defaultTransportSecurity,
    ...(page.languages === undefined ? {} : { LANGUAGES: page.languages.join(',') }),
    ...(shortLinkHost === undefined ? {} : { SHORT_LINK_URL: `https://${shortLinkHost}` }),
    ...settingsParts.variablesOf(page, service),
  };
}

/** The paths of secrets start from the folder of the deployment. */
function clientVariables(
  clients: readonly DeployedClient[],
  folder: string,
): Readonly<Record<string, string>> {
  const resolved = clients.map((client) => ({
    ...client,
    secretFile: client.secretFile.map((file) => path.resolve(folder, file)),
  }));
  return clients.length === 0 ? {} : { CLIENTS: JSON.stringify(resolved) };
}

function checkedVariables(
  page: AppConfig,
  { environment }: v.InferOutput<typeof file>['service'],
): Readonly<Record<string, string>> {
  for (const name of followingVariables) {
    if (name in environment)
      throw new DeploymentError(`service.environment.${name} follows from the other keys: leave it out.`);
  }
  for (const name of secretVariables) {
    if (name in environment)
      throw new DeploymentError(
        `service.environment.${name} is a secret: put it into a file and name that as ${name}_FILE.`,
      );
  }
  const usesGoogle = page.google.clientId !== pageDefaults.google.clientId;
  const usesMicrosoft = 'MICROSOFT_CLIENT_ID' in environment;
  return {
    ...(usesGoogle ? { GOOGLE_CLIENT_ID: page.google.clientId } : {}),
    ...(usesGoogle || usesMicrosoft ? { PROVIDER_REDIRECT_URI: page.signOnUrl + returnPoint } : {}),
    ...environment,
  };
}

/** Placeholders of secrets, which may be on another machine or in the environment of the process. */
const examples: Readonly<Record<(typeof secretVariables)[number], string>> = {
  DATABASE_URL: 'postgres://localhost/vestibule',
  ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
  SMTP_URL: 'smtps://localhost',
  TWILIO_AUTH_TOKEN: 'secret',
  TEXT_WEBHOOK_SECRET: Buffer.alloc(32).toString('base64'),
  GOOGLE_CLIENT_SECRET: 'secret',
  MICROSOFT_CLIENT_SECRET: 'secret',
  OTEL_EXPORTER_OTLP_HEADERS: 'authorization=secret',
};

function checkEnvironment(environment: Readonly<Record<string, string>>): void {
  const complete: Record<string, string> = { ...environment };
  for (const [name, example] of Object.entries(examples)) {
    if (`${name}_FILE` in environment || name.endsWith('_CLIENT_SECRET')) complete[name] = example;
  }
  const used = new Set<string>(secretVariables.map((name) => `${name}_FILE`));
  const recorder = new Proxy(complete, {
    get: (target, name: string) => {
      used.add(name);
      return target[name];
    },
  });
  try {
    readEnvironment(recorder);
  } catch (error) {
    throw error instanceof EnvironmentError
      ? new DeploymentError(`service.environment: ${error.message}`)
      : error;
  }
  // A mistyped name would leave its default in force, and a variable of the system could change the process.
  const unused = Object.keys(environment).find((name) => !used.has(name));
  if (unused !== undefined)
    throw new DeploymentError(
      `service.environment.${unused} is not a variable that the service reads here${nearest(unused, [...used])}.`,
    );
}
