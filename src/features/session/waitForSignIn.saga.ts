import type { Deps } from '@shared/deps';
import { call } from '@shared/sagas/call.saga';
import type { EventChannel } from 'redux-saga';
import { put } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { nextPoll } from './nextPoll.saga';
import { isExpired } from './refresh/halfLife';
import { sessionAbsent, sessionRestored } from './session.slice';
import { readSession } from './sessionCookies';
import { tokenNow } from './tokenClock';
import type { WakeUp } from './wakeUps';

/** While nobody is signed in: a sign-in in another tab takes this one along (decisions §8). */
export function* waitForSignIn(
  deps: Pick<Deps, 'clock' | 'config' | 'cookies' | 'notes' | 'parentFrame'>,
  events: EventChannel<WakeUp>,
): SagaGenerator<void> {
  for (;;) {
    const event = yield* call(nextPoll, events);
    if (event === 'left') continue;
    const stored = readSession(deps);
    if (stored.kind === 'present' && !isExpired(stored.claims, tokenNow(deps))) {
      yield* call(deps.parentFrame.tell, 'new_tokens');
      yield* put(sessionRestored(stored.claims));
      return;
    }
    // What comes back from the back/forward cache begins anew.
    if (event === 'restored') yield* put(sessionAbsent());
  }
}
