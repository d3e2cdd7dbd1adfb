import { useCallback, useSyncExternalStore, type RefObject } from 'react';
import { isFilled, type Filling } from './isFilled';

/** The events after which the value may have changed. */
const fieldEvents = ['input', 'change', 'keydown', 'animationstart'] as const;
const formEvents = ['pointerdown', 'focusin'] as const;

/**
 * Whether an uncontrolled field has a text. This reads the DOM, because a text can be there before hydration, come from a
 * password manager that sends no event, or be filled in by the browser before scripts may read it (facebook/react#1159).
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

/** Sets the value of a field, and notifies `useFilled`, because the browser sends no event. */
export function setFieldValue(input: HTMLInputElement, value: string): void {
  input.value = value;
  input.dispatchEvent(new Event('change', { bubbles: true }));
}
