import { attempt } from './attempt.ts';

/** Facts that all tabs of this origin share, under the names that the sign-on page uses on its own. None is a secret. */
export type Notes = ReturnType<typeof createNotes>;

/** If storage is blocked, as in some frames, a note lasts as long as the page. */
export function createNotes(browser: Window, prefix: string) {
  const own: Record<string, string> = {};
  return {
    read: (name: string): string | undefined =>
      attempt(() => browser.localStorage.getItem(`${prefix}-${name}`)) ?? own[name],
    write: (name: string, text: string): void => {
      own[name] = text;
      attempt(() => browser.localStorage.setItem(`${prefix}-${name}`, text));
    },
  };
}
