import { toleranceMs, type Claims } from './claims.ts';

/** The key under which the tabs of an origin share the skew: how far this browser's clock is ahead of the service's, ms. */
export const skewKey = 'clock-skew';

/** The clock that tokens are compared with. */
export interface TokenClock {
  /** ms since the epoch, by the service's clock as far as it is known. */
  readonly now: number;
  /** Whether this browser's clock has been compared with the service's on this host. */
  readonly isMeasured: boolean;
}

/** @param skew - as it is stored */
export const tokenClock = (skew: string | null | undefined, nowMs: number): TokenClock => ({
  now: nowMs - skewOf(skew),
  isMeasured: !!skew,
});

/** @returns the skew, ms; 0: it is not known */
export function skewOf(stored: string | null | undefined): number {
  const skew = Number(stored);
  return Number.isFinite(skew) ? skew : 0;
}

/** The skew to store, from a token that has just been issued. */
export function skewBy({ iat }: Pick<Claims, 'iat'>, nowMs: number): string {
  const skew = nowMs - iat * 1000;
  return String(Math.abs(skew) < toleranceMs ? 0 : skew);
}

/**
 * Whether the clock was corrected since the skew was measured: with it the token was issued in the future, or it is valid only
 * without it.
 */
export function isWrongSkew(
  skew: string | null | undefined,
  { iat, exp }: Pick<Claims, 'iat' | 'exp'>,
  nowMs: number,
): boolean {
  const from = iat * 1000 - toleranceMs;
  const isValidAt = (ms: number) => from <= ms && !isExpired({ exp }, ms);
  const { now } = tokenClock(skew, nowMs);
  return now < from || (!isValidAt(now) && isValidAt(nowMs));
}

/** Whether the token has expired; `nowMs` in ms since the epoch, by the service's clock. */
export const isExpired = ({ exp }: Pick<Claims, 'exp'>, nowMs: number): boolean => nowMs >= exp * 1000;

/**
 * Whether the token has expired by a clock that has been compared with the service's. Only then may a session be cleared without
 * asking the service (docs/behaviour.md#clock-skew).
 */
export const hasExpired = (claims: Pick<Claims, 'exp'>, { isMeasured, now }: TokenClock): boolean =>
  isMeasured && isExpired(claims, now);
