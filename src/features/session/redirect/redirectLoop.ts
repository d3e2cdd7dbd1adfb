import type { Deps } from '@shared/deps';

/** This many automatic redirects within this time, ms, are a loop (docs/behaviour.md#redirect-loops). */
const tooMany = 4;
const withinMs = 30_000;

const key = 'redirects';

/**
 * Counts an automatic redirect. The count is kept for the tab, because each redirect ends the page.
 *
 * @returns `false`: it would be the fourth within 30 s, because the application sends the user back each time
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
