import { bearerRefused } from '@shared/sagas/callApi.saga';
import { call } from '@shared/sagas/call.saga';
import { isRefreshDue } from '@vestibule/client/claims';
import { isYoung, pollSoonMs } from '@vestibule/client/refreshTiming';
import type { EventChannel } from 'redux-saga';
import { put, race, select, take } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import type { Claims } from '../claims';
import { endSession } from '../endSession.saga';
import {
  refreshMissed,
  refreshResumed,
  selectAccess,
  selectHasMissedRefresh,
  sessionAdopted,
  sessionRestored,
  type SessionEnd,
  type SessionState,
} from '../session.slice';
import { readSession, readSetup, type StoredSession } from '../sessionCookies';
import { nextPoll, pollEveryMs, type WakeUp } from './nextPoll.saga';
import { refreshOnce, type RefreshDeps, type RefreshOutcome, type SeenSession } from './refreshOnce.saga';
import { reloadForOtherUser } from './reloadForOtherUser.saga';
import { longestGapMs, pauseLeft } from './refreshTiming';
import { hasExpired, seemsExpired, tokenNow } from './tokenClock';

/** What follows a poll: nothing; another poll at once, because of an event during the refresh; or one after a wait. */
type PollResult =
  | { readonly next: 'none' }
  | { readonly next: 'now'; readonly shown: Claims; readonly event: WakeUp }
  | { readonly next: 'later'; readonly shown: Claims; readonly waitMs: number };

/**
 * Keeps a session alive until it ends (docs/behaviour.md#refresh-polling). Each poll decides by the cookie and the clock, and
 * dispatches nothing if nothing has changed. A refresh that is due already is made at once.
 */
export function* refreshPolling(
  deps: RefreshDeps,
  events: EventChannel<WakeUp>,
  claims: Claims,
): SagaGenerator<void> {
  const isDue = isRefreshDue(claims, tokenNow(deps));
  // The page was left while this chunk was loading: no poll until it returns.
  const isHidden = yield* select(isPageHidden);
  let result: PollResult =
    isHidden || isDue
      ? { next: 'now', shown: claims, event: isHidden ? 'left' : 'poll' }
      : later(deps, claims);
  let polledAt = isDue ? 0 : deps.clock.now();
  while (result.next !== 'none') {
    const { event, refused } =
      result.next === 'now'
        ? { event: result.event, refused: undefined }
        : yield* race({ event: call(nextPoll, events, result.waitMs), refused: take(bearerRefused) });
    if (event === 'left') while ((yield* take(events)) !== 'restored');
    const hasLostTime = deps.clock.now() - polledAt > longestGapMs;
    polledAt = deps.clock.now();
    result = yield* call(poll, deps, events, result.shown, { hasLostTime, refused });
  }
}

/** @param shown - the token that this tab shows */
function later(deps: RefreshDeps, shown: Claims): PollResult {
  return { next: 'later', shown, waitMs: Math.min(pollEveryMs, pauseLeft(deps, shown) || pollEveryMs) };
}

function* poll(
  deps: RefreshDeps,
  events: EventChannel<WakeUp>,
  before: Claims,
  {
    hasLostTime,
    refused,
  }: { readonly hasLostTime: boolean; readonly refused: ReturnType<typeof bearerRefused> | undefined },
): SagaGenerator<PollResult> {
  const now = tokenNow(deps);
  const stored = readSession(deps);
  if (isReplaced(deps, stored, before.uid)) {
    yield* call(reloadForOtherUser, deps);
    return { next: 'none' };
  }
  if (stored.kind !== 'present')
    return yield* call(end, deps, stored.kind === 'none' ? 'missing' : stored.kind);

  const expired = seemsExpired(deps, stored.claims);
  const hasMissed = yield* call(noteMissedRefresh, deps, { expired, hasLostTime });
  if (expired && !hasMissed) return yield* call(endUnlessRefreshing, deps, stored, before);
  if (!expired) yield* call(show, deps, stored.claims, before);
  const shown = expired ? before : stored.claims;
  const isDoubted = refused && (refused.payload === 'sessionEnd' || !isYoung(stored.claims, now));
  if (!isRefreshDue(stored.claims, now) && !isDoubted) return later(deps, shown);

  const isHidden = yield* select(isPageHidden);
  // An event does not wait for the call, which continues under its lock and checks the cookie before it writes.
  const { outcome, event } = yield* race({
    outcome: call(refreshOnce, deps, stored),
    event: take(events),
  });
  if (!outcome) return event ? { next: 'now', shown, event } : later(deps, shown);
  return yield* call(conclude, deps, outcome, shown, { expired, isHidden });
}

