import type { Deps } from '@shared/deps';
import * as kit from '@vestibule/client/cookies';
import { withoutGroupNames, type Claims } from './claims';

/**
 * The session's cookies: names, reading, removing. The format of the session cookie is in `@vestibule/client`.
 * `signInCookies.ts` writes the cookies of a sign-in and is not in the first bundle.
 */

/** The names of the cookies, a contract with the sibling applications (docs/behaviour.md#cookies). */
export function cookieNames({ config }: Deps) {
  const { prefix } = config.cookies;
  const trustPrefix = `${prefix}-session-trust-`;
  return {
    ...kit.sessionNames(prefix),
    setup: kit.setupName(prefix),
    username: `${prefix}-username`,
    trustPrefix,
    trust: (username: string) => trustPrefix + username,
    /** @param hash - lower-case hex SHA-256 of the link's id */
    magicLink: (hash: string) => `${prefix}-session-${hash}`,
    probe: kit.probeName(prefix),
  };
}

/** The content of the session cookie. The cookies are authoritative, not the store. */
export type StoredSession =
  | Exclude<kit.StoredSession, kit.PresentSession>
  | (Omit<kit.PresentSession, 'claims'> & { readonly claims: Claims });

/** Reads the session cookie. Never throws. */
export function readSession({ cookies, config }: Deps): StoredSession {
  const stored = kit.readSession(cookies, config.cookies.prefix);
  return stored.kind === 'present' ? { ...stored, claims: withoutGroupNames(stored.claims) } : stored;
}

/** Removes both session cookies; trust cookies and the remembered username stay. */
export function clearSession({ cookies, config }: Deps): void {
  kit.clearSession(cookies, config.cookies.prefix);
}

/** Removes a refresh cookie without its session cookie. Call it only where there is no session. */
export function clearOrphanRefresh(deps: Deps): void {
  const { refresh } = cookieNames(deps);
  if (deps.cookies.readAll(refresh).length > 0) deps.cookies.remove(refresh);
}

/** Reads the setup-mode session; `null` without one, or if the cookie has another form. */
export function readSetup({
  cookies,
  config,
}: Deps): { readonly mfaToken: string; readonly claims: Claims } | null {
  const stored = kit.readSetup(cookies, config.cookies.prefix);
  return stored && { ...stored, claims: withoutGroupNames(stored.claims) };
}

/** Whether this is setup mode: no session token, but a setup token (docs/behaviour.md#setup-mode). */
export function isSetupMode(deps: Deps): boolean {
  return readSession(deps).kind !== 'present' && readSetup(deps) !== null;
}

/**
 * Whether the bearer replaces the `authVerificationToken`: a session token with `isMfaSetup`, or in setup mode the
 * `mfaToken`. Then no verification token is sent, and the end of the verification period leads to `signOnUrl`.
 */
export function hasSetupToken(deps: Deps): boolean {
  const stored = readSession(deps);
  return stored.kind === 'present' ? stored.claims.isMfaSetup : readSetup(deps) !== null;
}

/** Ends setup mode. */
export function clearSetup(deps: Deps): void {
  const { setup } = cookieNames(deps);
  if (deps.cookies.readAll(setup).length > 0) deps.cookies.remove(setup);
}

/** The remembered username, or an empty text. */
export function readRememberedUsername(deps: Deps): string {
  return deps.cookies.readAll(cookieNames(deps).username)[0] ?? '';
}

/** Compares usernames as the service does: trimmed, compatibility-normalised, in lower case. */
const normalise = (username: string): string => username.trim().normalize('NFKC').toLowerCase();

/** The trust cookies of this user, however the username was spelt when they were written. */
export function trustCookiesOf(deps: Deps, username: string): readonly string[] {
  const { trustPrefix } = cookieNames(deps);
  const wanted = normalise(username);
  return deps.cookies
    .names()
    .filter((name) => name.startsWith(trustPrefix) && normalise(name.slice(trustPrefix.length)) === wanted);
}

/** Stops trusting this device for this user. */
export function dropTrustedToken(deps: Deps, username: string): void {
  for (const name of trustCookiesOf(deps, username)) deps.cookies.remove(name);
}
