import type { TokenPair } from './cookies.ts';

/* When an event stream is read, and what follows from its events (docs/behaviour.md#live-events). */

/** The first and the longest wait after a failure, ms. The wait doubles each time, and half of it is random. */
const firstWaitMs = 1000;
const longestWaitMs = 60_000;
/** A stream that was open for longer does not count as a failure, ms. */
const steadyMs = 10_000;

/** How long a hidden page keeps reading the stream, ms. */
export const longestHiddenMs = 300_000;

/** The failures in a row after a stream has ended, with this status and after this time, ms. */
export const failuresAfter = (failures: number, status: number, openMs: number): number =>
  status === 200 && openMs > steadyMs ? 0 : failures + 1;

/** The wait before the next stream, ms. @param random - a number in [0, 1) */
export const waitAfter = (failures: number, random: number): number =>
  Math.min(longestWaitMs, firstWaitMs * 2 ** Math.max(0, failures - 1)) * (0.5 + random / 2);

/** Why the service ends a session, as it announces. */
export type EndReason = (typeof endReasons)[number];

export const endReasons = ['ended-elsewhere', 'password-changed', 'locked', 'reused'] as const;

/**
 * What follows when the service announces the end of a session whose stream a page reads:
 * - `ended`: its cookies are removed, if no other host was faster
 * - `doubted`: the cookie may hold a later session of this user, so a refresh decides
 * - `ignored`: another user has signed in
 *
 * @param present - the session in the cookies; `null`: no session
 * @param uid - the user of the ended session
 * @param known - the tokens of the ended session that the page knows
 */
export function decideEnd(
  present: { readonly tokens: TokenPair; readonly claims: { readonly uid: string } } | null,
  uid: string,
  known: readonly string[],
): 'ended' | 'doubted' | 'ignored' {
  if (!present || known.includes(present.tokens.token)) return 'ended';
  return present.claims.uid === uid ? 'doubted' : 'ignored';
}
