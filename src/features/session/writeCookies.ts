import type { TokenPair } from '@shared/api/api';
import { clearSession, namesOf, type CookieDeps } from './sessionCookies';

/* Apart from what reads and clears: `/login` comes up without it. */

const forSession = { kind: 'session' } as const;

/**
 * Writes both session cookies. `false`: the browser refused one of them; both are then removed, because an older
 * value that stayed would replay a spent refresh token.
 */
export function writeSession(deps: CookieDeps, tokens: TokenPair): boolean {
  const names = namesOf(deps);
  const written =
    deps.cookies.write(names.session, JSON.stringify({ authenticated: tokens }), forSession) &&
    deps.cookies.write(names.refresh, tokens.refresh, forSession);
  if (!written) clearSession(deps);
  return written;
}

/** Starts setup mode. `false`: the browser refused the cookie. */
export function writeSetup(deps: CookieDeps, mfaToken: string): boolean {
  return deps.cookies.write(namesOf(deps).setup, JSON.stringify({ mfaToken }), forSession);
}

/**
 * Keeps the tokens of a magic link for the application that it leads to (decisions §3). `false`: the browser refused.
 *
 * @param hash - lower-case hex SHA-256 of the link's id
 */
export function writeMagicLinkSession(
  deps: CookieDeps,
  hash: string,
  tokens: { readonly token: string; readonly refreshToken: string },
): boolean {
  return deps.cookies.write(namesOf(deps).magicLink(hash), JSON.stringify(tokens), forSession);
}

/** Remembers the username for 365 days, or forgets it (decisions §3). */
export function rememberUsername(deps: CookieDeps, username: string | null): void {
  const name = namesOf(deps).username;
  if (username === null) deps.cookies.remove(name);
  else deps.cookies.write(name, username, { kind: 'days', days: 365 });
}
