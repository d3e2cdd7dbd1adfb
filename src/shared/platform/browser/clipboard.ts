import type { Clipboard } from '../platform';

/**
 * The clipboard. Refused where the browser has none (no secure context), where the person or a parent's frame without
 * `allow="clipboard-write"` forbids it (decisions §6), and outside the turn of a click.
 */
export function createClipboard({ navigator }: Pick<Window, 'navigator'>): Clipboard {
  return {
    copy: async (text) => {
      try {
        await navigator.clipboard.writeText(text);
        return true;
      } catch {
        // Also where `navigator.clipboard` is missing, which the type does not say.
        return false;
      }
    },
  };
}
