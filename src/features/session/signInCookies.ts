import type { TokenPair } from '@shared/api/decoders';
import type { Deps } from '@shared/deps';
import * as kit from '@vestibule/client/cookies';
import { jwtDecode } from 'jwt-decode';
import { dropOldMagicLinks, mostMagicLinks } from './magicLinkCookies';
import { asLocalTime } from './refresh/tokenClock';
import { cookieNames, trustCookiesOf } from './sessionCookies';

/** Writes the cookies of a sign-in, and reads the trusted tokens (docs/behaviour.md#cookies). */

/** Writes both session cookies. `false`: the browser refused one of them, and both have been removed. */
export function writeSession({ cookies, config }: Deps, tokens: TokenPair): boolean {
  return kit.writeSession(cookies, config.cookies.prefix, tokens);
}

/** A larger session cookie is logged, because it grows with the personas and browsers refuse cookies over 4,096 bytes. */
const largeSession = 3500;

/** @returns the size of the session cookie in bytes if it is near the limit of browsers, otherwise `null`. */
export function largeSessionBytes(deps: Deps): number | null {
  const { session } = cookieNames(deps);
  const bytes = kit.cookieBytes(session, deps.cookies.readAll(session)[0] ?? '');
  return bytes > largeSession ? bytes : null;
}

/** Starts setup mode. `false`: the browser refused the cookie. */
export function writeSetup(deps: Deps, mfaToken: string): boolean {
  return deps.cookies.write(cookieNames(deps).setup, JSON.stringify({ mfaToken }));
}

/**
 * Stores the tokens of a magic link for the application that it opens, and removes the oldest links above the limit. `false`: the
 * browser refused the cookie.
 *
 * @param hash - lower-case hex SHA-256 of the link's id
 */
export function writeMagicLinkSession(
  deps: Deps,
  hash: string,
  tokens: { readonly token: string; readonly refreshToken: string },
): boolean {
  dropOldMagicLinks(deps, mostMagicLinks - 1);
  return deps.cookies.write(cookieNames(deps).magicLink(hash), JSON.stringify(tokens));
}

/** How long a browser remembers, ms. */
export const yearMs = 365 * 86_400_000;

/** The form of a token in an authorisation header (RFC 6750 §2.1). */
export const tokenShape = /^[\w.~+/-]+=*$/;

/** Remembers the username for 365 days; `null` forgets it. */
export function rememberUsername(deps: Deps, username: string | null): void {
  const name = cookieNames(deps).username;
  if (username === null) deps.cookies.remove(name);
  else deps.cookies.write(name, username, deps.clock.now() + yearMs);
}

/** The limit of trusted tokens on a device, for all users together (docs/behaviour.md#trusted-devices). */
const mostTrusted = 8;

/** Last second of the year 9999: browsers do not read a later `Expires` and would keep the cookie for the session. */
const lastExpiryMs = 253_402_300_799_000;

/**
 * The trusted token of this user on this device, if any; of several, the one that expires last. A value that cannot be a token
 * (empty, cut off, set twice by a sibling host) is removed: if it were sent, the service would refuse the right password.
 */
export function readTrustedToken(deps: Deps, username: string): string | undefined {
  const tokens: string[] = [];
  for (const name of trustCookiesOf(deps, username)) {
    const [token, ...others] = new Set(deps.cookies.readAll(name));
    if (token !== undefined && others.length === 0 && tokenShape.test(token)) tokens.push(token);
    else deps.cookies.remove(name);
  }
  return tokens.sort(byLongerLife)[0];
}

/**
 * Keeps the trusted token of this user until its `exp`. The name is written as it was typed, because the sibling applications
 * read it; a cookie under another spelling is replaced.
 *
 * @returns `false` if it is not a token or the browser refused the cookie
 */
export function writeTrustedToken(deps: Deps, username: string, trustedToken: string): boolean {
  const exp = tokenShape.test(trustedToken) ? expiryOf(trustedToken) : null;
  if (exp === null) return false;
  const name = cookieNames(deps).trust(username);
  const at = Math.min(asLocalTime(deps, exp * 1000), lastExpiryMs);
  if (!deps.cookies.write(name, trustedToken, at)) return false;
  for (const other of trustCookiesOf(deps, username)) if (other !== name) deps.cookies.remove(other);
  dropOldest(deps, name);
  return true;
}

/** A cookie does not tell its age: the one whose token expires first counts as the oldest. */
function dropOldest(deps: Deps, justWritten: string): void {
  const { cookies } = deps;
  const { trustPrefix } = cookieNames(deps);
  const others = cookies
    .names()
    .filter((name) => name.startsWith(trustPrefix) && name !== justWritten)
    .map((name) => ({ name, token: cookies.readAll(name)[0] ?? '' }))
    .sort((one, other) => byLongerLife(one.token, other.token));
  for (const { name } of others.slice(mostTrusted - 1)) cookies.remove(name);
}

/** The time when a token expires, seconds since the epoch; `null` if it is no token or has no `exp`. */
function expiryOf(token: string): number | null {
  try {
    const { exp } = jwtDecode<{ readonly exp?: unknown }>(token);
    return typeof exp === 'number' && exp >= 0 ? exp : null;
  } catch {
    return null;
  }
}

const byLongerLife = (one: string, other: string): number => (expiryOf(other) ?? 0) - (expiryOf(one) ?? 0);
