import type { Deps } from '@shared/deps';
import type { Claims } from './claims';

/** A clock that is wrong by less is right, ms (decisions §8): answers take their time, and `iat` is in whole seconds. */
export const clockToleranceMs = 5000;

/** How far the clock of this browser goes ahead of the service's, ms. Kept for the next page and the other tabs. */
const note = 'clock-skew';

/** What telling the time of tokens needs of the outside. */
export type TokenClockDeps = Pick<Deps, 'clock' | 'notes'>;

/** The time by which tokens are judged, ms since the epoch: the service's, as far as it is known. */
export function tokenNow(deps: TokenClockDeps): number {
  return deps.clock.now() - skewOf(deps);
}

/** A time of the service's as this browser's clock will show it; both in ms since the epoch. */
export function asLocalTime(deps: Pick<Deps, 'notes'>, ms: number): number {
  return ms + skewOf(deps);
}

/** Measures the clock by a token that has just come from the service: it was issued now (decisions §8). */
export function setTokenClock({ clock, notes }: TokenClockDeps, { iat }: Pick<Claims, 'iat'>): void {
  const skew = clock.now() - iat * 1000;
  notes.browser.write(note, Math.abs(skew) < clockToleranceMs ? null : String(skew));
}

/**
 * The clock may have been put right since it was measured. A page that is loaded goes by the note no longer if by it the
 * token comes from the future, or if only by the bare clock it is in its life; what is left tells the time.
 */
export function dropWrongNote(deps: TokenClockDeps, { iat, exp }: Pick<Claims, 'iat' | 'exp'>): void {
  const from = iat * 1000 - clockToleranceMs;
  const lives = (ms: number) => from <= ms && ms < exp * 1000;
  const noted = tokenNow(deps);
  if (noted < from || (!lives(noted) && lives(deps.clock.now()))) deps.notes.browser.write(note, null);
}

function skewOf({ notes }: Pick<Deps, 'notes'>): number {
  const skew = Number(notes.browser.read(note));
  return Number.isFinite(skew) ? skew : 0;
}
