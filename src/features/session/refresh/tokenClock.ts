import type { Deps } from '@shared/deps';
import { toleranceMs } from '@vestibule/client/claims';
import * as kit from '@vestibule/client/tokenClock';
import type { Claims } from '../claims';
import { readSession, type CookieDeps, type StoredSession } from '../sessionCookies';

export { isExpired } from '@vestibule/client/tokenClock';

/** What `tokenNow` needs. */
export type TokenClockDeps = Pick<Deps, 'clock' | 'storage'>;

/** The time to compare tokens with, ms since the epoch: the service's, as far as it is known. */
export function tokenNow(deps: TokenClockDeps): number {
  return deps.clock.now() - skewOf(deps);
}

/** Converts a time of the service to this browser's clock; both in ms since the epoch. */
export function asLocalTime(deps: Pick<Deps, 'storage'>, ms: number): number {
  return ms + skewOf(deps);
}

/** Measures the skew by a token that has just been issued. */
export function setTokenClock({ clock, storage }: TokenClockDeps, claims: Pick<Claims, 'iat'>): void {
  storage.browser.write(kit.skewKey, kit.skewBy(claims, clock.now()));
}

/**
 * The clock may have been corrected since the skew was measured. When a page opens, the skew is dropped if with it the token
 * was issued in the future, or if the token is valid only without it.
 */
export function dropWrongSkew(deps: TokenClockDeps, { iat, exp }: Pick<Claims, 'iat' | 'exp'>): void {
  const from = iat * 1000 - toleranceMs;
  const isValidAt = (ms: number) => from <= ms && !kit.isExpired({ exp }, ms);
  const now = tokenNow(deps);
  if (now < from || (!isValidAt(now) && isValidAt(deps.clock.now())))
    deps.storage.browser.write(kit.skewKey, null);
}

/** The skew: how far this browser's clock is ahead of the service's, ms. Stored for the next page and the other tabs of this host. */
function skewOf({ storage }: Pick<Deps, 'storage'>): number {
  return kit.skewOf(storage.browser.read(kit.skewKey));
}

/** Whether the token seems to have expired. Without a measured skew, only the browser's clock decides. */
export function seemsExpired(deps: TokenClockDeps, claims: Pick<Claims, 'exp'>): boolean {
  return kit.isExpired(claims, tokenNow(deps));
}

/**
 * Whether the token has expired by a clock that has been compared with the service's on this host. Only then may a session be
 * cleared without asking the service (docs/behaviour.md#clock-skew).
 */
export function hasExpired(deps: TokenClockDeps, claims: Pick<Claims, 'exp'>): boolean {
  return deps.storage.browser.read(kit.skewKey) !== null && seemsExpired(deps, claims);
}

/** The session, if it seems expired and the browser's clock has not been compared with the service's on this host. */
export function readUncertain(
  deps: TokenClockDeps & CookieDeps,
): Extract<StoredSession, { readonly kind: 'present' }> | null {
  const stored = readSession(deps);
  const isUncertain =
    stored.kind === 'present' && seemsExpired(deps, stored.claims) && !hasExpired(deps, stored.claims);
  return isUncertain ? stored : null;
}
