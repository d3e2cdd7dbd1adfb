import type { Deps } from '@shared/deps';
import { bearerRefused } from '@shared/sagas/callApi.saga';
import { call } from '@shared/sagas/call.saga';
import { isRefreshDue } from '@vestibule/client/claims';
import { pollEveryMs, pollSoonMs } from '@vestibule/client/refreshLimits';
import {
  decideAfter,
  decidePoll,
  isNewToken,
  isReplaced,
  missesRefresh,
} from '@vestibule/client/sessionRules';
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
import { readSession, readSetup } from '../sessionCookies';
import { nextPoll, type WakeUp } from './nextPoll.saga';
import { confirmExpiry, refreshOnce, type RefreshOutcome } from './refreshOnce.saga';
import { reloadForOtherUser } from './reloadForOtherUser.saga';
import { pauseLeft } from './refreshTiming';
import { hasExpired, isExpired, tokenClock, tokenNow } from './tokenClock';

/**
 * What follows a poll: the end of the polling (`none`), another poll at once because of an event during the refresh (`now`),
 * or a poll after a pause.
 */
type PollResult =
  | { readonly next: 'none' }
  | { readonly next: 'now'; readonly shown: Claims; readonly event: WakeUp }
  | { readonly next: 'later'; readonly shown: Claims; readonly waitMs: number };

/**
 * Keeps a session alive until it ends (docs/behaviour.md#refresh-polling). Each poll decides by the cookie and the clock, and
 * dispatches nothing if nothing has changed. A refresh that is due already is made at once.
 */
export function* refreshPolling(
  deps: Deps,
  events: EventChannel<WakeUp>,
  claims: Claims,
): SagaGenerator<void> {
  const isDue = isRefreshDue(claims, tokenNow(deps));
  // If the page was left while this chunk was loading, there is no poll until it returns.
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
    const sinceLastMs = deps.clock.now() - polledAt;
    polledAt = deps.clock.now();
    result = yield* call(poll, deps, events, result.shown, { sinceLastMs, refused });
  }
}

/** @param shown - the token that this tab shows */
function later(deps: Deps, shown: Claims): PollResult {
  return { next: 'later', shown, waitMs: Math.min(pollEveryMs, pauseLeft(deps, shown) || pollEveryMs) };
}

function* poll(
  deps: Deps,
  events: EventChannel<WakeUp>,
  before: Claims,
  {
    sinceLastMs,
    refused,
  }: { readonly sinceLastMs: number; readonly refused: ReturnType<typeof bearerRefused> | undefined },
): SagaGenerator<PollResult> {
  const [stored, setup, clock] = [readSession(deps), readSetup(deps), tokenClock(deps)];
  const isSetup = setup !== null && !hasExpired(deps, setup.claims);
  if (isReplaced(stored, isSetup, before.uid)) {
    yield* call(reloadForOtherUser, deps);
    return { next: 'none' };
  }
  if (stored.kind !== 'present')
    return yield* call(end, deps, stored.kind === 'none' ? 'missing' : stored.kind);
  const expired = isExpired(stored.claims, clock.now);
  const hadMissed = yield* select(selectHasMissedRefresh);
  const hasMissed = missesRefresh(deps.pageLife.isOnline(), expired, hadMissed, sinceLastMs);
  const doubt = refused && { isAnnounced: refused.payload === 'sessionEnd' };
  const decision = decidePoll(stored, clock, hasMissed, doubt);
  if (decision === 'expired') {
    const outcome = yield* call(confirmExpiry, deps, stored);
    return yield* call(conclude, deps, outcome, before, { expired, isAwaited: true });
  }

  if (hasMissed !== hadMissed) yield* put(hasMissed ? refreshMissed() : refreshResumed());
  if (!expired) yield* call(show, deps, stored.claims, before);
  const shown = expired ? before : stored.claims;
  if (decision === 'wait') return later(deps, shown);

  const isHidden = yield* select(isPageHidden);
  // An event does not wait for the call, which continues under its lock and checks the cookie before it writes.
  const { outcome, event } = yield* race({
    outcome: call(refreshOnce, deps, stored),
    event: take(events),
  });
  if (!outcome) return event ? { next: 'now', shown, event } : later(deps, shown);
  return yield* call(conclude, deps, outcome, shown, { expired, isAwaited: isHidden });
}

const isPageHidden = (state: { readonly session: SessionState }): boolean =>
  selectAccess(state).phase === 'unknown';

/** Shows a valid token: one that is new to this tab, or any after the page was hidden. */
function* show({ parentFrame }: Deps, claims: Claims, before: Claims): SagaGenerator<void> {
  const isNew = isNewToken(claims, before);
  if (isNew) yield* call(parentFrame.notify, 'new_tokens');
  if (yield* select(isPageHidden)) yield* put(sessionRestored(claims));
  else if (isNew) yield* put(sessionAdopted(claims));
}

function* conclude(
  deps: Deps,
  outcome: RefreshOutcome,
  shown: Claims,
  { expired, isAwaited }: { readonly expired: boolean; readonly isAwaited: boolean },
): SagaGenerator<PollResult> {
  if (outcome.kind === 'refreshed') {
    yield* call(deps.parentFrame.notify, 'new_tokens');
    if (isAwaited) yield* put(sessionRestored(outcome.claims));
    return later(deps, outcome.claims);
  }
  const decision = decideAfter(outcome.kind, expired, isAwaited);
  if (decision === 'later') return later(deps, shown);
  if (decision === 'soon') return { next: 'later', shown, waitMs: pollSoonMs };
  return yield* call(end, deps, decision);
}

function* end(deps: Deps, reason: SessionEnd): SagaGenerator<PollResult> {
  yield* call(endSession, deps, reason);
  return { next: 'none' };
}
