import type { Deps } from '@shared/deps';
import { expiryOf } from './claims';
import { trustCookiesOf } from './dropTrust';
import { namesOf, type CookieDeps } from './sessionCookies';
import { asLocalTime } from './tokenClock';

/** How many are kept on a device, all users together (decisions §12): the oldest goes. */
const most = 8;

/** What may stand in an authorisation header (RFC 6750 §2.1). */
const tokenShape = /^[\w.~+/-]+=*$/;

/**
 * The trusted token of this user on this device, if any; of several, the one that lasts longest. What cannot be one
 * (empty, cut off, set twice by a sibling host) is removed: sent along, it would make the service refuse the right
 * password.
 */
export function readTrustedToken(deps: CookieDeps, username: string): string | undefined {
  const tokens: string[] = [];
  for (const name of trustCookiesOf(deps, username)) {
    const [token, ...others] = new Set(deps.cookies.readAll(name));
    if (token !== undefined && others.length === 0 && tokenShape.test(token)) tokens.push(token);
    else deps.cookies.remove(name);
  }
  return tokens.sort(byLongerLife)[0];
}

/**
 * Keeps the trusted token of this user until its own `exp` (specification §3), in the place of one under another
 * spelling of the name.
 *
 * @returns `false`: it is not one of ours, or the browser refused the cookie
 */
export function writeTrustedToken(
  deps: CookieDeps & Pick<Deps, 'notes'>,
  username: string,
  trustedToken: string,
): boolean {
  const exp = tokenShape.test(trustedToken) ? expiryOf(trustedToken) : null;
  if (exp === null) return false;
  const name = namesOf(deps).trust(username);
  if (!deps.cookies.write(name, trustedToken, { kind: 'until', at: asLocalTime(deps, exp * 1000) }))
    return false;
  for (const other of trustCookiesOf(deps, username)) if (other !== name) deps.cookies.remove(other);
  dropOldest(deps, name);
  return true;
}

/** A cookie does not tell its age: the one whose token ends first is taken for the oldest. */
function dropOldest(deps: CookieDeps, justWritten: string): void {
  const { cookies } = deps;
  const { trustPrefix } = namesOf(deps);
  const others = cookies
    .names()
    .filter((name) => name.startsWith(trustPrefix) && name !== justWritten)
    .map((name) => ({ name, token: cookies.readAll(name)[0] ?? '' }))
    .sort((one, other) => byLongerLife(one.token, other.token));
  for (const { name } of others.slice(most - 1)) cookies.remove(name);
}

const byLongerLife = (one: string, other: string): number => (expiryOf(other) ?? 0) - (expiryOf(one) ?? 0);
