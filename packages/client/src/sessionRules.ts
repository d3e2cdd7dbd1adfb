import { isRefreshDue, type Claims } from './claims.ts';
import type { HeldSession, StoredSession, TokenPair } from './cookies.ts';
import { isRefusalStatus } from './refreshLimits.ts';
import { isYoung } from './refreshTiming.ts';
import { hasExpired, isExpired, type TokenClock } from './tokenClock.ts';

/*
 * When a session is refreshed, adopted, doubted or ended (docs/behaviour.md#refresh-polling). The page and applications read the
 * cookies, ask these functions, and do what they say.
 */

/** A longer time between two polls is lost time, ms: the computer slept, or its clock was set. A call takes 10 s at most. */
const longestGapMs = 20_000;

/** The claims that decide. */
type Facts = Pick<Claims, 'uid' | 'iat' | 'exp'>;

/** A session as its cookie held it. */
interface Seen {
  readonly kind: 'present';
  readonly tokens: TokenPair;
  readonly claims: Facts;
}

/** What the session cookie holds. */
type Stored = Exclude<StoredSession, HeldSession> | Seen;

/** A call was refused because of its bearer. */
export interface Doubt {
  /** The refused token. If the cookie holds another one by now, nothing is doubted. Absent: the cookie's. */
  readonly token?: string;
  /** The service announced that a session ended, or refused its stream: a young token is doubted, too. */
  readonly isAnnounced?: boolean;
}

/** What a poll finds. */
export interface Poll {
  readonly stored: Stored;
  /** Whether the cookie of setup mode holds a token that has not expired. Absent: an application, which does not follow it. */
  readonly isSetup?: boolean;
  /** The user whom the page shows. Absent: the page follows whoever signs in. */
  readonly uid?: string;
  /** ms since the epoch, by the service's clock as far as it is known. */
  readonly now: number;
  /** One try is made before an expired session ends: see `missesRefresh`. An application, which keeps it: always. */
  readonly hasMissed: boolean;
  readonly doubt?: Doubt | undefined;
}

/**
 * What follows a poll:
 * - `replaced`: by another user's session, or by setup mode of another page
 * - `ended`: the cookie holds no session
 * - `expired`: the session ends, unless another page is refreshing it
 * - `refresh`, `wait`: it goes on
 */
export type PollDecision = 'replaced' | 'ended' | 'expired' | 'refresh' | 'wait';

/** Decides what follows a poll of a page with a session. */
export function decidePoll({ stored, isSetup, uid, now, hasMissed, doubt }: Poll): PollDecision {
  if (stored.kind !== 'present') return stored.kind === 'none' && isSetup ? 'replaced' : 'ended';
  const { claims, tokens } = stored;
  if (uid && uid !== claims.uid) return 'replaced';
  if (isExpired(claims, now) && !hasMissed) return 'expired';
  // A refused token that the cookie still holds, unless it is young: a refresh would not help.
  const isDoubted =
    doubt && (doubt.token ?? tokens.token) === tokens.token && !(isYoung(claims, now) && !doubt.isAnnounced);
  return isDoubted || isRefreshDue(claims, now) ? 'refresh' : 'wait';
}

/**
 * Whether a page is unable to refresh in time: it is offline, or has lost time.
 *
 * @param hadMissed - the same at the last poll
 * @param sinceLastMs - time since then, ms
 */
export const missesRefresh = (
  isOnline: boolean,
  isTokenExpired: boolean,
  hadMissed: boolean,
  sinceLastMs: number,
): boolean => !isOnline || (isTokenExpired && (hadMissed || sinceLastMs > longestGapMs));

/** Whether another page wrote a token since this one was shown: it is adopted. */
export const isNewToken = (found: Facts, shown: Facts): boolean =>
  found.iat !== shown.iat || found.exp !== shown.exp;

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
 * - `busy`: another page holds the lock
 * - `overtaken`: the cookie changed meanwhile (another page refreshed or signed out); it wins
 * - `refused`: the service refused the token that the cookie still holds, or the browser the new cookie
 * - `otherUser`: the new token is another user's
 * - `noPersonas`: the user no longer has access to any application
 * - `failed`: transport or service trouble; the token may still be good, so another try follows after a pause
 */
export type RefreshResult =
  | 'offline'
  | 'pausing'
  | 'busy'
  | 'overtaken'
  | 'refused'
  | 'otherUser'
  | 'noPersonas'
  | 'failed'
  | 'refreshed';

/** Whether the cookie no longer holds the session that was found due. */
export const isOvertaken = (seen: Seen, stored: Stored): boolean =>
  stored.kind !== 'present' || stored.tokens.refresh !== seen.tokens.refresh;

/** Judges the new token of a refresh that was not overtaken. */
export function judgeToken(
  seen: Seen,
  { uid, personas }: { readonly uid: string; readonly personas: object },
): 'otherUser' | 'noPersonas' | 'refreshed' {
  if (uid !== seen.claims.uid) return 'otherUser';
  return Object.keys(personas).length > 0 ? 'refreshed' : 'noPersonas';
}

/** Judges a refresh without a new token, by the status of its response; 0: there was none. */
export const judgeFailure = (status: number): 'refused' | 'failed' =>
  isRefusalStatus(status) ? 'refused' : 'failed';

/**
 * What follows a try: the next poll, a poll soon, or the end of the session for a reason.
 *
 * @param isLast - the token has expired, and the page does not keep an expired session
 * @param isAwaited - something waits for the new token
 */
export function decideAfter(
  result: RefreshResult,
  isLast: boolean,
  isAwaited: boolean,
): 'later' | 'soon' | 'refused' | 'noPersonas' | 'expired' {
  if (result === 'busy' || result === 'overtaken') return isAwaited ? 'soon' : 'later';
  if (result === 'failed' && isLast) return 'expired';
  if (result === 'otherUser') return 'refused';
  return result === 'refused' || result === 'noPersonas' ? result : 'later';
}
