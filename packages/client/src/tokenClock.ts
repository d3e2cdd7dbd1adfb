import { toleranceMs, type Claims } from './claims.ts';

/** How far this browser's clock is ahead of the service's, ms: where the tabs of an origin share it. */
export const skewNote = 'clock-skew';

/** @returns the skew, ms; 0: it is not known */
export function skewOf(note: string | null | undefined): number {
  const skew = Number(note);
  return Number.isFinite(skew) ? skew : 0;
}

/** The note by a token that has just been issued. */
export function skewBy({ iat }: Pick<Claims, 'iat'>, nowMs: number): string {
  const skew = nowMs - iat * 1000;
  return String(Math.abs(skew) < toleranceMs ? 0 : skew);
}

/** Whether the token has expired; `nowMs` in ms since the epoch, by the service's clock. */
export const isExpired = ({ exp }: Pick<Claims, 'exp'>, nowMs: number): boolean => nowMs >= exp * 1000;
