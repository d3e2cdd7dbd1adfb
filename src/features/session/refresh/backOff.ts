import type { ApiError } from '@shared/api/apiError';
import type { Deps } from '@shared/deps';

/** The first wait and the longest, ms. The first is short: a gateway may have failed after the service had answered. */
const firstMs = 2000;
const longestMs = 60_000;

/** All tabs of the browser wait together: each on its own would make fifty of them fifty times the load. */
const note = 'refresh-pause';

/** Trouble so far: how often in a row, and until when no try is made, ms since the epoch. */
interface Trouble {
  readonly failures: number;
  readonly until: number;
}

/** What waiting needs of the outside. */
export type BackOffDeps = Pick<Deps, 'clock' | 'notes' | 'random'>;

/** How long to wait after so many failures in a row, ms: twice as long each time, half of it by chance. */
export function waitAfter(failures: number, retryAfterMs: number, random: number): number {
  const longest = Math.min(longestMs, firstMs * 2 ** (failures - 1));
  return Math.max(retryAfterMs, longest * (0.5 + random / 2));
}

/** How long no try is to be made yet, ms; 0: now is fine. */
export function pauseLeft(deps: BackOffDeps): number {
  const left = readTrouble(deps).until - deps.clock.now();
  // Longer than anybody asked for: the clock was set back meanwhile.
  return left > longestMs ? 0 : Math.max(0, left);
}

/** A try failed: until when all tabs wait. */
export function beginPause(deps: BackOffDeps, details: ApiError['details'] = {}): void {
  const failures = readTrouble(deps).failures + 1;
  const until = deps.clock.now() + waitAfter(failures, details.retryAfterMs ?? 0, deps.random());
  deps.notes.browser.write(note, `${failures} ${until}`);
}

/** The trouble is over. */
export function endPause({ notes }: Pick<Deps, 'notes'>): void {
  notes.browser.write(note, null);
}

function readTrouble({ notes }: Pick<Deps, 'notes'>): Trouble {
  const [failures = 0, until = 0] = (notes.browser.read(note) ?? '').split(' ').map(Number);
  return Number.isFinite(failures + until) ? { failures, until } : { failures: 0, until: 0 };
}
