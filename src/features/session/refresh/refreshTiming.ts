import type { ApiError } from '@shared/api/apiError';
import type { Deps } from '@shared/deps';
import * as kit from '@vestibule/client/refreshTiming';
import type { Claims } from '../claims';
import { tokenNow } from './tokenClock';

/* The pause after a failed refresh, which all tabs share. `@vestibule/client` calculates its length. */

/** How long to wait before the next try, ms; 0: try now. */
export function pauseLeft(deps: Deps, claims: Pick<Claims, 'iat' | 'exp'>): number {
  return kit.pauseLeft(readPause(deps), claims, deps.clock.now(), tokenNow(deps));
}

/** After a failed try: makes all tabs wait. */
export function beginPause(deps: Deps, { retryAfterMs = 0 }: ApiError['details'] = {}): void {
  const pause = kit.pauseAfter(readPause(deps), deps.clock.now(), retryAfterMs, deps.random());
  deps.storage.browser.write(kit.pauseKey, pause);
}

/** After a refresh or a sign-in that succeeded. */
export function endPause({ storage }: Deps): void {
  storage.browser.write(kit.pauseKey, null);
}

const readPause = ({ storage }: Deps) => storage.browser.read(kit.pauseKey);
