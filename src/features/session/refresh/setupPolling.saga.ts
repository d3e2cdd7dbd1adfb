import { bearerRefused } from '@shared/sagas/callApi.saga';
import type { Deps } from '@shared/deps';
import { call } from '@shared/sagas/call.saga';
import type { EventChannel } from 'redux-saga';
import { put, race, take } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import type { Claims } from '../claims';
import { endSession } from '../endSession.saga';
import { sessionRestored } from '../session.slice';
import { clearSetup, readSession, readSetup } from '../sessionCookies';
import { nextPoll, type WakeUp } from './nextPoll.saga';
import { reloadForOtherUser } from './reloadForOtherUser.saga';
import { hasExpired, seemsExpired } from './tokenClock';

type SetupDeps = Pick<
  Deps,
  'clock' | 'config' | 'cookies' | 'navigation' | 'storage' | 'parentFrame' | 'vault'
>;

/**
 * Watches a setup-mode session, which cannot be refreshed. When its token expires, is refused, or another tab removes it, the
 * session ends, in the middle of a step too (docs/behaviour.md#setup-mode).
 */
export function* setupPolling(
  deps: SetupDeps,
  events: EventChannel<WakeUp>,
  { uid }: Claims,
): SagaGenerator<void> {
  for (;;) {
    const { event, refused } = yield* race({ event: call(nextPoll, events), refused: take(bearerRefused) });
    if (event === 'left') continue;
    // The progress of the enrolment left memory with the page, so a page that comes back is reloaded.
    const found = event === 'restored' ? 'otherUser' : readUser(deps, uid);
    if (found === 'sameUser' && !refused) continue;
    if (found === 'otherUser') {
      yield* call(reloadForOtherUser, deps);
    } else if (typeof found === 'object') {
      yield* call(deps.parentFrame.notify, 'new_tokens');
      yield* put(sessionRestored(found));
    } else {
      yield* call(clearSetup, deps);
      yield* call(endSession, deps, endReasons[found]);
    }
    return;
  }
}

const endReasons = { sameUser: 'refused', expired: 'expired', none: 'missing' } as const;

/** Whose cookies these are now. Claims: this user has signed in from another tab meanwhile. */
function readUser(deps: SetupDeps, uid: string): Claims | 'otherUser' | keyof typeof endReasons {
  const stored = readSession(deps);
  if (stored.kind === 'present' && !seemsExpired(deps, stored.claims))
    return stored.claims.uid === uid ? stored.claims : 'otherUser';
  const setup = readSetup(deps);
  if (!setup) return 'none';
  if (hasExpired(deps, setup.claims)) return 'expired';
  return setup.claims.uid === uid ? 'sameUser' : 'otherUser';
}
