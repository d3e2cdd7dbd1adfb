import { locationChanged } from '@shared/routing/location.slice';
import { call } from '@shared/sagas/call';
import { delay, put, race, take } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { beginAnew } from '../beginAnew.saga';
import type { Claims } from '../claims';
import { endSession } from '../endSession.saga';
import { sessionAdopted } from '../session.slice';
import { readSession } from '../sessionCookies';
import { isExpired, isRefreshDue } from './halfLife';
import type { RefreshDeps } from './refreshDeps';
import { refreshOnce } from './refreshOnce.saga';

/** Time between two looks at the cookie, ms (specification §9). */
export const pollEveryMs = 5000;

/**
 * Keeps the session alive while it lasts (specification §4 Session; decisions §8). Each tick decides from the cookie
 * and the clock, never from the store: while DevTools shows the past, `select` answers from the past. A tick that
 * changes nothing dispatches nothing.
 */
export function* refreshPolling(deps: RefreshDeps, claims: Claims): SagaGenerator<void> {
  let known = claims;
  for (;;) {
    // A change of address is looked at too: a screen that is entered must not find out five seconds later.
    yield* race({ tick: delay(pollEveryMs), moved: take(locationChanged) });
    const stored = readSession(deps);
    if (stored.kind !== 'present') {
      yield* call(endSession, deps, stored.kind === 'none' ? 'missing' : 'malformed');
      return;
    }
    if (stored.claims.uid !== known.uid) {
      yield* call(beginAnew, deps);
      return;
    }
    if (!isSameToken(stored.claims, known)) {
      known = stored.claims;
      yield* put(sessionAdopted(known));
    }
    const now = deps.clock.now();
    if (isExpired(known, now)) {
      yield* call(endSession, deps, 'expired');
      return;
    }
    if (isRefreshDue(known, now)) {
      const outcome = yield* call(refreshOnce, deps, stored.tokens);
      if (outcome.kind === 'refused') {
        yield* call(endSession, deps, 'refused');
        return;
      }
      if (outcome.kind === 'refreshed') known = outcome.claims;
    }
  }
}

/** Of one person's tokens. */
const isSameToken = (one: Claims, other: Claims): boolean => one.iat === other.iat && one.exp === other.exp;
