import { useLayoutEffect, useRef, type RefObject } from 'react';

/**
 * Puts the focus on an element when its screen comes up, so that a keyboard or a screen reader starts there.
 *
 * @param takesFocus - `false` in a parent's frame, where no field takes the focus by itself (docs/behaviour.md#embedding)
 */
export function useAutoFocus<T extends HTMLElement>(takesFocus: boolean): RefObject<T | null> {
  const element = useRef<T>(null);
  useLayoutEffect(() => {
    if (takesFocus) element.current?.focus();
  }, [takesFocus]);
  return element;
}
