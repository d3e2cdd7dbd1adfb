import type { AppConfig, Brand } from './appConfig.ts';
import { flag, group, list, object, oneOf, optional, read, Refusal, text, type Read } from './read.ts';
import type { ConfigFault } from './pageConfigMessages.ts';

const label = '[a-z0-9](?:[a-z0-9-]*[a-z0-9])?';
const host = `(?:${label}(?:\\.${label})*|\\[[0-9a-f:.]+\\])(?::[0-9]{1,5})?`;
const exactHost = new RegExp(`^${host}$`);
// At least two labels below the star: `*.com` would let a redirect lead anywhere.
const hostPattern = new RegExp(`^(?:${host}|\\*\\.${label}(?:\\.${label})+(?::[0-9]{1,5})?)$`);

/** Another reader's text, if it passes. */
const where =
  (given: Read<string>, fault: ConfigFault, passes: (value: string) => boolean): Read<string> =>
  (value, key) => {
    const one = given(value, key);
    if (!passes(one)) throw new Refusal(key, fault);
    return one;
  };

/** Another reader's text, changed. */
const changed =
  (given: Read<string>, change: (value: string) => string): Read<string> =>
  (value, key) =>
    change(given(value, key));

const lower = (value: string): string => value.toLowerCase();

/** Text that is not blank. */
const filled = where(text, 'filled', (value) => value.trim() !== '');
const lowerCase = changed(filled, lower);

/** A length of time, s. */
const seconds = read<number>('seconds', (value) => typeof value === 'number' && value >= 0);

/** The part of a cookie name before the first suffix; what cookie names may hold without encoding. */
const cookiePrefix = where(filled, 'cookiePrefix', (value) => /^[A-Za-z0-9._-]+$/.test(value));

/** A domain without a leading dot. */
const domain = where(lowerCase, 'domain', (value) => new RegExp(`^${label}(?:\\.${label})*$`).test(value));

/** A list of hosts, each with its port where that is not the default. */
const hosts = list(where(lowerCase, 'host', (value) => exactHost.test(value)));

/** A list of hosts and of `*.parent` patterns. */
const hostPatterns = list(where(lowerCase, 'hostPattern', (value) => hostPattern.test(value)));

/** An address that people or calls are sent to; kept as it was written. */
const address = where(filled, 'address', isHttpAddress);

/** A base to which paths are appended: no trailing slash, no query. */
const base = changed(
  where(address, 'noQuery', (url) => !/[?#]/.test(url)),
  withoutTrailingSlash,
);

/** Scheme, host and port, and nothing else. It becomes part of headers, so that its host is one that `exactHost` knows. */
const origin = where(
  changed(address, (url) => lower(withoutTrailingSlash(url))),
  'origin',
  (url) => new URL(url).origin === url && exactHost.test(new URL(url).host),
);

/** Where `{tenantId}` is filled in. */
const tenantAddress = where(
  where(filled, 'tenantOnce', (url) => url.split('{tenantId}').length === 2),
  'tenantInPath',
  (url) => isHttpAddress(url.replace('{tenantId}', 'common')) && !/^[^/]*\/\/[^/]*\{/.test(url),
);

/** An e-mail address, as far as a link to it needs to know. */
const email = where(filled, 'email', (value) => /^[^\s@]+@[^\s@]+$/.test(value));

/** `https://host` and not `https:host`, which browsers repair; no back-slashes, no blanks, no user information. */
function isHttpAddress(url: string): boolean {
  if (!/^https?:\/\/[^/\\\s][^\\\s]*$/i.test(url) || !URL.canParse(url)) return false;
  const { username, password } = new URL(url);
  return username === '' && password === '';
}

function withoutTrailingSlash(url: string): string {
  return url.replace(/\/+$/, '');
}

const brand = object<Brand>({ label: filled, look: oneOf('look', 'default', 'epay') });

/** Without a prototype: the query names the brand, and `?application=constructor` must find nothing. */
const brands: Read<AppConfig['brands']> = (value, key) => {
  const given = { default: undefined, 'supplier-hub': undefined, ...group(value, key) };
  const found: Record<string, Brand> = Object.setPrototypeOf({}, null) as Record<string, Brand>;
  for (const [name, one] of Object.entries(given))
    if (name !== '__proto__') found[name] = brand(one, `${key}.${name}`);
  return found as AppConfig['brands'];
};

const fields = object<AppConfig>({
  environment: filled,
  signOnUrl: origin,
  serviceUrl: base,
  cookies: object<AppConfig['cookies']>({
    prefix: cookiePrefix,
    domain: optional(domain, undefined),
    sameSite: optional(oneOf('sameSite', 'Lax', 'Strict', 'None'), 'Lax'),
  }),
  refreshGraceSeconds: optional(seconds, undefined),
  redirectHosts: hostPatterns,
  parentOrigins: list(origin),
  shortLinkHosts: hosts,
  supplierHosts: hosts,
  links: object<AppConfig['links']>({
    supplierSite: address,
    marketingSite: address,
    supportEmail: email,
    providerSupport: filled,
  }),
  google: object<AppConfig['google']>({
    clientId: filled,
    authorizationUrl: address,
    issuer: optional(address, undefined),
  }),
  microsoft: object<AppConfig['microsoft']>({
    authorizationUrl: tenantAddress,
    issuer: optional(address, undefined),
  }),
  brands,
  oneTimeLinks: optional(oneOf('oneTimeLinks', 'auto', 'click'), 'auto'),
  extensions: optional(list(filled), []),
  devTools: optional(flag, false),
  reportsTo: optional(address, undefined),
});

/** The configuration block (docs/behaviour.md#configuration): each key alone, then the keys that must fit each other. */
export const readConfig: Read<AppConfig> = (value, key) => {
  const config = fields(value, key);
  const { signOnUrl, serviceUrl, cookies } = config;
  if (isHttps(signOnUrl) && !isHttps(serviceUrl)) throw new Refusal('serviceUrl', 'serviceHttps');
  if (cookies.domain !== undefined && !isWithin(new URL(signOnUrl).hostname, cookies.domain))
    throw new Refusal('cookies.domain', 'cookieDomain');
  return config;
};

const isHttps = (url: string) => /^https:/i.test(url);
const isWithin = (host: string, parent: string) => host === parent || host.endsWith(`.${parent}`);
