import * as v from 'valibot';
import { parse } from 'yaml';
import { returnPoint } from '@vestibule/contract/returnPoint';
import { parseConfig } from '@vestibule/contract/pageConfig';
import { describeRefusal } from '@vestibule/contract/pageConfigMessages';
import type { AppConfig } from '@vestibule/contract/appConfig';
import { defaultTransportSecurity, type AppHeaderFacts } from '@vestibule/contract/pageHeaders';
import { isLoopback, isNetwork } from '../platform/addresses.ts';
import { EnvironmentError, readEnvironment, secretVariables } from '../environment.ts';
import { settingsParts } from '../slots.ts';

/** A deployment as described by its file: docs/operations.md. */
export interface Deployment {
  /** The page's configuration. */
  readonly page: AppConfig;
  readonly web: v.InferOutput<typeof web>;
  /** Addresses of the service's processes, `host:port`. */
  readonly nodes: readonly string[];
  /** How nginx and the processes protect their traffic; absent: plain http. */
  readonly nodeTls?: v.InferOutput<typeof nodeTls> | undefined;
  /** Every variable of the service. */
  readonly environment: Readonly<Record<string, string>>;
}

/** The file is invalid; the message is a sentence with the location and the reason. */
export class DeploymentError extends Error {
  override readonly name = 'DeploymentError';
}

const absolutePath = v.pipe(
  v.string('must be a path'),
  // The path becomes part of nginx's configuration, so white space, quotes, braces and semicolons are not allowed.
  v.regex(/^\/[\w./@+-]+$/, 'must be an absolute path of letters, digits and . _ @ + - /'),
);
const port = v.pipe(
  v.number('must be a number'),
  v.integer(),
  v.minValue(1),
  v.maxValue(65_535, 'must be a port'),
);

/** A load balancer, a CDN or an ingress through which all requests reach nginx. */
const balancer = v.strictObject({
  /** Its addresses or ranges. A client address is accepted from these only. */
  addresses: v.pipe(
    v.array(v.pipe(v.string(), v.check(isNetwork, 'must be an address or a range such as 203.0.113.0/24'))),
    v.minLength(1, 'must name an address'),
  ),
  /** The header with the client address, or `proxy-protocol`. */
  clientAddress: v.optional(
    v.pipe(v.string(), v.regex(/^[A-Za-z][A-Za-z-]*$/, 'must be a header or proxy-protocol')),
    'X-Forwarded-For',
  ),
  /** TLS ends at the balancer, which sends plain http to `httpPort` over a network that no one else can read. */
  endsTls: v.optional(v.boolean('must be true or false'), false),
});

const web = v.strictObject({
  /** Where nginx finds the page. */
  folder: v.optional(absolutePath, '/var/lib/vestibule/current/page'),
  /** Both are required unless TLS ends at the balancer. */
  certificate: v.optional(absolutePath),
  certificateKey: v.optional(absolutePath),
  balancer: v.optional(balancer),
  /** `false` on a machine without IPv6, where nginx could not listen. */
  ipv6: v.optional(v.boolean('must be true or false'), true),
  /** Value of Strict-Transport-Security. */
  transportSecurity: v.optional(
    v.pipe(
      v.string(),
      v.regex(
        /^max-age=\d{1,9}(?:; includeSubDomains)?(?:; preload)?$/,
        'must be max-age=SECONDS, then optionally ; includeSubDomains and ; preload',
      ),
    ),
    defaultTransportSecurity,
  ),
  /**
   * Challenge responses for the certificate authority (ACME, http-01). Debian's first configuration of nginx serves the same
   * folder, so the first certificate and each renewal take the same command.
   */
  acmeFolder: v.optional(absolutePath, '/var/www/html'),
  /** nginx writes `access.log` and `error.log` here. */
  logFolder: v.optional(absolutePath, '/var/log/nginx'),
  /** Where browsers report policy violations and crashes, and the page its own crashes. */
  reportsTo: v.optional(
    v.pipe(
      v.string('must be an https address'),
      // It becomes part of headers and of nginx's configuration.
      v.regex(
        /^https:\/\/[\w.~:/?&=%@+[\]-]+$/,
        'must be an https address, without quotes, commas and semicolons',
      ),
      // Browsers ignore a policy source with any other host, so the page could not report.
      v.check(
        (url) => URL.canParse(url) && /^[a-z\d.-]+$/.test(new URL(url).hostname),
        'must be an https address with a host of letters, digits, hyphens and dots',
      ),
    ),
  ),
  httpPort: v.optional(port, 80),
  httpsPort: v.optional(port, 443),
});

const applicationOrigin = v.pipe(
  v.string(),
  v.regex(/^https:\/\/[a-z\d.-]+(?::\d+)?$/, 'must be an origin such as https://hub.example.com'),
);

const node = v.pipe(
  v.string('must be host:port'),
  v.regex(/^(?:[a-z0-9.-]+|\[[0-9a-f:]+\]):[0-9]{1,5}$/i, 'must be host:port'),
);

