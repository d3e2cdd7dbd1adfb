import type { Deps } from '@shared/deps';

/** All tabs of the browser wait together: each on its own would make fifty of them fifty times the load. */
export const pauseNote = 'refresh-pause';

/** The trouble is over. Apart from `backOff.ts`, which only the work of a signed-in tab needs: a sign-in ends it, too. */
export function endPause({ notes }: Pick<Deps, 'notes'>): void {
  notes.browser.write(pauseNote, null);
}
