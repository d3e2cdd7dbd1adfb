import * as v from 'valibot';
import type { AppConfig } from './appConfig.ts';
import type { ConfigFault, ConfigRefusal } from './pageConfigMessages.ts';

const label = '[a-z0-9](?:[a-z0-9-]*[a-z0-9])?';
const host = `(?:${label}(?:\\.${label})*|\\[[0-9a-f:.]+\\])(?::[0-9]{1,5})?`;
const exactHost = new RegExp(`^${host}$`);
// At least two labels follow the star, because `*.com` would allow redirects to almost any host.
const hostPattern = new RegExp(`^(?:${host}|\\*\\.${label}(?:\\.${label})+(?::[0-9]{1,5})?)$`);

/** The message for objects, which also report missing keys. */
const group = ({ received }: v.BaseIssue<unknown>): ConfigFault =>
  received === 'undefined' ? 'missing' : 'group';

/** The message for objects without further keys. */
const closedGroup = (issue: v.BaseIssue<unknown>): ConfigFault =>
  issue.expected === 'never' ? 'unknown' : group(issue);

const list = <Entry extends v.GenericSchema<unknown, string>>(entry: Entry) =>
  v.array(entry, 'list' satisfies ConfigFault);

/** Text that is not blank. */
const filled = v.pipe(
  v.string('text' satisfies ConfigFault),
  v.check((value) => value.trim() !== '', 'filled' satisfies ConfigFault),
);
const lowerCase = v.pipe(
  filled,
  v.transform((value) => value.toLowerCase()),
);

/** A length of time, s. */
const seconds = v.pipe(
  v.number('seconds' satisfies ConfigFault),
  v.check((value) => value >= 0, 'seconds' satisfies ConfigFault),
);

/** The start of cookie names; only characters that need no encoding. */
const cookiePrefix = v.pipe(
  filled,
  v.check((value) => /^[A-Za-z0-9._-]+$/.test(value), 'cookiePrefix' satisfies ConfigFault),
);

/** A domain without a leading dot. */
const domain = v.pipe(
  lowerCase,
  v.check((value) => new RegExp(`^${label}(?:\\.${label})*$`).test(value), 'domain' satisfies ConfigFault),
);

/** A list of hosts, each with its port if that is not the default. */
const hosts = list(
  v.pipe(
    lowerCase,
    v.check((value) => exactHost.test(value), 'host' satisfies ConfigFault),
  ),
);

/** A list of hosts and of `*.parent` patterns. */
const hostPatterns = list(
  v.pipe(
    lowerCase,
    v.check((value) => hostPattern.test(value), 'hostPattern' satisfies ConfigFault),
  ),
);

/** An address of links or calls; not normalised. */
const address = v.pipe(filled, v.check(isHttpAddress, 'address' satisfies ConfigFault));

