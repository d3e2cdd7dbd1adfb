import { attempt } from './attempt.ts';
import type { Claims } from './claims.ts';
import { pauseAfter, pauseLeft, pauseNote } from './refreshTiming.ts';
import { skewBy, skewNote, skewOf } from './tokenClock.ts';

/** Facts that all tabs of this origin share, under the names that the sign-on page uses on its own. None is a secret. */
export type Notes = ReturnType<typeof createNotes>;

export function createNotes(browser: Window, prefix: string) {
  /** Without storage, as in a frame where it is blocked, a note lasts as long as the page. */
  const own = new Map<string, string>();
  const read = (name: string): string | null =>
    attempt(() => browser.localStorage.getItem(`${prefix}-${name}`)) ?? own.get(name) ?? null;
  const write = (name: string, text: string): void => {
    own.set(name, text);
    attempt(() => browser.localStorage.setItem(`${prefix}-${name}`, text));
  };
  const tokenNow = () => Date.now() - skewOf(read(skewNote));

  return {
    /** The time to compare tokens with, ms since the epoch: the service's, as far as it is known. */
    tokenNow,
    /** A refresh succeeded: a token that has just been issued shows the clock skew, and no caller waits any longer. */
    succeeded: (claims: Claims): void => {
      write(skewNote, skewBy(claims, Date.now()));
      write(pauseNote, '');
    },
    /** A refresh failed: all tabs wait. @param retryAfterMs - how long the service asks to wait, ms */
    failed: (retryAfterMs: number): void => {
      write(pauseNote, pauseAfter(read(pauseNote), Date.now(), retryAfterMs, Math.random()));
    },
    /** Whether to wait before the next try. */
    isPausing: (claims: Claims): boolean => pauseLeft(read(pauseNote), claims, Date.now(), tokenNow(), true) > 0,
  };
}
