import type { Claims } from '../claims';

/** Whether the token's life is over; `nowMs` in ms since the epoch. */
export function isExpired({ exp }: Pick<Claims, 'exp'>, nowMs: number): boolean {
  return nowMs >= exp * 1000;
}

/** Whether half of the token's life has passed, from which on it is refreshed (specification §4 Session). */
export function isRefreshDue({ iat, exp }: Pick<Claims, 'iat' | 'exp'>, nowMs: number): boolean {
  return nowMs >= (iat + (exp - iat) / 2) * 1000;
}