/** A base to which paths are appended: no trailing slash, no query. */
const base = v.pipe(
  address,
  v.check((url) => !/[?#]/.test(url), 'noQuery' satisfies ConfigFault),
  v.transform(withoutTrailingSlash),
);

/** Scheme, host and port only. It becomes part of headers, so its host must match `exactHost`. */
const origin = v.pipe(
  address,
  v.transform((url) => withoutTrailingSlash(url).toLowerCase()),
  v.check(
    (url) => new URL(url).origin === url && exactHost.test(new URL(url).host),
    'origin' satisfies ConfigFault,
  ),
);

/** An address with the placeholder `{tenantId}`. */
const tenantAddress = v.pipe(
  filled,
  v.check((url) => url.split('{tenantId}').length === 2, 'tenantOnce' satisfies ConfigFault),
  v.check(
    (url) => isHttpAddress(url.replace('{tenantId}', 'common')) && !/^[^/]*\/\/[^/]*\{/.test(url),
    'tenantInPath' satisfies ConfigFault,
  ),
);

/** An e-mail address that a link can contain. */
const email = v.pipe(
  filled,
  v.check((value) => /^[^\s@]+@[^\s@]+$/.test(value), 'email' satisfies ConfigFault),
);

/** A language (BCP 47). The host knows which are shipped. */
const languageTag = v.pipe(
  filled,
  v.check((value) => /^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/.test(value), 'language' satisfies ConfigFault),
);

/** `https://host` and not `https:host`, which browsers accept; no back-slashes, white space or user information. */
function isHttpAddress(url: string): boolean {
  if (!/^https?:\/\/[^/\\\s][^\\\s]*$/i.test(url) || !URL.canParse(url)) return false;
  const { username, password } = new URL(url);
  return username === '' && password === '';
}

function withoutTrailingSlash(url: string): string {
  return url.replace(/\/+$/, '');
}

const hexColour = v.pipe(
  v.string('colour' satisfies ConfigFault),
  v.regex(/^#[0-9a-f]{6}$/i, 'colour' satisfies ConfigFault),
);
const themeColour = v.union(
  [hexColour, v.strictObject({ light: hexColour, dark: hexColour }, 'colour' satisfies ConfigFault)],
  'colour' satisfies ConfigFault,
);

/** Its contrasts and files are checked where the page is served: `describeUnreadable`. */
export const themeSchema = v.strictObject(
  {
    primary: themeColour,
    onPrimary: v.optional(themeColour),
    background: v.optional(themeColour),
    surface: v.optional(themeColour),
    text: v.optional(themeColour),
    radius: v.optional(
      v.pipe(
        v.number('radius' satisfies ConfigFault),
        v.check((pixels) => pixels >= 0 && pixels <= 24, 'radius' satisfies ConfigFault),
      ),
    ),
    logo: v.optional(filled),
    font: v.optional(filled),
  },
  closedGroup,
);

const brand = v.strictObject(
  {
    label: filled,
    look: v.picklist(['default', 'epay'], 'look' satisfies ConfigFault),
    theme: v.optional(themeSchema),
  },
  closedGroup,
);

/** The brands have no prototype, because the query names the brand, and `?application=constructor` must find nothing. `brandFor` takes own keys only. */
const brands = v.pipe(
  v.record(v.string(), brand, group),
  v.transform((given): AppConfig['brands'] => Object.setPrototypeOf(given, null) as AppConfig['brands']),
);

/** The configuration block (docs/behaviour.md#configuration); conflicts between keys: `conflictIn`. */
export const configSchema = v.object(
  {
    environment: filled,
    signOnUrl: origin,
    serviceUrl: base,
    cookies: v.object(
      {
        prefix: cookiePrefix,
        domain: v.optional(domain),
        sameSite: v.optional(v.picklist(['Lax', 'Strict', 'None'], 'sameSite' satisfies ConfigFault), 'Lax'),
      },
      group,
    ),
    refreshGraceSeconds: v.optional(seconds),
    redirectHosts: hostPatterns,
    parentOrigins: list(origin),
    shortLinkHosts: hosts,
    supplierHosts: hosts,
    links: v.object(
      { supplierSite: address, marketingSite: address, supportEmail: email, providerSupport: filled },
      group,
    ),
    google: v.object({ clientId: filled, authorizationUrl: address, issuer: v.optional(address) }, group),
    microsoft: v.object({ authorizationUrl: tenantAddress, issuer: v.optional(address) }, group),
    brands,
    oneTimeLinks: v.optional(v.picklist(['auto', 'click'], 'oneTimeLinks' satisfies ConfigFault), 'auto'),
    extensions: v.optional(list(filled), []),
    passkeys: v.optional(v.object({ rpId: domain }, group)),
    languages: v.optional(list(languageTag)),
    devTools: v.optional(v.boolean('flag' satisfies ConfigFault), false),
    reportsTo: v.optional(address),
  },
  group,
) satisfies v.GenericSchema<unknown, AppConfig>;

/** Finds two conflicting keys, or a missing brand; `null` without a conflict. */
export function conflictIn({
  signOnUrl,
  serviceUrl,
  cookies,
  brands,
  extensions,
  passkeys,
}: AppConfig): ConfigRefusal | null {
  for (const name of ['default', 'supplier-hub'])
    if (!(name in brands)) return { key: `brands.${name}`, fault: 'missing' };
  if (isHttps(signOnUrl) && !isHttps(serviceUrl)) return { key: 'serviceUrl', fault: 'serviceHttps' };
  if (cookies.domain !== undefined && !isWithin(new URL(signOnUrl).hostname, cookies.domain))
    return { key: 'cookies.domain', fault: 'cookieDomain' };
  if (passkeys !== undefined && !isWithin(new URL(signOnUrl).hostname, passkeys.rpId))
    return { key: 'passkeys.rpId', fault: 'relyingParty' };
  if (passkeys === undefined && extensions.includes('passkeys'))
    return { key: 'passkeys.rpId', fault: 'missing' };
  return null;
}

const isHttps = (url: string) => /^https:/i.test(url);
const isWithin = (host: string, parent: string) => host === parent || host.endsWith(`.${parent}`);