/** TLS between nginx and the processes. */
const nodeTls = v.strictObject({
  /** Certificate, with its chain, and key of the processes; files on their machines, PEM. */
  certificate: absolutePath,
  certificateKey: absolutePath,
  /** Certificates of their authority, PEM. */
  authority: absolutePath,
  /** The name in the certificates. */
  name: v.pipe(v.string('must be a name'), v.regex(/^[a-z0-9.-]+$/i, 'must be the name in the certificate')),
});

/** The value becomes a line of an environment file. */
const variable = v.pipe(
  v.union([v.string(), v.number()]),
  v.transform(String),
  v.regex(/^\P{Cc}*$/u, 'must be text of one line'),
);

const file = v.strictObject({
  page: v.record(v.string(), v.unknown(), 'must be the configuration block of the page'),
  web,
  service: v.strictObject({
    nodes: v.optional(v.pipe(v.array(node), v.minLength(1, 'must name a node')), ['127.0.0.1:4001']),
    tls: v.optional(nodeTls),
    /** Sibling applications that refresh the session themselves (`@vestibule/client`). */
    applicationOrigins: v.optional(v.array(applicationOrigin), []),
    /** Declares that no one else can read or change the traffic from nginx to processes on other machines. */
    protectedNetwork: v.optional(v.boolean('must be true or false'), false),
    ...settingsParts.deploymentKeys,
    environment: v.record(v.string(), variable),
  }),
});

/**
 * Reads and validates the file of a deployment, with the schemas of the page and of the service.
 *
 * @throws DeploymentError
 */
