import type { ApiError } from '@shared/api/apiError';
import type { Deps } from '@shared/deps';
import type { Claims } from '../claims';
import { asLocalTime, seemsExpired, type TokenClockDeps } from './tokenClock';

/*
 * The timing of refreshes: how long a failed one makes all tabs wait. `@vestibule/client` decides when one is due, and
 * `tokenClock.ts` has the clock.
 */

/** Time between two polls of a page that waits for another one's refresh, ms. */
export const pollSoonMs = 300;

/** A longer time between two polls is lost time, ms: the computer slept, or its clock was set. A call takes 10 s at most. */
export const longestGapMs = 20_000;

/** Renewing a token that is refused this soon after its issue would not help, ms. */
const youngMs = 10_000;

/** Whether the token has just been issued. */
export function isYoung({ iat }: Pick<Claims, 'iat'>, nowMs: number): boolean {
  return nowMs < iat * 1000 + youngMs;
}

/** Shared by all tabs: if each waited on its own, fifty tabs would cause fifty times the load. */
const pauseNote = 'refresh-pause';

/** The first wait and the longest, ms. The first is short: a gateway may have failed after the service had responded. */
const firstMs = 2000;
const longestMs = 60_000;

/**
 * When the last try is made, ms before the token expires: a call may take 10 s, and a response after the expiry finds the session
 * cleared. For a token with a very short life, a quarter of it.
 */
const lastTryMs = 15_000;

/** Failures in a row, the time of the last one, and until when to wait, ms since the epoch. */
interface Pause {
  readonly failures: number;
  readonly since: number;
  readonly until: number;
}

/** How long to wait after this many failures in a row, ms: doubled each time, half of it random. */
function waitAfter(failures: number, retryAfterMs: number, random: number): number {
  const longest = Math.min(longestMs, firstMs * 2 ** (failures - 1));
  return Math.max(retryAfterMs, longest * (0.5 + random / 2));
}

/**
 * How long to wait before the next try, ms; 0: try now. A wait that would leave no try before the token expires is cut short for
 * one last try. If that fails as well, the wait is kept in full.
 */
export function pauseLeft(deps: TokenClockDeps, claims: Pick<Claims, 'iat' | 'exp'>): number {
  const { since, until } = readPause(deps);
  const now = deps.clock.now();
  // The token has expired: a tab that lost time makes its one try. Or the clock was set back since the failed try.
  if (seemsExpired(deps, claims) || now < since) return 0;
  const { iat, exp } = claims;
  const lastTryAt = asLocalTime(deps, exp * 1000) - Math.min(lastTryMs, ((exp - iat) * 1000) / 4);
  const cutShort = Math.min(until, Math.max(lastTryAt, since + firstMs));
  return Math.max(0, (since < lastTryAt ? cutShort : until) - now);
}

/** After a failed try: makes all tabs wait. */
export function beginPause(
  deps: Pick<Deps, 'clock' | 'storage' | 'random'>,
  details: ApiError['details'] = {},
): void {
  const failures = readPause(deps).failures + 1;
  const since = deps.clock.now();
  const until = since + waitAfter(failures, details.retryAfterMs ?? 0, deps.random());
  deps.storage.browser.write(pauseNote, `${failures} ${since} ${until}`);
}

/** After a refresh or a sign-in that succeeded. */
export function endPause({ storage }: Pick<Deps, 'storage'>): void {
  storage.browser.write(pauseNote, null);
}

function readPause({ storage }: Pick<Deps, 'storage'>): Pause {
  const [failures = 0, since = 0, until = 0] = (storage.browser.read(pauseNote) ?? '').split(' ').map(Number);
  return Number.isFinite(failures + since + until)
    ? { failures, since, until }
    : { failures: 0, since: 0, until: 0 };
}
