import { bearerRefused } from '@shared/sagas/attempt.saga';
import type { Deps } from '@shared/deps';
import { call } from '@shared/sagas/call.saga';
import type { EventChannel } from 'redux-saga';
import { put, race, take } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { reloadForOtherUser } from './reloadForOtherUser.saga';
import type { Claims } from './claims';
import { endSession } from './endSession.saga';
import { nextPoll } from './nextPoll.saga';
import { isExpired } from './refresh/halfLife';
import { sessionRestored, type SessionEnd } from './session.slice';
import { clearSetup, readSession, readSetup } from './sessionCookies';
import { tokenNow } from './tokenClock';
import type { WakeUp } from './wakeUps';

type SetupDeps = Pick<
  Deps,
  'clock' | 'config' | 'cookies' | 'navigation' | 'notes' | 'parentFrame' | 'vault'
>;

/**
 * Watches a setup-mode session, which cannot be refreshed: when its token runs out, or is taken away by another tab, it
 * ends as every session does (specification §4 Session), in the middle of a step, too.
 */
export function* setupPolling(
  deps: SetupDeps,
  events: EventChannel<WakeUp>,
  { uid }: Claims,
): SagaGenerator<void> {
  for (;;) {
    const { event, doubt } = yield* race({ event: call(nextPoll, events), doubt: take(bearerRefused) });
    if (event === 'left') continue;
    // What was set up so far left memory with the page: it begins anew, and shows nothing until then.
    const here = event === 'restored' ? 'other' : whoIsHere(deps, uid);
    if (here === 'same' && !doubt) continue;
    if (here === 'other') yield* call(reloadForOtherUser, deps);
    else if (typeof here === 'object') {
      yield* call(deps.parentFrame.tell, 'new_tokens');
      yield* put(sessionRestored(here));
    } else yield* call(endSetup, deps, endReasons[here]);
    return;
  }
}

const endReasons = { same: 'refused', expired: 'expired', none: 'missing' } as const;

/** Claims: this person has a session by now, from another tab. */
function whoIsHere(deps: SetupDeps, uid: string): Claims | 'same' | 'other' | 'expired' | 'none' {
  const now = tokenNow(deps);
  const stored = readSession(deps);
  if (stored.kind === 'present' && !isExpired(stored.claims, now))
    return stored.claims.uid === uid ? stored.claims : 'other';
  const setup = readSetup(deps);
  if (!setup) return 'none';
  if (isExpired(setup.claims, now)) return 'expired';
  return setup.claims.uid === uid ? 'same' : 'other';
}

function* endSetup(deps: SetupDeps, reason: SessionEnd): SagaGenerator<void> {
  yield* call(clearSetup, deps);
  yield* call(endSession, deps, reason);
}
