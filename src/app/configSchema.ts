import type { AppConfig, Brand } from '@shared/platform/appConfig';
import * as v from 'valibot';
import {
  address,
  base,
  cookiePrefix,
  domain,
  email,
  flag,
  hostPatterns,
  hosts,
  origin,
  tenantAddress,
  text,
} from './configValues';

const group = 'must be an object';

const brand = v.object(
  { label: text, look: v.picklist(['default', 'epay'], "must be 'default' or 'epay'") },
  group,
);

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
        sameSite: v.optional(
          v.picklist(['Lax', 'Strict', 'None'], "must be 'Lax', 'Strict' or 'None'"),
          'Lax',
        ),
      },
      group,
    ),
    redirectHosts: hostPatterns,
    parentOrigins: v.array(origin, 'must be a list'),
    shortLinkHosts: hosts,
    supplierHosts: hosts,
    links: v.object(
      { supplierSite: address, marketingSite: address, supportEmail: email, providerSupport: text },
      group,
    ),
    google: v.object({ clientId: text, authorizationUrl: address }, group),
    microsoft: v.object({ authorizationUrl: tenantAddress }, group),
    brands: v.pipe(
      v.objectWithRest({ default: brand, 'supplier-hub': brand }, brand, group),
      v.transform(bare<Record<string, Brand> & AppConfig['brands']>),
    ),
    oneTimeLinks: v.optional(v.picklist(['auto', 'click'], "must be 'auto' or 'click'"), 'auto'),
    devTools: v.optional(flag, false),
  },
  group,
);

/** The configuration block (decisions §1): every key for itself, then the keys that have to fit each other. */
export const configSchema = v.pipe(
  fields,
  v.forward(
    v.check(
      ({ signOnUrl, serviceUrl }) => !isHttps(signOnUrl) || isHttps(serviceUrl),
      'must be an https URL, because signOnUrl is one: browsers block the calls otherwise',
    ),
    ['serviceUrl'],
  ),
  v.forward(
    v.check(
      ({ signOnUrl, cookies }) =>
        cookies.domain === undefined || isWithin(new URL(signOnUrl).hostname, cookies.domain),
      'must be the host of signOnUrl or a parent of it: browsers refuse the cookies otherwise',
    ),
    ['cookies', 'domain'],
  ),
);

const isHttps = (url: string) => /^https:/i.test(url);
const isWithin = (host: string, parent: string) => host === parent || host.endsWith(`.${parent}`);
