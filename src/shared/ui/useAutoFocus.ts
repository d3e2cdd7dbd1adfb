import { useLayoutEffect, useRef, type RefObject } from 'react';

/**
 * Focuses an element when its screen appears, so that keyboard and screen reader start there.
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
