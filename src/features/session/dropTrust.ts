import { namesOf, type CookieDeps } from './sessionCookies';

/**
 * Usernames are compared as the service compares them: trimmed, compatibility-normalised, in lower case. The cookie is
 * written under the name as it was typed, which is the contract with the sibling applications (decisions §3).
 */
const keyOf = (username: string): string => username.trim().normalize('NFKC').toLowerCase();

/** The cookies of this user, however their name was typed when they were written. */
export function trustCookiesOf(deps: CookieDeps, username: string): readonly string[] {
  const { trustPrefix } = namesOf(deps);
  const wanted = keyOf(username);
  return deps.cookies
    .names()
    .filter((name) => name.startsWith(trustPrefix) && keyOf(name.slice(trustPrefix.length)) === wanted);
}

/** Trusts this device no longer for this user. */
export function dropTrustedToken(deps: CookieDeps, username: string): void {
  for (const name of trustCookiesOf(deps, username)) deps.cookies.remove(name);
}
