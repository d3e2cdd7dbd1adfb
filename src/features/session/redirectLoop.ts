import type { Deps } from '@shared/deps';

/** So many automatic redirects in so short a time, ms, are a loop (decisions §8). */
const tooMany = 4;
const withinMs = 30_000;

const note = 'redirects';

/**
 * Counts a redirect that nobody pressed a button for. Kept for the tab, because each redirect ends the page.
 *
 * @returns `false`: it would be the fourth within 30 s; the application sends the person back each time
 */
export function mayRedirectAgain({ clock, notes }: Pick<Deps, 'clock' | 'notes'>): boolean {
  const now = clock.now();
  const recent = (notes.tab.read(note) ?? '')
    .split(' ')
    .filter((at) => Math.abs(now - Number(at)) < withinMs);
  if (recent.length >= tooMany - 1) return false;
  notes.tab.write(note, [...recent, now].join(' '));
  return true;
}
