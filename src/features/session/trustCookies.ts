import type { Deps } from '@shared/deps';
import { expiryOf } from './claims';
import { cookieNames } from './cookieNames';
import type { CookieDeps } from './sessionCookies';
import { asLocalTime } from './tokenClock';

/** How many are kept on a device, all users together (decisions §12): the oldest goes. */
const most = 8;

/** What may stand in an authorisation header (RFC 6750 §2.1). */
const tokenShape = /^[\w.~+/-]+=*$/;

const namesOf = ({ config }: CookieDeps) => cookieNames(config.cookies.prefix);

/**
 * The trusted token of this user on this device, if any. What cannot be one (empty, cut off, set twice by a sibling
 * host) is removed: sent along, it would make the service refuse the right password.
 */
export function readTrustedToken(deps: CookieDeps, username: string): string | undefined {
  const name = namesOf(deps).trust(username);
  const [token, ...others] = new Set(deps.cookies.readAll(name));
  if (token === undefined) return undefined;
  if (others.length === 0 && tokenShape.test(token)) return token;
  deps.cookies.remove(name);
  return undefined;
}

/**
 * Keeps the trusted token of this user until its own `exp` (specification §3).
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
  dropOldest(deps, name);
  return true;
}

/** Trusts this device no longer for this user. */
export function dropTrustedToken(deps: CookieDeps, username: string): void {
  deps.cookies.remove(namesOf(deps).trust(username));
}

/** A cookie does not tell its age: the one whose token ends first is taken for the oldest. */
function dropOldest(deps: CookieDeps, justWritten: string): void {
  const { cookies } = deps;
  const { trustPrefix } = namesOf(deps);
  const others = cookies
    .names()
    .filter((name) => name.startsWith(trustPrefix) && name !== justWritten)
    .map((name) => ({ name, exp: expiryOf(cookies.readAll(name)[0] ?? '') ?? 0 }))
    .sort((one, other) => other.exp - one.exp);
  for (const { name } of others.slice(most - 1)) cookies.remove(name);
}
