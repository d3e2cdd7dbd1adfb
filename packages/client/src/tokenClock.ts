import { toleranceMs, type Claims } from './claims.ts';
import type { PresentSession, StoredSession } from './cookies.ts';

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

/** @returns the skew, ms; 0 if it is not known */
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
 * Whether the clock was corrected since the skew was measured: with it the token was issued in the future, or has expired, but not
 * without it.
 */
export function isWrongSkew(
  skew: string | null | undefined,
  { iat, exp }: Pick<Claims, 'iat' | 'exp'>,
  nowMs: number,
): boolean {
  const from = iat * 1000 - toleranceMs;
  const { now } = tokenClock(skew, nowMs);
  return now < from || (isExpired({ exp }, now) && !isExpired({ exp }, nowMs));
}

/** Whether the token has expired; `nowMs` in ms since the epoch, by the service's clock. */
export const isExpired = ({ exp }: Pick<Claims, 'exp'>, nowMs: number): boolean => nowMs >= exp * 1000;

/**
 * Whether the token has expired by a clock that has been compared with the service's. Only then may a session be cleared without
 * asking the service (docs/behaviour.md#clock-skew).
 */
export const hasExpired = (claims: Pick<Claims, 'exp'>, { isMeasured, now }: TokenClock): boolean =>
  isMeasured && isExpired(claims, now);

/** The session in the cookies. */
type Stored =
  Exclude<StoredSession, PresentSession> | { readonly kind: 'present'; readonly claims: Pick<Claims, 'exp'> };

/**
 * What a page finds that shows no session, when it opens and at each poll:
 * - `active`: a session, which it adopts
 * - `uncertain`: a session that has expired by a clock that was not compared with the service's. A refresh decides.
 * - `expired`, `malformed`, `noPersonas`: at the opening, the session ends for this reason
 * - `none`: no session
 */
export type OpeningDecision = 'active' | 'uncertain' | 'expired' | 'malformed' | 'noPersonas' | 'none';

export function decideOpening(stored: Stored, clock: TokenClock): OpeningDecision {
  if (stored.kind !== 'present') return stored.kind;
  if (!isExpired(stored.claims, clock.now)) return 'active';
  return clock.isMeasured ? 'expired' : 'uncertain';
}
