import { returnPoint } from './returnPoint.ts';

/** The facts that the headers of the application depend on. */
export interface AppHeaderFacts {
  /** Path of the request as received (percent-encoded). */
  readonly path: string;
  /** `true` if the request has a query, which may contain a code. */
  readonly hasQuery?: boolean;
  /** Origin of the sign-on service; besides its own origin and `reportsTo`, the only one that the page may call. */
  readonly serviceOrigin: string;
  /** Origins that may embed the page: `parentOrigins` of the configuration block. */
  readonly parentOrigins: readonly string[];
  /** `true` if the page is served over https: adds HSTS and upgrades http requests. */
  readonly https?: boolean;
  /** Features of the browser (Permissions-Policy) that the page may use, because its extensions need them. */
  readonly permissions?: readonly string[];
  /** Value of Strict-Transport-Security over https. */
  readonly transportSecurity?: string;
  /**
   * Where browsers report policy violations and crashes (Reporting API), and the page its own crashes; absent: not
   * reported.
   */
  readonly reportsTo?: string;
  /** `true` on a short-link host, where every path is a secret link. */
  readonly shortLinkHost?: boolean;
  /** Development only: the origin whose hot-reload socket and policies are allowed. */
  readonly hotReloadOrigin?: string;
}

/**
 * First segments of routes that contain a secret or need no embedding; never framed. The page refuses them too, because a
 * host may send no headers.
 */
export const unframedSegments: ReadonlySet<string> = new Set([
  'oauth-redirect',
  'secret-key',
  'reset-password',
  'activate',
  'redirect',
  'security-notice',
  'continue',
  'unauthorized',
]);

/**
 * First segments, besides `unframedSegments`, whose address contains an account or a link: a report would disclose
 * it.
 */
export const unreportedSegments: ReadonlySet<string> = new Set([
  'reset',
  'authy-collect-info',
  'qrcode-start',
  'verification',
]);

/**
 * The header values that make browsers report to an address. Browsers send crashes to the endpoint 'default'; those
 * without the Reporting API use `report-uri`.
 *
 * @param url https, without characters that are special in a policy or in a header.
 */
export function reporting(url: string): { readonly endpoints: string; readonly directives: string } {
  return { endpoints: `default="${url}"`, directives: `; report-to default; report-uri ${url}` };
}

/** Two years, as lists of browsers require that preload HSTS. */
export const defaultTransportSecurity = 'max-age=63072000; includeSubDomains; preload';

const permissionsPolicy = (allowed: readonly string[] = []): string =>
  [
    ...['accelerometer', 'autoplay', 'camera', 'clipboard-read'].map((feature) => `${feature}=()`),
    'clipboard-write=(self)',
    ...[
      'display-capture',
      'geolocation',
      'gyroscope',
      'hid',
      'identity-credentials-get',
      'idle-detection',
      'local-fonts',
      'magnetometer',
      'microphone',
      'midi',
    ].map((feature) => `${feature}=()`),
    'otp-credentials=(self)',
    ...['payment', 'publickey-credentials-create', 'publickey-credentials-get'].map(
      (feature) => `${feature}=${allowed.includes(feature) ? '(self)' : '()'}`,
    ),
    'serial=()',
    'storage-access=(self)',
    ...['usb', 'xr-spatial-tracking'].map((feature) => `${feature}=()`),
  ].join(', ');

/**
 * Security headers of every response of the application's host. The policy allows only what it names; `trusted-types
 * webpack` is the policy of the chunk loader, which lazy routes need.
 */
export function appHeaders(facts: AppHeaderFacts): Readonly<Record<string, string>> {
  const segment = firstSegment(facts.path);
  const unframed = facts.shortLinkHost === true || unframedSegments.has(segment);
  const reports =
    facts.reportsTo === undefined || unframed || facts.hasQuery === true || unreportedSegments.has(segment)
      ? null
      : reporting(facts.reportsTo);
  return {
    'Content-Security-Policy': contentSecurityPolicy(facts, unframed) + (reports?.directives ?? ''),
    ...(reports === null ? {} : { 'Reporting-Endpoints': reports.endpoints }),
    // The provider window returns to /oauth-redirect, where another policy would separate it from its opener, which
    // would then see it as closed before the code arrives. All other paths, including other spellings of this one,
    // isolate their window.
    'Cross-Origin-Opener-Policy': isReturnPoint(facts) ? 'unsafe-none' : 'same-origin-allow-popups',
    'Cross-Origin-Resource-Policy': 'same-site',
    'Origin-Agent-Cluster': '?1',
    'Permissions-Policy': permissionsPolicy(facts.permissions),
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    ...(unframed ? { 'X-Frame-Options': 'DENY' } : {}),
    ...(facts.https === true
      ? { 'Strict-Transport-Security': facts.transportSecurity ?? defaultTransportSecurity }
      : {}),
  };
}

/** CSP sources of the inline parts of the page. */
export interface InlineParts {
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
}

/** The headers of the page: only its own inline scripts and style are allowed, by their hashes. */
export function allowInline(
  headers: Readonly<Record<string, string>>,
  { scripts, styles }: InlineParts,
): Readonly<Record<string, string>> {
  const policy = headers['Content-Security-Policy'] ?? '';
  return {
    ...headers,
    'Content-Security-Policy': policy
      .replace("script-src 'self'", ["script-src 'self'", ...scripts].join(' '))
      .replace("style-src 'self'", ["style-src 'self'", ...styles].join(' ')),
  };
}

/** Compared exactly, as the application's router does. On a short-link host the path is a link like any other. */
function isReturnPoint({ path, shortLinkHost }: AppHeaderFacts): boolean {
  return path === returnPoint && shortLinkHost !== true;
}

function contentSecurityPolicy(facts: AppHeaderFacts, unframed: boolean): string {
  const hotReload = facts.hotReloadOrigin;
  const connect = [
    // The own host, for `/expire-session-cookies`.
    "'self'",
    facts.serviceOrigin,
    ...(facts.reportsTo === undefined ? [] : [withoutQuery(facts.reportsTo)]),
    ...(hotReload === undefined ? [] : [hotReload, hotReload.replace(/^http/, 'ws')]),
  ];
  const policies = ['webpack', ...(hotReload === undefined ? [] : ['webpack-dev-server#overlay'])];
  // In development the laboratory shows the page in frames.
  const laboratory = hotReload === undefined ? [] : ["'self'"];
  const framedBy = [...laboratory, ...facts.parentOrigins];
  const parents = unframed || framedBy.length === 0 ? ["'none'"] : framedBy;
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src ${connect.join(' ')}`,
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    ...laboratory.map((origin) => `frame-src ${origin}`),
    `frame-ancestors ${parents.join(' ')}`,
    "require-trusted-types-for 'script'",
    `trusted-types ${policies.join(' ')}`,
    ...(facts.https === true ? ['upgrade-insecure-requests'] : []),
  ].join('; ');
}

/** The path of the collector, as a source of the policy. */
function withoutQuery(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

/**
 * First segment of a path, decoded like the router does: lower case, repeated slashes as one. Otherwise
 * `/%73ecret-key/…` would get the headers of another route.
 */
function firstSegment(path: string): string {
  const raw = path.split('/').find((part) => part !== '') ?? '';
  try {
    return decodeURIComponent(raw).toLowerCase();
  } catch {
    return raw.toLowerCase();
  }
}
