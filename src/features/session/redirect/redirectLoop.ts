import type { Deps } from '@shared/deps';

/** This number of automatic redirects within `withinMs` is a loop (docs/behaviour.md#redirect-loops). */
const tooMany = 4;
const withinMs = 30_000;

const key = 'redirects';

/**
 * Counts an automatic redirect. The count is kept for the tab, because each redirect ends the page.
 *
 * @returns `false` if it would be the fourth within 30 s, because the application keeps sending the user back
 */
export function mayRedirectAgain({ clock, storage }: Deps): boolean {
  const now = clock.now();
  const recent = (storage.tab.read(key) ?? '')
    .split(' ')
    .filter((at) => Math.abs(now - Number(at)) < withinMs);
  if (recent.length >= tooMany - 1) return false;
  storage.tab.write(key, [...recent, now].join(' '));
  return true;
}
