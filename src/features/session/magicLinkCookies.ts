import type { Deps } from '@shared/deps';
import { parseJson } from '@vestibule/client/cookies';
import { decodeClaims, type Claims } from './claims';
import { hasExpired } from './refresh/tokenClock';
import { cookieNames } from './sessionCookies';

/**
 * The cookies with the sessions of magic links (docs/behaviour.md#magic-links). They stay when the session of the page
 * expires, because an application may use them.
 */

/** The limit for all users of a browser, because every request to a host of the family carries these cookies. */
export const mostMagicLinks = 4;

/** A refresh token does not contain its expiry. It counts as expired this long after the access token was issued, s. */
const refreshLifeSeconds = 86_400;

/** The form of the hash in the name of a magic link's cookie. No other cookie of the family has a hash in its name. */
const sha256 = /^[0-9a-f]{64}$/;

interface HeldMagicLink {
  readonly name: string;
  readonly refresh?: string;
  readonly claims?: Claims | null;
}

/** The cookies of magic links. A cookie without claims holds no session. */
function heldMagicLinks(deps: Deps): HeldMagicLink[] {
  const prefix = cookieNames(deps).magicLink('');
  return deps.cookies.names().flatMap((name) => {
    if (!name.startsWith(prefix) || !sha256.test(name.slice(prefix.length))) return [];
    const { token, refreshToken } = parseJson(deps.cookies.readAll(name)[0] ?? '') ?? {};
    if (typeof token !== 'string' || typeof refreshToken !== 'string') return [{ name }];
    return [{ name, refresh: refreshToken, claims: decodeClaims(token) }];
  });
}

/**
 * Removes the sessions of magic links: all of them at a sign-out, those of other users at a sign-in.
 *
 * @param exceptOf - uid of the user whose sessions stay
 * @returns the refresh tokens of the removed sessions
 */
export function takeMagicLinks(deps: Deps, exceptOf?: string): readonly { readonly refresh: string }[] {
  return heldMagicLinks(deps).flatMap(({ name, refresh, claims }) => {
    if (exceptOf !== undefined && claims?.uid === exceptOf) return [];
    deps.cookies.remove(name);
    return refresh === undefined ? [] : [{ refresh }];
  });
}

/**
 * Removes the cookies of magic links that hold no session, or one whose tokens have both expired, and the oldest above `most`.
 * Nothing is revoked: an application may still use the tokens of a removed cookie.
 */
export function dropOldMagicLinks(deps: Deps, most = mostMagicLinks): void {
  // Browsers list the oldest cookie first, so that two links of the same second keep their order.
  const newestFirst = heldMagicLinks(deps)
    .reverse()
    .sort((one, other) => (other.claims?.iat ?? 0) - (one.claims?.iat ?? 0));
  let left = most;
  for (const { name, claims } of newestFirst) {
    const isOver =
      !claims || hasExpired(deps, { exp: Math.max(claims.exp, claims.iat + refreshLifeSeconds) });
    if (isOver || left === 0) deps.cookies.remove(name);
    else left -= 1;
  }
}
