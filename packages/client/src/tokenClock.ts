import { toleranceMs, type Claims } from './claims.ts';

/** The key under which the tabs of an origin share the skew: how far this browser's clock is ahead of the service's, ms. */
export const skewKey = 'clock-skew';

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

/** Whether the token has expired; `nowMs` in ms since the epoch, by the service's clock. */
export const isExpired = ({ exp }: Pick<Claims, 'exp'>, nowMs: number): boolean => nowMs >= exp * 1000;
