import * as v from 'valibot';
import type { AppConfig } from './appConfig.ts';
import type { ConfigFault } from './pageConfigMessages.ts';

const label = '[a-z0-9](?:[a-z0-9-]*[a-z0-9])?';
const host = `(?:${label}(?:\\.${label})*|\\[[0-9a-f:.]+\\])(?::[0-9]{1,5})?`;
const exactHost = new RegExp(`^${host}$`);
// At least two labels below the star: `*.com` would let a redirect lead anywhere.
const hostPattern = new RegExp(`^(?:${host}|\\*\\.${label}(?:\\.${label})+(?::[0-9]{1,5})?)$`);

/** The message of each issue is a {@link ConfigFault}. */
const where = (fault: ConfigFault, passes: (value: string) => boolean) => v.check(passes, fault);
const fault = (name: ConfigFault): ConfigFault => name;
/** For objects, which also report the keys that they lack. */
const group = ({ received }: v.BaseIssue<unknown>): ConfigFault =>
  received === 'undefined' ? 'missing' : 'group';

const list = <Entry extends v.GenericSchema<unknown, string>>(entry: Entry) => v.array(entry, fault('list'));

/** Text that is not blank. */
const filled = v.pipe(
  v.string(fault('text')),
  where('filled', (value) => value.trim() !== ''),
);
const lowerCase = v.pipe(filled, v.toLowerCase());

/** A length of time, s. */
const seconds = v.pipe(v.number(fault('seconds')), v.minValue(0, fault('seconds')));

/** The part of a cookie name before the first suffix; what cookie names may hold without encoding. */
const cookiePrefix = v.pipe(
  filled,
  where('cookiePrefix', (value) => /^[A-Za-z0-9._-]+$/.test(value)),
);

/** A domain without a leading dot. */
const domain = v.pipe(
  lowerCase,
  where('domain', (value) => new RegExp(`^${label}(?:\\.${label})*$`).test(value)),
);

/** A list of hosts, each with its port where that is not the default. */
const hosts = list(
  v.pipe(
    lowerCase,
    where('host', (value) => exactHost.test(value)),
  ),
);

/** A list of hosts and of `*.parent` patterns. */
const hostPatterns = list(
  v.pipe(
    lowerCase,
    where('hostPattern', (value) => hostPattern.test(value)),
  ),
);

/** An address that people or calls are sent to; kept as it was written. */
const address = v.pipe(filled, where('address', isHttpAddress));

/** A base to which paths are appended: no trailing slash, no query. */
const base = v.pipe(
  address,
  where('noQuery', (url) => !/[?#]/.test(url)),
  v.transform(withoutTrailingSlash),
);

/** Scheme, host and port, and nothing else. It becomes part of headers, so that its host is one that `exactHost` knows. */
const origin = v.pipe(
  address,
  v.transform((url) => withoutTrailingSlash(url).toLowerCase()),
  where('origin', (url) => new URL(url).origin === url && exactHost.test(new URL(url).host)),
);

/** Where `{tenantId}` is filled in. */
const tenantAddress = v.pipe(
  filled,
  where('tenantOnce', (url) => url.split('{tenantId}').length === 2),
  where(
    'tenantInPath',
    (url) => isHttpAddress(url.replace('{tenantId}', 'common')) && !/^[^/]*\/\/[^/]*\{/.test(url),
  ),
);

/** An e-mail address, as far as a link to it needs to know. */
const email = v.pipe(
  filled,
  where('email', (value) => /^[^\s@]+@[^\s@]+$/.test(value)),
);

/** `https://host` and not `https:host`, which browsers repair; no back-slashes, no blanks, no user information. */
function isHttpAddress(url: string): boolean {
  if (!/^https?:\/\/[^/\\\s][^\\\s]*$/i.test(url) || !URL.canParse(url)) return false;
  const { username, password } = new URL(url);
  return username === '' && password === '';
}

function withoutTrailingSlash(url: string): string {
  return url.replace(/\/+$/, '');
}

const brand = v.object({ label: filled, look: v.picklist(['default', 'epay'], fault('look')) }, group);

/** Without a prototype: the query names the brand, and `?application=constructor` must find nothing. */
const brands = v.pipe(
  v.objectWithRest({ default: brand, 'supplier-hub': brand }, brand, group),
  v.transform((given): AppConfig['brands'] => Object.setPrototypeOf(given, null) as AppConfig['brands']),
);

const isHttps = (url: string) => /^https:/i.test(url);
const isWithin = (host: string, parent: string) => host === parent || host.endsWith(`.${parent}`);

/** The configuration block (docs/behaviour.md#configuration): each key alone, then the keys that must fit each other. */
export const configSchema = v.pipe(
  v.object(
    {
      environment: filled,
      signOnUrl: origin,
      serviceUrl: base,
      cookies: v.object(
        {
          prefix: cookiePrefix,
          domain: v.optional(domain),
          sameSite: v.optional(v.picklist(['Lax', 'Strict', 'None'], fault('sameSite')), 'Lax'),
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
      oneTimeLinks: v.optional(v.picklist(['auto', 'click'], fault('oneTimeLinks')), 'auto'),
      extensions: v.optional(list(filled), []),
      devTools: v.optional(v.boolean(fault('flag')), false),
      reportsTo: v.optional(address),
    },
    group,
  ),
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
) satisfies v.GenericSchema<unknown, AppConfig>;
