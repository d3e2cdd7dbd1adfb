import type { Claims } from '../claims';
import { clockToleranceMs } from '../tokenClock';

/** Whether the token's life is over; `nowMs` in ms since the epoch. */
export function isExpired({ exp }: Pick<Claims, 'exp'>, nowMs: number): boolean {
  return nowMs >= exp * 1000;
}

/** A token that is refused so soon after it was issued is not helped by another one, ms. */
const youngMs = 10_000;

/** Whether the token was issued just now. */
export function isYoung({ iat }: Pick<Claims, 'iat'>, nowMs: number): boolean {
  return nowMs < iat * 1000 + youngMs;
}

/**
 * Whether half of the token's life has passed, from which on it is refreshed (specification §4 Session). So is one from
 * the future: the clock was set back, and only a token that is received now can tell how far.
 */
export function isRefreshDue({ iat, exp }: Pick<Claims, 'iat' | 'exp'>, nowMs: number): boolean {
  return nowMs >= (iat + (exp - iat) / 2) * 1000 || nowMs <= iat * 1000 - clockToleranceMs;
}
