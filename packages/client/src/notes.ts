import { toleranceMs, type Claims } from './claims.ts';

/** Facts that all tabs of this origin share, under the names that the sign-on page uses on its own. None is a secret. */
export type Notes = ReturnType<typeof createNotes>;

/** How far this browser's clock is ahead of the service's, ms; and failures in a row, the time of the last, until when to wait. */
type NoteName = 'clock-skew' | 'refresh-pause';

/** The first wait after a failed refresh and the longest, and when the last try is made before the token expires, ms. */
const firstMs = 2000;
const longestMs = 60_000;
const lastTryMs = 15_000;

export function createNotes(browser: Window, prefix: string) {
  /** Without storage, as in a frame where it is blocked, a note lasts as long as the page. */
  const own = new Map<NoteName, string>();
  const read = (name: NoteName): string => {
    try {
      return browser.localStorage.getItem(`${prefix}-${name}`) ?? own.get(name) ?? '';
    } catch {
      return own.get(name) ?? '';
    }
  };
  const write = (name: NoteName, text: string): void => {
    own.set(name, text);
    try {
      browser.localStorage.setItem(`${prefix}-${name}`, text);
    } catch {
      // Kept in `own`.
    }
  };
  const skew = () => Number(read('clock-skew')) || 0;
  const pause = () => read('refresh-pause').split(' ').map(Number);

  return {
    /** The time to compare tokens with, ms since the epoch: the service's, as far as it is known. */
    tokenNow: () => Date.now() - skew(),
    /** A refresh succeeded: a token that has just been issued shows the clock skew, and nobody waits any longer. */
    succeeded: ({ iat }: Claims): void => {
      const ahead = Date.now() - iat * 1000;
      write('clock-skew', String(Math.abs(ahead) < toleranceMs ? 0 : ahead));
      write('refresh-pause', '');
    },
    /** A refresh failed: all tabs wait, twice as long after each failure, half of it random. */
    failed: (retryAfterMs: number): void => {
      const [failures = 0] = pause();
      const longest = Math.min(longestMs, firstMs * 2 ** failures);
      const until = Date.now() + Math.max(retryAfterMs, longest * (0.5 + Math.random() / 2));
      write('refresh-pause', `${failures + 1} ${Date.now()} ${until}`);
    },
    /** Whether to wait. The last try before the token expires is not put off. */
    isPausing: ({ iat, exp }: Claims): boolean => {
      const [, since = 0, until = 0] = pause();
      const lastTryAt = exp * 1000 + skew() - Math.min(lastTryMs, (exp - iat) * 250);
      const cutShort = since < lastTryAt ? Math.min(until, Math.max(lastTryAt, since + firstMs)) : until;
      // Otherwise the clock was set back since the failed try.
      return since <= Date.now() && Date.now() < cutShort;
    },
  };
}
