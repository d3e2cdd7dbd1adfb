/** The session's cookies, as the page's configuration names them. */
export interface CookieNames {
  readonly prefix: string;
  /** Absent: cookies of one host. */
  readonly domain?: string | undefined;
  readonly sameSite: 'Lax' | 'Strict' | 'None';
}

/** Where the page asks for it. */
export const expireCookiesPath = '/expire-session-cookies';

/**
 * `Set-Cookie` values that expire the session's cookies under the name, domain and path that the page writes: a sibling host's
 * HttpOnly copy, which no script can see or overwrite, has the same three. A copy under another domain or path stands beside
 * the page's and hides nothing (docs/behaviour.md#blocked-cookies).
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
