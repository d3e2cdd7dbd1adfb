import type { Deps } from '@shared/deps';
import { allowRedirect } from './redirectAllowlist';

const key = 'return';
/** An application waits this long for a sign-in, ms. */
const keptForMs = 1_800_000;

/**
 * Keeps the address to open after the next sign-in, while something else comes first, such as a mail that is opened in another tab.
 *
 * @param url - `null` drops a kept one
 */
export function keepReturn({ clock, storage }: Deps, url: string | null): void {
  storage.browser.write(key, url && `${String(clock.now())} ${url}`);
}

/** Drops the kept address. @returns it as the query of `/login`; empty if there is none, or the redirect allowlist refuses it */
export function takeReturn(deps: Deps): string {
  const [, at, url = ''] = /^(\d+) (.*)$/s.exec(deps.storage.browser.read(key) ?? '') ?? [];
  keepReturn(deps, null);
  const isKept = Math.abs(deps.clock.now() - Number(at)) < keptForMs && allowRedirect(url, deps) !== null;
  return isKept ? `?url=${encodeURIComponent(url)}` : '';
}