/** Whether another user's session, or setup mode of another tab, has replaced the session that the page shows. */
function isReplaced(deps: RefreshDeps, stored: StoredSession, uid: string): boolean {
  if (stored.kind === 'present') return stored.claims.uid !== uid;
  const setup = stored.kind === 'none' ? readSetup(deps) : null;
  return setup !== null && !hasExpired(deps, setup.claims);
}

/**
 * Keeps in the store whether the tab was unable to refresh in time: it was offline, or has lost time. One try is made then
 * before an expired session ends.
 */
function* noteMissedRefresh(
  { pageLife }: RefreshDeps,
  { expired, hasLostTime }: { readonly expired: boolean; readonly hasLostTime: boolean },
): SagaGenerator<boolean> {
  const hadMissed = yield* select(selectHasMissedRefresh);
  const hasMissed = !pageLife.isOnline() || (expired && (hadMissed || hasLostTime));
  if (hasMissed !== hadMissed) yield* put(hasMissed ? refreshMissed() : refreshResumed());
  return hasMissed;
}

const isPageHidden = (state: { readonly session: SessionState }): boolean =>
  selectAccess(state).phase === 'unknown';

/** Shows a valid token: one that is new to this tab, or any after the page was hidden. */
function* show(
  { parentFrame }: Pick<RefreshDeps, 'parentFrame'>,
  claims: Claims,
  before: Claims,
): SagaGenerator<void> {
  const isNew = claims.iat !== before.iat || claims.exp !== before.exp;
  if (isNew) yield* call(parentFrame.notify, 'new_tokens');
  if (yield* select(isPageHidden)) yield* put(sessionRestored(claims));
  else if (isNew) yield* put(sessionAdopted(claims));
}

function* conclude(
  deps: RefreshDeps,
  outcome: RefreshOutcome,
  shown: Claims,
  { expired, isHidden }: { readonly expired: boolean; readonly isHidden: boolean },
): SagaGenerator<PollResult> {
  switch (outcome.kind) {
    case 'refreshed':
      yield* call(deps.parentFrame.notify, 'new_tokens');
      if (isHidden) yield* put(sessionRestored(outcome.claims));
      return later(deps, outcome.claims);
    case 'refused':
    case 'noPersonas':
      return yield* call(end, deps, outcome.kind);
    case 'failed':
      return expired ? yield* call(end, deps, 'expired') : later(deps, shown);
    case 'busy':
    case 'overtaken':
      return isHidden ? { next: 'later', shown, waitMs: pollSoonMs } : later(deps, shown);
    case 'offline':
    case 'pausing':
      return later(deps, shown);
  }
}

/** Ends an expired session, unless another page is refreshing it, or has just done so. */
function* endUnlessRefreshing(
  deps: RefreshDeps,
  { tokens }: SeenSession,
  shown: Claims,
): SagaGenerator<PollResult> {
  const lock = yield* call(deps.locks.tryRun, deps.config.cookies.prefix, () => {
    const now = readSession(deps);
    return Promise.resolve(now.kind === 'present' && now.tokens.token === tokens.token);
  });
  return lock.held && lock.value === true
    ? yield* call(end, deps, 'expired')
    : { next: 'later', shown, waitMs: pollSoonMs };
}

function* end(deps: RefreshDeps, reason: SessionEnd): SagaGenerator<PollResult> {
  yield* call(endSession, deps, reason);
  return { next: 'none' };
}
