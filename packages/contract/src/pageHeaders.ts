import { returnPoint } from './returnPoint.ts';

/** What the headers of the sign-on application depend on. */
export interface AppHeaderFacts {
  /** Path of the request, as it arrived (still percent-encoded). */
  readonly path: string;
  /** `true` where a query follows, which may hold a code. */
  readonly hasQuery?: boolean;
  /** Origin of the sign-on service; beside its own and `reportsTo` the only host that the page may call. */
  readonly serviceOrigin: string;
  /** Origins that may embed the page: `parentOrigins` of the configuration block. */
  readonly parentOrigins: readonly string[];
  /** `true` where the page is served over https: adds HSTS and upgrades stray http requests. */
  readonly https?: boolean;
  /** Where browsers report violations of the policy, and their crashes (Reporting API), and the page its own; absent: nowhere. */
  readonly reportsTo?: string;
  /** `true` on a short-link host, where every path is a secret link. */
  readonly shortLinkHost?: boolean;
  /** Development only: the origin whose hot-reload socket and policies are allowed. */
  readonly hotReloadOrigin?: string;
}

/** First segments of the routes that carry a secret or have nothing to embed; never in a frame. */
export const unframedSegments: ReadonlySet<string> = new Set([
  'oauth-redirect',
  'secret-key',
  'reset-password',
  'activate',
  'redirect',
  'unauthorized',
]);

/** First segments, beside `unframedSegments`, whose address names an account or a link: a report tells the address of the page. */
export const unreportedSegments: ReadonlySet<string> = new Set([
  'reset',
  'authy-collect-info',
  'qrcode-start',
  'verification',
]);

/**
 * What has browsers report to an address. Browsers also send their crashes to the endpoint 'default'; those that do not know the
 * Reporting API know `report-uri`.
 *
 * @param url https, without a character that means something in a policy, a header or a configuration of nginx
 */
export function reporting(url: string): { readonly endpoints: string; readonly directives: string } {
  return { endpoints: `default="${url}"`, directives: `; report-to default; report-uri ${url}` };
}

const permissionsPolicy = [
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
  ...[
    'payment',
    'publickey-credentials-create',
    'publickey-credentials-get',
    'serial',
    'usb',
    'xr-spatial-tracking',
  ].map((feature) => `${feature}=()`),
].join(', ');

/**
 * Security headers of every answer of the application's host: the values that a deployment sends too.
 * The policy allows nothing that is not named; `trusted-types webpack` is the chunk loader's one policy, without
 * which lazy routes do not load.
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
    // The provider's pop-up returns to /oauth-redirect; a COOP there would cut it off from its opener at the
    // last step, so that it reads as closed just before the code arrives.
    // Only there: any other spelling leads to another screen, whose window no strange opener may keep hold of.
    'Cross-Origin-Opener-Policy': isReturnPoint(facts) ? 'unsafe-none' : 'same-origin-allow-popups',
    'Cross-Origin-Resource-Policy': 'same-site',
    'Origin-Agent-Cluster': '?1',
    'Permissions-Policy': permissionsPolicy,
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    ...(unframed ? { 'X-Frame-Options': 'DENY' } : {}),
    ...(facts.https === true
      ? { 'Strict-Transport-Security': 'max-age=63072000; includeSubDomains; preload' }
      : {}),
  };
}

/** CSP sources of what stands in the page itself. */
export interface InlineParts {
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
}

/** The headers of the page itself: its inline script and style are allowed by their hashes, and no other. */
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

/** To the letter, as the application's router has it. On a short-link host the path is a link like any other. */
function isReturnPoint({ path, shortLinkHost }: AppHeaderFacts): boolean {
  return path === returnPoint && shortLinkHost !== true;
}

function contentSecurityPolicy(facts: AppHeaderFacts, unframed: boolean): string {
  const hotReload = facts.hotReloadOrigin;
  const connect = [
    // Its own host, for `/expire-session-cookies`.
    "'self'",
    facts.serviceOrigin,
    ...(facts.reportsTo === undefined ? [] : [withoutQuery(facts.reportsTo)]),
    ...(hotReload === undefined ? [] : [hotReload, hotReload.replace(/^http/, 'ws')]),
  ];
  const policies = ['webpack', ...(hotReload === undefined ? [] : ['webpack-dev-server#overlay'])];
  // In development the laboratory shows the page in frames of its own.
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

/** As a source of the policy: this one path of the collector. */
function withoutQuery(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

/**
 * First segment of a path as the router will read it: decoded, lower case, doubled slashes as one. Anything less
 * and `/%73ecret-key/…` would show the secret with the headers of another route.
 */
function firstSegment(path: string): string {
  const raw = path.split('/').find((part) => part !== '') ?? '';
  try {
    return decodeURIComponent(raw).toLowerCase();
  } catch {
    return raw.toLowerCase();
  }
}
