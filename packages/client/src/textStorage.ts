import { tryOrNull } from './tryOrNull.ts';

/** Text that all tabs of this origin share, under the keys of the sign-on page. None is a secret. */
export type TextStorage = ReturnType<typeof createTextStorage>;

/** `localStorage`, or memory where the browser refuses it, as in some frames. */
export function createTextStorage(browser: Window, prefix: string) {
  const memory: Record<string, string> = {};
  return {
    read: (key: string): string | undefined =>
      tryOrNull(() => browser.localStorage.getItem(`${prefix}-${key}`)) ?? memory[key],
    write: (key: string, text: string): void => {
      memory[key] = text;
      tryOrNull(() => browser.localStorage.setItem(`${prefix}-${key}`, text));
    },
  };
}
