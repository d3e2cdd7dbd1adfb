import * as v from 'valibot';
import type { SettingsPart } from '../capability.ts';
import type { ServiceSettings } from '../core/settings/options.ts';
import { text } from '../platform/settings/variables.ts';

export interface OpenIdSettings extends ServiceSettings {
  /** The cookies of the page, which hold the session. Absent: the service is no OpenID provider. */
  readonly openid?: {
    readonly cookiePrefix: string;
    /** Absent: the cookies reach the login host only, which the start refuses. */
    readonly cookieDomain?: string;
    readonly cookieSameSite: 'Lax' | 'Strict' | 'None';
  };
}

const sameSite = v.optional(v.picklist(['Lax', 'Strict', 'None'], 'must be Lax, Strict or None.'), 'Lax');

export const openIdSettings: SettingsPart<OpenIdSettings> = {
  read: (read, given) => {
    const cookiePrefix = given['OPENID_COOKIE_PREFIX'];
    if (cookiePrefix === undefined) return {};
    const cookieDomain = read('OPENID_COOKIE_DOMAIN', text);
    return {
      rsaKeys: true,
      openid: {
        cookiePrefix,
        cookieSameSite: read('OPENID_COOKIE_SAME_SITE', sameSite),
        ...(cookieDomain === undefined ? {} : { cookieDomain }),
      },
    };
  },
  check: checkCookies,
  deployment: {
    ownKeys: ['service.clients'],
    names: ['OPENID_COOKIE_PREFIX', 'OPENID_COOKIE_DOMAIN', 'OPENID_COOKIE_SAME_SITE'],
    variables: ({ extensions, cookies: { prefix, domain, sameSite } }): Readonly<Record<string, string>> =>
      extensions.includes('openid')
        ? {
            OPENID_COOKIE_PREFIX: prefix,
            OPENID_COOKIE_SAME_SITE: sameSite,
            ...(domain === undefined ? {} : { OPENID_COOKIE_DOMAIN: domain }),
          }
        : {},
  },
};

/** Whether the browser sends the cookie of the session to this host. */
export const receivesSession = (
  { cookieDomain }: NonNullable<OpenIdSettings['openid']>,
  hostname: string,
): boolean => cookieDomain !== undefined && `.${hostname}`.endsWith(`.${cookieDomain.replace(/^\./, '')}`);

function checkCookies({ openid, issuer }: OpenIdSettings): void {
  if (openid === undefined) return;
  const { hostname } = new URL(issuer);
  if (receivesSession(openid, hostname)) return;
  throw new Error(
    `With openid, cookies.domain (OPENID_COOKIE_DOMAIN) must be a parent of the host of the service, ${hostname}, because the cookie of the session has to reach it.`,
  );
}
