import type { Claims } from './claims.ts';

/** A refresh does not help if a token is refused this soon after its issue, ms. */
const youngMs = 10_000;

/** Whether the token has just been issued. */
export const isYoung = ({ iat }: Pick<Claims, 'iat'>, nowMs: number): boolean => nowMs < iat * 1000 + youngMs;

/**
 * The first and the longest wait after a failed refresh, ms. The first is short, because a gateway may have failed after the
 * service had responded.
 */
const firstMs = 2000;
const longestMs = 60_000;

/**
 * The last try is made this long before the token expires, ms, because a call may take 10 s, and a response after the expiry
 * finds the session cleared. For a token with a very short life it is a quarter of that life.
 */
const lastTryMs = 15_000;

/** The key under which the tabs of an origin share their pause. Fifty tabs with separate pauses would cause fifty times the load. */
export const pauseKey = 'refresh-pause';

/** The longest wait that a service may ask for, ms: with a day, any token is over. */
const longestRetryAfterMs = 86_400_000;

/**
 * How long a service asks to wait, in seconds or as a date, ms; 0 or less: not at all. Engines read almost any text as a date, but
 * hardly any as one that is still to come.
 *
 * @param retryAfter - the header `Retry-After`
 */
export function retryAfterMs(retryAfter: string | null | undefined, nowMs: number): number {
  const text = String(retryAfter);
  return Math.min(Number(text) * 1000 || Date.parse(text) - nowMs || 0, longestRetryAfterMs);
}

/** The number of failures in a row, the time of the last one, and the end of the wait, ms since the epoch. */
const read = (stored: string | null | undefined): readonly number[] =>
  (stored ?? '').split(' ').map((text) => Number(text) || 0);

/**
 * The pause to store after a failed try. All tabs wait. The wait doubles with each failure, and half of it is random.
 *
 * @param stored - the previous pause
 * @param retryAfterMs - how long the service asks to wait at least, ms
 * @param random - a number in [0, 1)
 */
export function pauseAfter(
  stored: string | null | undefined,
  nowMs: number,
  retryAfterMs: number,
  random: number,
): string {
  const [failures = 0] = read(stored);
  const wait = Math.min(longestMs, firstMs * 2 ** failures) * (0.5 + random / 2);
  return `${failures + 1} ${nowMs} ${nowMs + Math.max(retryAfterMs, wait)}`;
}

/**
 * The rest of the wait before the next try, ms. A wait that would leave no try before the token expires is cut short for one
 * last try. If that fails as well, the full wait applies until the token has expired.
 *
 * @param tokenNowMs - the same time by the service's clock
 */
export function pauseLeft(
  stored: string | null | undefined,
  { iat, exp }: Pick<Claims, 'iat' | 'exp'>,
  nowMs: number,
  tokenNowMs: number,
): number {
  const [, since = 0, until = 0] = read(stored);
  const expiresAt = nowMs + exp * 1000 - tokenNowMs;
  // If the failed try is in the future, the clock was set back since.
  if (nowMs >= expiresAt || nowMs < since) return 0;
  const lastTryAt = expiresAt - Math.min(lastTryMs, (exp - iat) * 250);
  const cutShort = Math.max(lastTryAt, since + firstMs);
  return Math.max(0, Math.min(until, since < lastTryAt ? cutShort : until) - nowMs);
}