export function readDeployment(text: string): Deployment {
  let given: unknown;
  try {
    given = parse(text);
  } catch (error) {
    throw new DeploymentError(`The file is not valid YAML: ${error instanceof Error ? error.message : ''}`);
  }
  const unfilled = placeholderIn(given, []);
  if (unfilled !== null) throw new DeploymentError(`${unfilled.join('.')} is a placeholder: give its value.`);
  const read = v.safeParse(file, given);
  if (!read.success) {
    const [issue] = read.issues;
    const missing = issue.input === undefined;
    throw new DeploymentError(
      `${v.getDotPath(issue) ?? 'The file'} ${missing ? 'is missing' : sentence(issue)}.`,
    );
  }
  const { page: pagePart, web: webPart, service } = read.output;
  if ('reportsTo' in pagePart)
    throw new DeploymentError('page.reportsTo follows from web.reportsTo: leave it out.');
  const { reportsTo } = webPart;
  const block = reportsTo === undefined ? pagePart : { ...pagePart, reportsTo };
  const checked = parseConfig(JSON.stringify(block));
  if (!checked.ok) throw new DeploymentError(`page: ${describeRefusal(checked.refusal)}.`);
  const page = checked.config;
  checkPage(page);
  checkCertificate(webPart);
  checkOtherMachines(service);
  const environment = { ...derivedEnvironment(page, service), ...checkedVariables(page, service) };
  checkEnvironment(environment);
  return { page, web: webPart, nodes: service.nodes, nodeTls: service.tls, environment };
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

/** The facts of a deployment that the headers of the page depend on. */
export function headerFacts({
  page,
  web: { reportsTo, transportSecurity },
}: Deployment): Omit<AppHeaderFacts, 'path'> {
  return {
    serviceOrigin: new URL(page.serviceUrl).origin,
    parentOrigins: page.parentOrigins,
    https: true,
    passkeys: page.extensions.includes('passkeys'),
    transportSecurity,
    ...(reportsTo === undefined ? {} : { reportsTo }),
  };
}

/** The ports at which browsers reach a deployment. */
export function publicPorts({ balancer, httpPort, httpsPort }: Deployment['web']): {
  readonly http: number;
  readonly https: number;
} {
  return balancer === undefined ? { http: httpPort, https: httpsPort } : { http: 80, https: 443 };
}

/** What follows a host in an address. @param standard the port that is left out */
export function portSuffix(port: number, standard: number): string {
  return port === standard ? '' : `:${port}`;
}

/** Checks the rules of deployments; the page's own rules were checked before. */
function checkPage({ signOnUrl, serviceUrl, refreshGraceSeconds }: AppConfig): void {
  if (!signOnUrl.startsWith('https:')) throw new DeploymentError('page.signOnUrl must be https.');
  // It becomes part of headers and of nginx's configuration.
  if (!/^https:\/\/[a-z\d.-]+(?::\d+)?(?:\/[\w-]+)*$/i.test(serviceUrl))
    throw new DeploymentError('page.serviceUrl must be https, of letters, digits, hyphens and dots.');
  if (new URL(serviceUrl).host === new URL(signOnUrl).host)
    throw new DeploymentError('page.serviceUrl must be on a host of its own.');
  if (refreshGraceSeconds !== undefined && refreshGraceSeconds > 10)
    throw new DeploymentError('page.refreshGraceSeconds must not be above 10, the period of the service.');
}

function checkCertificate({ certificate, certificateKey, balancer: front }: Deployment['web']): void {
  if (front?.endsTls === true) return;
  if (certificate === undefined) throw new DeploymentError('web.certificate is missing.');
  if (certificateKey === undefined) throw new DeploymentError('web.certificateKey is missing.');
}

/**
 * Requires protection for processes on other machines: calls could be intercepted, and every caller would have the address of
 * nginx.
 */
function checkOtherMachines({
  nodes,
  tls,
  protectedNetwork,
  environment,
}: v.InferOutput<typeof file>['service']): void {
  if (isOnThisMachine(nodes)) return;
  const own = nodes.find((node) => isLoopback(withoutPort(node)));
  if (own !== undefined)
    throw new DeploymentError(
      `service.nodes names other machines, so ${own} must be an address of its machine that nginx reaches.`,
    );
  if (!('TRUSTED_PROXIES' in environment))
    throw new DeploymentError(
      'service.environment.TRUSTED_PROXIES is missing: processes on other machines need the addresses of nginx.',
    );
  if (tls === undefined && !protectedNetwork)
    throw new DeploymentError(
      'service.tls is missing: passwords would be sent to other machines in clear text. Only where their network is protected, set service.protectedNetwork to true.',
    );
}

const isOnThisMachine = (nodes: readonly string[]): boolean =>
  nodes.every((node) => isLoopback(withoutPort(node)));

const withoutPort = (node: string): string => node.replace(/:\d+$/, '');

/** The variables that follow from other parts of the file. */
function derivedEnvironment(
  page: AppConfig,
  service: v.InferOutput<typeof file>['service'],
): Readonly<Record<string, string>> {
  const { nodes, tls, applicationOrigins } = service;
  const origins = [
    page.signOnUrl,
    ...[...page.supplierHosts, ...page.shortLinkHosts].map((host) => `https://${host}`),
    ...applicationOrigins,
  ];
  const [shortLinkHost] = page.shortLinkHosts;
  return {
    ISSUER: new URL(page.serviceUrl).origin,
    ALLOWED_ORIGINS: [...new Set(origins)].join(','),
    SIGN_ON_URL: page.signOnUrl,
    ...(shortLinkHost === undefined ? {} : { SHORT_LINK_URL: `https://${shortLinkHost}` }),
    ...settingsParts.variablesOf(page, service),
    ...(isOnThisMachine(nodes) ? { TRUSTED_PROXIES: '127.0.0.1,::1' } : {}),
    ...(tls === undefined ? {} : { TLS_CERTIFICATE_FILE: tls.certificate, TLS_KEY_FILE: tls.certificateKey }),
  };
}

function checkedVariables(
  page: AppConfig,
  { environment }: v.InferOutput<typeof file>['service'],
): Readonly<Record<string, string>> {
  for (const name of ['ISSUER', 'ALLOWED_ORIGINS', 'SIGN_ON_URL', ...settingsParts.followingVariables]) {
    if (name in environment)
      throw new DeploymentError(`service.environment.${name} follows from the other keys: leave it out.`);
  }
  for (const name of secretVariables) {
    if (name in environment)
      throw new DeploymentError(
        `service.environment.${name} is a secret: put it into a file and name that as ${name}_FILE.`,
      );
  }
  const usesGoogle = 'GOOGLE_CLIENT_SECRET_FILE' in environment;
  const usesMicrosoft = 'MICROSOFT_CLIENT_ID' in environment;
  return {
    ...(usesGoogle ? { GOOGLE_CLIENT_ID: page.google.clientId } : {}),
    ...(usesGoogle || usesMicrosoft ? { PROVIDER_REDIRECT_URI: page.signOnUrl + returnPoint } : {}),
    ...environment,
  };
}

/** Placeholders of secrets, which may be on another machine. */
const examples: Readonly<Record<(typeof secretVariables)[number], string>> = {
  DATABASE_URL: 'postgres://localhost/vestibule',
  ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
  TLS_CERTIFICATE: '-----BEGIN CERTIFICATE-----',
  TLS_KEY: '-----BEGIN PRIVATE KEY-----',
  SMTP_URL: 'smtps://localhost',
  TWILIO_AUTH_TOKEN: 'secret',
  TEXT_WEBHOOK_SECRET: Buffer.alloc(32).toString('base64'),
  GOOGLE_CLIENT_SECRET: 'secret',
  MICROSOFT_CLIENT_SECRET: 'secret',
  OTEL_EXPORTER_OTLP_HEADERS: 'authorization=secret',
};

function checkEnvironment(environment: Readonly<Record<string, string>>): void {
  for (const name of ['DATABASE_URL', 'ENCRYPTION_KEY'] as const) {
    if (!(`${name}_FILE` in environment))
      throw new DeploymentError(`service.environment.${name}_FILE is missing.`);
  }
  const complete: Record<string, string> = { ...environment };
  for (const [name, example] of Object.entries(examples)) {
    if (`${name}_FILE` in environment) complete[name] = example;
  }
  const used = new Set<string>(['NODE_EXTRA_CA_CERTS', ...secretVariables.map((name) => `${name}_FILE`)]);
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
    throw new DeploymentError(`service.environment.${unused} is not a variable that the service reads here.`);
}
