import type { AppConfig, Brand } from '@shared/platform/appConfig';
import * as v from 'valibot';
import {
  address,
  base,
  cookiePrefix,
  domain,
  email,
  fault,
  flag,
  hostPatterns,
  hosts,
  origin,
  seconds,
  tenantAddress,
  text,
} from './configValues';

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

/** The configuration block (decisions §1): every key for itself, then the keys that have to fit each other. */
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
