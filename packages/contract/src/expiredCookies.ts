/** The cookies of the session in the page's configuration. */
export interface CookieNames {
  readonly prefix: string;
  /** Absent: host-only cookies. */
  readonly domain?: string | undefined;
  readonly sameSite: 'Lax' | 'Strict' | 'None';
}

/** The path at which the page requests it. */
export const expireCookiesPath = '/expire-session-cookies';

/**
 * `Set-Cookie` values that expire the session's cookies with the name, domain and path of the page's own, to remove
 * HttpOnly copies of a sibling host, which scripts cannot overwrite. A cookie with another domain or path does not
 * hide the page's (docs/behaviour.md#blocked-cookies).
 */
export function expiredCookies(
  { prefix, domain, sameSite }: CookieNames,
  { secure }: { readonly secure: boolean },
): readonly string[] {
  const scope = domain === undefined ? '' : `; Domain=${domain}`;
  const isSecure = secure || sameSite === 'None' ? '; Secure' : '';
  return ['session', 'session-refresh', 'session-setup'].map(
    (name) => `${prefix}-${name}=; Path=/${scope}; Max-Age=0; SameSite=${sameSite}${isSecure}`,
  );
}
