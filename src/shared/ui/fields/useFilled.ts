import { useCallback, useSyncExternalStore, type RefObject } from 'react';
import { isFilled, type Filling } from './isFilled';

/** Everything after which the browser may hold another value than before. */
const fieldEvents = ['input', 'change', 'keydown', 'animationstart'] as const;
const formEvents = ['pointerdown', 'focusin'] as const;

/**
 * Whether an uncontrolled field holds something. The DOM is asked, not React: text can be there
 * before hydration, come from a password manager that sends no event, or be filled in by the browser, which shows
 * it before scripts may read it (facebook/react#1159). A button that depends on it does not stay disabled.
 *
 * Code that sets the value reports it through {@link setFieldValue}.
 */
export function useFilled(fieldRef: RefObject<HTMLInputElement | null>, filling?: Filling): boolean {
  const subscribe = useCallback(
    (onChange: () => void) => {
      const input = fieldRef.current;
      const form = input?.form;
      for (const name of fieldEvents) input?.addEventListener(name, onChange);
      for (const name of formEvents) form?.addEventListener(name, onChange);
      return () => {
        for (const name of fieldEvents) input?.removeEventListener(name, onChange);
        for (const name of formEvents) form?.removeEventListener(name, onChange);
      };
    },
    [fieldRef],
  );
  return useSyncExternalStore(
    subscribe,
    () => fieldRef.current !== null && isFilled(fieldRef.current, filling),
    () => false,
  );
}

/** Sets a field from code, and notifies `useFilled`: the browser sends no event of its own then. */
export function setFieldValue(input: HTMLInputElement, value: string): void {
  input.value = value;
  input.dispatchEvent(new Event('change', { bubbles: true }));
}
