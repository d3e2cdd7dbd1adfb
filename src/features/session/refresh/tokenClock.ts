import type { Deps } from '@shared/deps';
import * as kit from '@vestibule/client/tokenClock';
import type { Claims } from '../claims';
import { readSession, type StoredSession } from '../sessionCookies';

export { isExpired } from '@vestibule/client/tokenClock';

const readSkew = ({ storage }: Deps) => storage.browser.read(kit.skewKey);

/** The clock that tokens are compared with. */
export const tokenClock = (deps: Deps): kit.TokenClock => kit.tokenClock(readSkew(deps), deps.clock.now());

/** The time to compare tokens with, ms since the epoch: the service's, as far as it is known. */
export const tokenNow = (deps: Deps): number => tokenClock(deps).now;

/** Converts a time of the service to this browser's clock; both in ms since the epoch. */
export function asLocalTime(deps: Deps, ms: number): number {
  return ms + kit.skewOf(readSkew(deps));
}

/** Measures the skew by a token that has just been issued, for the next page and the other tabs of this host. */
export function setTokenClock({ clock, storage }: Deps, claims: Pick<Claims, 'iat'>): void {
  storage.browser.write(kit.skewKey, kit.skewBy(claims, clock.now()));
}

/** Drops a skew of a clock that has been corrected. Called when a page opens. */
export function dropWrongSkew(deps: Deps, claims: Pick<Claims, 'iat' | 'exp'>): void {
  if (kit.isWrongSkew(readSkew(deps), claims, deps.clock.now()))
    deps.storage.browser.write(kit.skewKey, null);
}

/** Whether the token seems to have expired. Without a measured skew, only the browser's clock decides. */
export function seemsExpired(deps: Deps, claims: Pick<Claims, 'exp'>): boolean {
  return kit.isExpired(claims, tokenNow(deps));
}

/** Whether the token has expired by a clock that has been compared with the service's on this host. */
export function hasExpired(deps: Deps, claims: Pick<Claims, 'exp'>): boolean {
  return kit.hasExpired(claims, tokenClock(deps));
}

/** The session, if only a refresh can tell whether it has expired. */
export function readUncertain(deps: Deps): Extract<StoredSession, { readonly kind: 'present' }> | null {
  const stored = readSession(deps);
  const isUncertain = kit.decideOpening(stored, tokenClock(deps)) === 'uncertain';
  return isUncertain && stored.kind === 'present' ? stored : null;
}
