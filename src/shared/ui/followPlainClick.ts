import type { MouseEvent } from 'react';

/**
 * Click handler for an anchor that the application follows by itself. A click with a modifier (new tab, new window,
 * download) stays the browser's.
 *
 * @param onFollow - absent: the browser follows the anchor
 */
export function followPlainClick(onFollow: (() => void) | undefined) {
  return (event: MouseEvent<HTMLAnchorElement>): void => {
    const { button, metaKey, ctrlKey, shiftKey, altKey } = event;
    if (!onFollow || button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return;
    event.preventDefault();
    onFollow();
  };
}
