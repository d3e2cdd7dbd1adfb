import type { ApiError } from '@shared/api/apiError';
import type { Deps } from '@shared/deps';
import type { Claims } from '../claims';
import { tokenNow } from '../tokenClock';
import { pauseNote } from './endPause';

/** The first wait and the longest, ms. The first is short: a gateway may have failed after the service had answered. */
const firstMs = 2000;
const longestMs = 60_000;

/**
 * The last try is made so long before the token ends, ms: a call is given up after 10 s, and an answer that comes after
 * the end finds the session cleared. For a token with a very short life, a quarter of it.
 */
const lastTryMs = 15_000;

/** Trouble so far: how often in a row, when the last try failed and until when none is to be made, ms since the epoch. */
interface Trouble {
  readonly failures: number;
  readonly since: number;
  readonly until: number;
}

/** What waiting needs of the outside. */
export type BackOffDeps = Pick<Deps, 'clock' | 'notes' | 'random'>;

/** How long to wait after so many failures in a row, ms: twice as long each time, half of it by chance. */
export function waitAfter(failures: number, retryAfterMs: number, random: number): number {
  const longest = Math.min(longestMs, firstMs * 2 ** (failures - 1));
  return Math.max(retryAfterMs, longest * (0.5 + random / 2));
}

/**
 * How long no try is to be made yet, ms; 0: now is fine. A wait that would leave no try before the token ends is cut
 * short for one last try. If that fails, too, the wait is kept in full.
 */
export function pauseLeft(
  deps: Pick<Deps, 'clock' | 'notes'>,
  { iat, exp }: Pick<Claims, 'iat' | 'exp'>,
): number {
  const { since, until } = readTrouble(deps);
  const now = deps.clock.now();
  const lifeLeft = exp * 1000 - tokenNow(deps);
  // The token is over: a tab that lost time makes its one try. Or the clock was set back since the try that failed.
  if (lifeLeft <= 0 || now < since) return 0;
  const lastTryAt = now + lifeLeft - Math.min(lastTryMs, ((exp - iat) * 1000) / 4);
  const cutShort = Math.min(until, Math.max(lastTryAt, since + firstMs));
  return Math.max(0, (since < lastTryAt ? cutShort : until) - now);
}

/** A try failed: until when all tabs wait. */
export function beginPause(deps: BackOffDeps, details: ApiError['details'] = {}): void {
  const failures = readTrouble(deps).failures + 1;
  const since = deps.clock.now();
  const until = since + waitAfter(failures, details.retryAfterMs ?? 0, deps.random());
  deps.notes.browser.write(pauseNote, `${failures} ${since} ${until}`);
}

function readTrouble({ notes }: Pick<Deps, 'notes'>): Trouble {
  const [failures = 0, since = 0, until = 0] = (notes.browser.read(pauseNote) ?? '').split(' ').map(Number);
  return Number.isFinite(failures + since + until)
    ? { failures, since, until }
    : { failures: 0, since: 0, until: 0 };
}
