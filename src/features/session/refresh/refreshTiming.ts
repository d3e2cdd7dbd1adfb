import type { ApiError } from '@shared/api/apiError';
import type { Deps } from '@shared/deps';
import * as kit from '@vestibule/client/refreshTiming';
import type { Claims } from '../claims';
import { tokenNow } from './tokenClock';

/* The pause after a failed refresh, which all tabs share. `@vestibule/client` calculates its length. */

/** The rest of the pause before the next try, ms. */
export function pauseLeft(deps: Deps, claims: Pick<Claims, 'iat' | 'exp'>): number {
  return kit.pauseLeft(readPause(deps), claims, deps.clock.now(), tokenNow(deps));
}

/** Begins a pause of all tabs after a failed try. */
export function beginPause(deps: Deps, { retryAfterMs = 0 }: ApiError['details'] = {}): void {
  const pause = kit.pauseAfter(readPause(deps), deps.clock.now(), retryAfterMs, deps.random());
  deps.storage.browser.write(kit.pauseKey, pause);
}

/** Ends the pause after a successful refresh or sign-in. */
export function endPause({ storage }: Deps): void {
  storage.browser.write(kit.pauseKey, null);
}

const readPause = ({ storage }: Deps) => storage.browser.read(kit.pauseKey);
