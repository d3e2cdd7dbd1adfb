import type { AppConfig, Brand } from '@shared/platform/appConfig';
import * as v from 'valibot';
import type { ConfigFault } from './config.messages';

/** The message of a check: the fault by name, because its words are fetched only when they are shown. */
const fault = (name: ConfigFault): ConfigFault => name;

const label = '[a-z0-9](?:[a-z0-9-]*[a-z0-9])?';
const host = `(?:${label}(?:\\.${label})*|\\[[0-9a-f:.]+\\])(?::[0-9]{1,5})?`;
const exactHost = new RegExp(`^${host}$`);
// At least two labels below the star: `*.com` would let a redirect lead anywhere.
const hostPattern = new RegExp(`^(?:${host}|\\*\\.${label}(?:\\.${label})+(?::[0-9]{1,5})?)$`);

const isFilled = (text: string) => text.trim() !== '';

/** Text that is not blank. */
const text = v.pipe(v.string(fault('text')), v.check(isFilled, fault('filled')));

/** A yes or no. */
const flag = v.boolean(fault('flag'));

/** A length of time, s. */
const seconds = v.pipe(v.number(fault('seconds')), v.minValue(0, fault('seconds')));

/** The part of a cookie name before the first suffix; what cookie names may hold without encoding. */
const cookiePrefix = v.pipe(text, v.regex(/^[A-Za-z0-9._-]+$/, fault('cookiePrefix')));

/** A domain without a leading dot. */
const domain = v.pipe(
  text,
  v.toLowerCase(),
  v.regex(new RegExp(`^${label}(?:\\.${label})*$`), fault('domain')),
);

/** A list of hosts, each with its port where that is not the default. */
const hosts = v.array(v.pipe(text, v.toLowerCase(), v.regex(exactHost, fault('host'))), fault('list'));

/** A list of hosts and of `*.parent` patterns. */
const hostPatterns = v.array(
  v.pipe(text, v.toLowerCase(), v.regex(hostPattern, fault('hostPattern'))),
  fault('list'),
);

/** An address that people or calls are sent to; kept as it was written. */
const address = v.pipe(text, v.check(isHttpAddress, fault('address')));

/** A base to which paths are appended: no trailing slash, no query. */
const base = v.pipe(
  address,
  v.check((url) => !/[?#]/.test(url), fault('noQuery')),
  v.transform(withoutTrailingSlash),
);

/** Scheme, host and port, and nothing else. */
const origin = v.pipe(
  address,
  v.transform(withoutTrailingSlash),
  v.check((url) => new URL(url).origin === url.toLowerCase(), fault('origin')),
  v.toLowerCase(),
);

/** Where `{tenantId}` is filled in. */
const tenantAddress = v.pipe(
  text,
  v.check((url) => url.split('{tenantId}').length === 2, fault('tenantOnce')),
  v.check(
    (url) => isHttpAddress(url.replace('{tenantId}', 'common')) && !/^[^/]*\/\/[^/]*\{/.test(url),
    fault('tenantInPath'),
  ),
);

/** An e-mail address, as far as a link to it needs to know. */
const email = v.pipe(text, v.regex(/^[^\s@]+@[^\s@]+$/, fault('email')));

/** `https://host` and not `https:host`, which browsers repair; no back-slashes, no blanks, no user information. */
function isHttpAddress(url: string): boolean {
  if (!/^https?:\/\/[^/\\\s][^\\\s]*$/i.test(url) || !URL.canParse(url)) return false;
  const { username, password } = new URL(url);
  return username === '' && password === '';
}

function withoutTrailingSlash(url: string): string {
  return url.replace(/\/+$/, '');
}

const brand = v.object({ label: text, look: v.picklist(['default', 'epay'], fault('look')) }, fault('group'));

/** Without a prototype: the query names the brand, and `?application=constructor` must find nothing. */
const bare = <T extends object>(map: T): T => Object.setPrototypeOf({ ...map }, null) as T;

const fields = v.object(
  {
    environment: text,
    signOnUrl: origin,
    serviceUrl: base,
    cookies: v.object(
      {
        prefix: cookiePrefix,
        domain: v.optional(domain),
        sameSite: v.optional(v.picklist(['Lax', 'Strict', 'None'], fault('sameSite')), 'Lax'),
      },
      fault('group'),
    ),
    refreshGraceSeconds: v.optional(seconds),
    redirectHosts: hostPatterns,
    parentOrigins: v.array(origin, fault('list')),
    shortLinkHosts: hosts,
    supplierHosts: hosts,
    links: v.object(
      { supplierSite: address, marketingSite: address, supportEmail: email, providerSupport: text },
      fault('group'),
    ),
    google: v.object(
      { clientId: text, authorizationUrl: address, issuer: v.optional(address) },
      fault('group'),
    ),
    microsoft: v.object({ authorizationUrl: tenantAddress, issuer: v.optional(address) }, fault('group')),
    brands: v.pipe(
      v.objectWithRest({ default: brand, 'supplier-hub': brand }, brand, fault('group')),
      v.transform(bare<Record<string, Brand> & AppConfig['brands']>),
    ),
    oneTimeLinks: v.optional(v.picklist(['auto', 'click'], fault('oneTimeLinks')), 'auto'),
    extensions: v.optional(v.array(text, fault('list')), []),
    devTools: v.optional(flag, false),
  },
  fault('group'),
);

/** The configuration block (docs/behaviour.md#configuration): each key alone, then the keys that must fit each other. */
export const configSchema = v.pipe(
  fields,
  v.forward(
    v.check(({ signOnUrl, serviceUrl }) => !isHttps(signOnUrl) || isHttps(serviceUrl), fault('serviceHttps')),
    ['serviceUrl'],
  ),
  v.forward(
    v.check(
      ({ signOnUrl, cookies }) =>
        cookies.domain === undefined || isWithin(new URL(signOnUrl).hostname, cookies.domain),
      fault('cookieDomain'),
    ),
    ['cookies', 'domain'],
  ),
);

const isHttps = (url: string) => /^https:/i.test(url);
const isWithin = (host: string, parent: string) => host === parent || host.endsWith(`.${parent}`);
