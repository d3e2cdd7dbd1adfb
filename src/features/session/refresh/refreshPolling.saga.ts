import { bearerRefused } from '@shared/sagas/attempt.saga';
import { call } from '@shared/sagas/call.saga';
import type { EventChannel } from 'redux-saga';
import { put, race, take } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { reloadForOtherUser } from '../reloadForOtherUser.saga';
import type { Claims } from '../claims';
import { endSession } from '../endSession.saga';
import { nextPoll, pollEveryMs } from '../nextPoll.saga';
import { sessionAdopted, sessionRestored, type SessionEnd } from '../session.slice';
import { readSession, readSetup } from '../sessionCookies';
import { tokenNow } from '../tokenClock';
import type { WakeUp } from '../wakeUps';
import { pauseLeft } from './backOff';
import { isExpired, isRefreshDue, isYoung } from './halfLife';
import type { RefreshDeps } from './refreshDeps';
import { refreshOnce, type RefreshOutcome } from './refreshOnce.saga';

/** Two looks further apart have lost time, ms: the computer slept, or its clock was set. A call takes 10 s at most. */
const longestGapMs = 20_000;
/** Between two looks of a page that came back and waits for another tab's refresh, ms. */
const soonMs = 300;

/** What one tab remembers between two looks. */
interface Watch {
  known: Claims;
  /** ms since the epoch. */
  lookedAt: number;
  /** The token ran out while nobody could renew it: one try is made before the session ends. */
  lostTime: boolean;
  /** The page was left and came back, and shows nothing until the session has been looked at. */
  isHidden: boolean;
  /** The service refused the token on another call. */
  isDoubted: boolean;
  /** At the last look the browser was offline. */
  wasOffline: boolean;
  /** Another tab was renewing the token at the last look. */
  isOvertaken: boolean;
}

/** What a look leaves: nothing more to watch, or to be looked at again for what happened meanwhile; `null`: neither. */
type PollResult = 'over' | WakeUp | null;

/**
 * Keeps the session alive while it lasts (specification §4 Session; decisions §8). Each look decides from the cookie and
 * the clock, never from the store: while DevTools shows the past, `select` answers from the past. A look that finds
 * nothing new dispatches nothing.
 *
 * @param validAt - when the token was last seen to be valid, ms since the epoch
 */
export function* refreshPolling(
  deps: RefreshDeps,
  events: EventChannel<WakeUp>,
  claims: Claims,
  validAt: number,
): SagaGenerator<void> {
  const watch: Watch = {
    known: claims,
    lookedAt: validAt,
    lostTime: false,
    isHidden: false,
    isDoubted: false,
    wasOffline: false,
    isOvertaken: false,
  };
  let looked: PollResult = null;
  for (;;) {
    const { event, doubt } = looked
      ? { event: looked, doubt: undefined }
      : yield* race({ event: call(nextPoll, events, waitOf(deps, watch)), doubt: take(bearerRefused) });
    if (event === 'left') {
      watch.isHidden = true;
      while ((yield* take(events)) !== 'restored');
    }
    watch.isDoubted = doubt !== undefined;
    looked = yield* call(look, deps, events, watch);
    if (looked === 'over') return;
  }
}

function waitOf(deps: RefreshDeps, { known, isHidden, isOvertaken }: Watch): number {
  if (isHidden && isOvertaken) return soonMs;
  return Math.min(pollEveryMs, pauseLeft(deps, known) || pollEveryMs);
}

function* look(deps: RefreshDeps, events: EventChannel<WakeUp>, watch: Watch): SagaGenerator<PollResult> {
  const now = tokenNow(deps);
  const stored = readSession(deps);
  const setup = stored.kind === 'none' ? readSetup(deps) : null;
  const isAnothers = stored.kind === 'present' && stored.claims.uid !== watch.known.uid;
  // Setup mode began in another tab: this page shows what belongs to a session that is gone.
  if (isAnothers || (setup && !isExpired(setup.claims, now))) {
    yield* call(reloadForOtherUser, deps);
    return 'over';
  }
  if (stored.kind !== 'present') {
    yield* call(endSession, deps, stored.kind === 'none' ? 'missing' : stored.kind);
    return 'over';
  }
  const expired = isExpired(stored.claims, now);
  noteLostTime(deps, watch, expired);
  if (expired && !watch.lostTime) {
    yield* call(endSession, deps, 'expired');
    return 'over';
  }
  if (!expired) yield* call(show, deps, watch, stored.claims);
  const isDoubtful = watch.isDoubted && !isYoung(stored.claims, now);
  if (!isDoubtful && !isRefreshDue(stored.claims, now)) return null;
  // What happens meanwhile is not kept waiting for the call, which goes on under its lock and minds the cookie.
  const { outcome, event } = yield* race({
    outcome: call(refreshOnce, deps, stored),
    event: take(events),
  });
  return outcome ? yield* call(conclude, deps, watch, outcome, expired) : (event ?? null);
}

/** While offline no try is made (decisions §8), so that this time, too, is lost. */
function noteLostTime({ clock, pageLife }: RefreshDeps, watch: Watch, expired: boolean): void {
  const now = clock.now();
  const hasGap = now - watch.lookedAt > longestGapMs;
  watch.lookedAt = now;
  const isOffline = !pageLife.isOnline();
  watch.lostTime = expired && (watch.lostTime || hasGap || isOffline || watch.wasOffline);
  watch.wasOffline = isOffline;
}

function* show(
  { parentFrame }: Pick<RefreshDeps, 'parentFrame'>,
  watch: Watch,
  claims: Claims,
): SagaGenerator<void> {
  const isNew = !isSameToken(claims, watch.known);
  if (isNew) yield* call(parentFrame.tell, 'new_tokens');
  watch.known = claims;
  if (watch.isHidden) {
    watch.isHidden = false;
    yield* put(sessionRestored(claims));
  } else if (isNew) {
    yield* put(sessionAdopted(claims));
  }
}

function* conclude(
  deps: RefreshDeps,
  watch: Watch,
  outcome: RefreshOutcome,
  expired: boolean,
): SagaGenerator<PollResult> {
  watch.isOvertaken = outcome.kind === 'busy' || outcome.kind === 'overtaken';
  if (outcome.kind === 'refreshed') {
    yield* call(deps.parentFrame.tell, 'new_tokens');
    watch.known = outcome.claims;
    watch.lostTime = false;
    yield* call(show, deps, watch, outcome.claims);
  }
  const end = endOf(outcome, expired);
  if (end) yield* call(endSession, deps, end);
  return end && 'over';
}

function endOf({ kind }: RefreshOutcome, expired: boolean): SessionEnd | null {
  if (kind === 'refused' || kind === 'noPersonas') return kind;
  return kind === 'failed' && expired ? 'expired' : null;
}

/** Of one person's tokens. */
const isSameToken = (one: Claims, other: Claims): boolean => one.iat === other.iat && one.exp === other.exp;
