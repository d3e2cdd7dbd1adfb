import { hasPersonas, isRefreshDue, type Claims } from './claims.ts';
import type { PresentSession, StoredSession, TokenPair } from './cookies.ts';
import { isRefusalStatus } from './refreshLimits.ts';
import { isYoung } from './refreshTiming.ts';
import { hasExpired, isExpired, type TokenClock } from './tokenClock.ts';

/*
 * When a session is refreshed, adopted, doubted or ended (docs/behaviour.md#refresh-polling). The page and applications read the
 * cookies, ask these functions and `decideOpening` (`tokenClock.ts`, which `/login` loads), and do what they say.
 */

/**
 * If the time between two polls is longer, ms, the computer slept or its clock was set, because a call takes 10 s at most.
 */
const longestGapMs = 20_000;

/** The claims on which the rules depend. */
type Facts = Pick<Claims, 'uid' | 'iat' | 'exp'>;

/** A session that was read from its cookie. */
interface Seen {
  readonly kind: 'present';
  readonly tokens: TokenPair;
  readonly claims: Facts;
}

/** The content of the session cookie. */
type Stored = Exclude<StoredSession, PresentSession> | Seen;

/** A call was refused because of its bearer. */
export interface Doubt {
  /** The refused token; by default that in the cookie. If the cookie holds another one by now, nothing is doubted. */
  readonly token?: string;
  /** The service announced that a session ended, or refused its stream: a young token is doubted, too. */
  readonly isAnnounced?: boolean;
}

/**
 * Whether another user's session took the place of the one that a page shows, or setup mode of another page. An application does
 * not ask: it follows whoever signs in, and shows no user in setup mode.
 *
 * @param isSetup - the cookie of setup mode holds a token that has not expired
 * @param uid - the user whom the page shows
 */
export const isReplaced = (stored: Stored, isSetup: boolean, uid: string): boolean =>
  stored.kind === 'present' ? stored.claims.uid !== uid : stored.kind === 'none' && isSetup;

/**
 * What follows a poll:
 * - `expired`: the session ends, unless another page is refreshing it or has done so: the lock of a refresh is taken, without a call
 * - `refresh`, `wait`: it goes on
 */
export type PollDecision = 'expired' | 'refresh' | 'wait';

/**
 * Decides what follows a poll that finds a session. Without one, the session has ended.
 *
 * @param hasMissed - one try is made before an expired session ends: see `missesRefresh`
 */
export function decidePoll(
  { claims, tokens }: Seen,
  clock: TokenClock,
  hasMissed: boolean,
  doubt?: Doubt,
): PollDecision {
  if (hasExpired(claims, clock) && !hasMissed) return 'expired';
  // A refused token is doubted if the cookie still holds it, but not if it is young, because a refresh would not help.
  const isDoubted =
    doubt &&
    (doubt.token ?? tokens.token) === tokens.token &&
    !(isYoung(claims, clock.now) && !doubt.isAnnounced);
  return isDoubted || isRefreshDue(claims, clock.now) ? 'refresh' : 'wait';
}

/**
 * Whether a page is not able to refresh in time, because it is offline or its timers were suspended.
 *
 * @param hadMissed - the result at the last poll
 * @param sinceLastMs - time since then, ms
 */
export const missesRefresh = (
  isOnline: boolean,
  isTokenExpired: boolean,
  hadMissed: boolean,
  sinceLastMs: number,
): boolean => !isOnline || (isTokenExpired && (hadMissed || sinceLastMs > longestGapMs));

/** Whether another page has written a token, which is then adopted. */
export const isNewToken = (stored: Facts, shown: Facts): boolean =>
  stored.iat !== shown.iat || stored.exp !== shown.exp;

/** What a poll of setup mode finds. */
export interface SetupPoll {
  readonly stored: Stored;
  readonly setup: { readonly claims: Facts } | null;
  readonly uid: string;
  readonly clock: TokenClock;
  /** The page comes back from the back/forward cache, which keeps nothing of an enrolment. */
  readonly isRestored: boolean;
  /** A call was refused because of the setup token. */
  readonly isRefused: boolean;
}

/**
 * What follows a poll of setup mode, which cannot be refreshed:
 * - `replaced`: by another user, or to be loaded again
 * - `signedIn`: this user has signed in from another page
 * - `refused`, `expired`, `missing`: it ends for this reason
 */
export type SetupDecision = 'wait' | 'replaced' | 'signedIn' | 'refused' | 'expired' | 'missing';

/** Decides what follows a poll of a page in setup mode. */
export function decideSetupPoll(poll: SetupPoll): SetupDecision {
  const { stored, setup, uid, clock } = poll;
  if (poll.isRestored) return 'replaced';
  if (stored.kind === 'present' && !isExpired(stored.claims, clock.now))
    return stored.claims.uid === uid ? 'signedIn' : 'replaced';
  if (!setup) return 'missing';
  if (hasExpired(setup.claims, clock)) return 'expired';
  if (setup.claims.uid !== uid) return 'replaced';
  return poll.isRefused ? 'refused' : 'wait';
}

/**
 * The result of a try to refresh:
 * - `offline`, `pausing`: no call was made
 * - `expired`: no call was made, because the session ends
 * - `busy`: another page holds the lock
 * - `overtaken`: the cookie changed meanwhile (another page refreshed or signed out); it wins
 * - `refused`: the service refused the token that the cookie still holds or sent another user's, or the browser refused the cookie
 * - `noPersonas`: the user no longer has access to any application
 * - `failed`: transport or service trouble; the token may still be good, so another try follows after a pause
 */
export type RefreshResult =
  | 'offline'
  | 'pausing'
  | 'expired'
  | 'busy'
  | 'overtaken'
  | 'refused'
  | 'noPersonas'
  | 'failed'
  | 'refreshed';

/** Whether the cookie no longer holds the session that was found due. */
export const isOvertaken = (seen: Seen, stored: Stored): boolean =>
  stored.kind !== 'present' || stored.tokens.refresh !== seen.tokens.refresh;

/** Judges the new token of a refresh that was not overtaken. */
export function judgeToken(
  seen: Seen,
  claims: { readonly uid: string; readonly personas: object },
): 'refused' | 'noPersonas' | 'refreshed' {
  if (claims.uid !== seen.claims.uid) return 'refused';
  return hasPersonas(claims) ? 'refreshed' : 'noPersonas';
}

/** Judges a refresh without a new token, by the status of its response; 0: there was none. */
export const judgeFailure = (status: number): 'refused' | 'failed' =>
  isRefusalStatus(status) ? 'refused' : 'failed';

/**
 * What follows a try: the next poll, a poll soon, or the end of the session for a reason.
 *
 * @param isOver - whether the token has expired by the page's clock, so that this was the last try
 * @param isAwaited - whether something waits for the new token
 */
export function decideAfter(
  result: RefreshResult,
  isOver: boolean,
  isAwaited: boolean,
): 'later' | 'soon' | 'refused' | 'noPersonas' | 'expired' {
  if (result === 'busy' || result === 'overtaken') return isAwaited ? 'soon' : 'later';
  if (result === 'failed' && isOver) return 'expired';
  return result === 'refused' || result === 'noPersonas' || result === 'expired' ? result : 'later';
}
