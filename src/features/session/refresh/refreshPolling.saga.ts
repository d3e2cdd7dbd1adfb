import { bearerRefused } from '@shared/sagas/attempt.saga';
import { call } from '@shared/sagas/call.saga';
import type { EventChannel } from 'redux-saga';
import { put, race, select, take } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import type { Claims } from '../claims';
import { endSession } from '../endSession.saga';
import { selectAccess, sessionAdopted, sessionRestored, type SessionEnd } from '../session.slice';
import { readSession, readSetup, type StoredSession } from '../sessionCookies';
import { pauseLeft } from './backOff';
import { nextPoll, pollEveryMs, type WakeUp } from './nextPoll.saga';
import { refreshOnce, type RefreshDeps, type RefreshOutcome, type SeenSession } from './refreshOnce.saga';
import { reloadForOtherUser } from './reloadForOtherUser.saga';
import { hasExpired, isRefreshDue, isYoung, seemsExpired, tokenNow } from './tokenClock';

/** A longer time between two polls is lost time, ms: the computer slept, or its clock was set. A call takes 10 s at most. */
const longestGapMs = 20_000;
/** Time between two polls of a page that waits for another one's refresh, ms. */
const soonMs = 300;

/** What a tab remembers from one poll to the next. */
interface Known {
  /** The token that this tab shows. */
  readonly claims: Claims;
  /**
   * When this tab was last able to refresh the token (valid, online), ms since the epoch; `null`: not since it was opened, was
   * offline or lost time. A tab that was not able just before the token expired makes one try before the session ends.
   */
  readonly ableAt: number | null;
}

/** What follows a poll: nothing; another poll at once, because of an event during the refresh; or one after a wait. */
type PollResult =
  | { readonly next: 'none' }
  | { readonly next: 'now'; readonly known: Known; readonly event: WakeUp }
  | { readonly next: 'later'; readonly known: Known; readonly waitMs: number };

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
  const known: Known = { claims, ableAt: isDue ? null : deps.clock.now() };
  // Hidden already: the page was left while this chunk was loading, and what comes before its return is not polled for.
  const isHidden = yield* select(isPageHidden);
  let result: PollResult =
    isHidden || isDue ? { next: 'now', known, event: isHidden ? 'left' : 'poll' } : later(deps, known);
  while (result.next !== 'none') {
    const { event, refused } =
      result.next === 'now'
        ? { event: result.event, refused: undefined }
        : yield* race({ event: call(nextPoll, events, result.waitMs), refused: take(bearerRefused) });
    if (event === 'left') while ((yield* take(events)) !== 'restored');
    result = yield* call(poll, deps, events, result.known, refused !== undefined);
  }
}

function later(deps: RefreshDeps, known: Known): PollResult {
  return {
    next: 'later',
    known,
    waitMs: Math.min(pollEveryMs, pauseLeft(deps, known.claims) || pollEveryMs),
  };
}

function* poll(
  deps: RefreshDeps,
  events: EventChannel<WakeUp>,
  known: Known,
  isRefused: boolean,
): SagaGenerator<PollResult> {
  const now = tokenNow(deps);
  const stored = readSession(deps);
  if (isReplaced(deps, stored, known.claims.uid)) {
    yield* call(reloadForOtherUser, deps);
    return { next: 'none' };
  }
  if (stored.kind !== 'present')
    return yield* call(end, deps, stored.kind === 'none' ? 'missing' : stored.kind);

  const expired = seemsExpired(deps, stored.claims);
  const ableAt = updateAbleAt(deps, known.ableAt, expired);
  if (expired && ableAt !== null) return yield* call(endUnlessRefreshing, deps, stored, known);
  if (!expired) yield* call(show, deps, stored.claims, known.claims);
  const updated = { claims: expired ? known.claims : stored.claims, ableAt };
  if (!isRefreshDue(stored.claims, now) && !(isRefused && !isYoung(stored.claims, now)))
    return later(deps, updated);

  const isHidden = yield* select(isPageHidden);
  // An event does not wait for the call, which continues under its lock and checks the cookie before it writes.
  const { outcome, event } = yield* race({
    outcome: call(refreshOnce, deps, stored),
    event: take(events),
  });
  if (!outcome) return event ? { next: 'now', known: updated, event } : later(deps, updated);
  return yield* call(conclude, deps, outcome, updated, { expired, isHidden });
}

/** Another user's session, or setup mode begun in another tab: the page shows what belongs to a session that is gone. */
function isReplaced(deps: RefreshDeps, stored: StoredSession, uid: string): boolean {
  if (stored.kind === 'present') return stored.claims.uid !== uid;
  const setup = stored.kind === 'none' ? readSetup(deps) : null;
  return setup !== null && !hasExpired(deps, setup.claims);
}

/** Of an expired token, a time only if the tab was able to refresh it a moment ago. */
function updateAbleAt(
  { clock, pageLife }: RefreshDeps,
  ableAt: number | null,
  expired: boolean,
): number | null {
  const now = clock.now();
  if (!pageLife.isOnline()) return null;
  return expired && (ableAt === null || now - ableAt > longestGapMs) ? null : now;
}

const isPageHidden = (state: Parameters<typeof selectAccess>[0]): boolean =>
  selectAccess(state).phase === 'unknown';

/** Shows a valid token: one that is new to this tab, or any after the page was hidden. */
function* show(
  { parentFrame }: Pick<RefreshDeps, 'parentFrame'>,
  claims: Claims,
  shown: Claims,
): SagaGenerator<void> {
  const isNew = claims.iat !== shown.iat || claims.exp !== shown.exp;
  if (isNew) yield* call(parentFrame.tell, 'new_tokens');
  if (yield* select(isPageHidden)) yield* put(sessionRestored(claims));
  else if (isNew) yield* put(sessionAdopted(claims));
}

function* conclude(
  deps: RefreshDeps,
  outcome: RefreshOutcome,
  known: Known,
  { expired, isHidden }: { readonly expired: boolean; readonly isHidden: boolean },
): SagaGenerator<PollResult> {
  switch (outcome.kind) {
    case 'refreshed':
      yield* call(deps.parentFrame.tell, 'new_tokens');
      if (isHidden) yield* put(sessionRestored(outcome.claims));
      return later(deps, { claims: outcome.claims, ableAt: deps.clock.now() });
    case 'refused':
    case 'noPersonas':
      return yield* call(end, deps, outcome.kind);
    case 'failed':
      return expired ? yield* call(end, deps, 'expired') : later(deps, known);
    case 'busy':
    case 'overtaken':
      return isHidden ? { next: 'later', known, waitMs: soonMs } : later(deps, known);
    case 'offline':
    case 'pausing':
      return later(deps, known);
  }
}

/** Ends an expired session, unless another page is refreshing it, or has just done so. */
function* endUnlessRefreshing(
  deps: RefreshDeps,
  { tokens }: SeenSession,
  known: Known,
): SagaGenerator<PollResult> {
  const lock = yield* call(deps.locks.tryRun, deps.config.cookies.prefix, () => {
    const now = readSession(deps);
    return Promise.resolve(now.kind === 'present' && now.tokens.token === tokens.token);
  });
  return lock.held && lock.value === true
    ? yield* call(end, deps, 'expired')
    : { next: 'later', known, waitMs: soonMs };
}

function* end(deps: RefreshDeps, reason: SessionEnd): SagaGenerator<PollResult> {
  yield* call(endSession, deps, reason);
  return { next: 'none' };
}
