import { attempt } from './attempt.ts';
import { toleranceMs, type Claims } from './claims.ts';

/** Facts that all tabs of this origin share, under the names that the sign-on page uses on its own. None is a secret. */
export type Notes = ReturnType<typeof createNotes>;

/** How far this browser's clock is ahead of the service's, ms; and failures in a row, the time of the last, until when to wait. */
type NoteName = 'clock-skew' | 'refresh-pause';

/** The first wait after a failed refresh and the longest, ms. */
const firstMs = 2000;
const longestMs = 60_000;

export function createNotes(browser: Window, prefix: string) {
  /** Without storage, as in a frame where it is blocked, a note lasts as long as the page. */
  const own = new Map<NoteName, string>();
  const read = (name: NoteName): string =>
    attempt(() => browser.localStorage.getItem(`${prefix}-${name}`)) ?? own.get(name) ?? '';
  const write = (name: NoteName, text: string): void => {
    own.set(name, text);
    attempt(() => browser.localStorage.setItem(`${prefix}-${name}`, text));
  };
  const skew = () => Number(read('clock-skew')) || 0;
  const pause = () => read('refresh-pause').split(' ').map(Number);

  return {
    /** The time to compare tokens with, ms since the epoch: the service's, as far as it is known. */
    tokenNow: () => Date.now() - skew(),
    /** A refresh succeeded: a token that has just been issued shows the clock skew, and no caller waits any longer. */
    succeeded: ({ iat }: Claims): void => {
      const ahead = Date.now() - iat * 1000;
      write('clock-skew', String(Math.abs(ahead) < toleranceMs ? 0 : ahead));
      write('refresh-pause', '');
    },
    /** A refresh failed: all tabs wait, twice as long after each failure, half of it random; longer if the service asks for it. */
    failed: (retryAfterMs: number): void => {
      const [failures = 0] = pause();
      const now = Date.now();
      const wait = Math.min(longestMs, firstMs * 2 ** failures) * (0.5 + Math.random() / 2);
      write('refresh-pause', `${failures + 1} ${now} ${now + Math.max(wait, retryAfterMs)}`);
    },
    /** Whether to wait. Not if the clock was set back since the failed try. */
    isPausing: (): boolean => {
      const [, since = 0, until = 0] = pause();
      return since <= Date.now() && Date.now() < until;
    },
  };
}
