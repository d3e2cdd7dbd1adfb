import type { Deps } from '@shared/deps';
import { call } from '@shared/sagas/call';
import { put } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { endSession } from './endSession.saga';
import { isExpired } from './refresh/halfLife';
import { sessionAbsent, sessionRestored, setupStarted } from './session.slice';
import { readSession, readSetup } from './sessionCookies';

/**
 * Finds out from the cookies who is here, when the page comes up.
 * A malformed cookie and an expired token are cleared (specification §4, login flow 7 and Session).
 */
export function* restoreSession(
  deps: Pick<Deps, 'cookies' | 'config' | 'clock' | 'parentFrame' | 'vault'>,
): SagaGenerator<void> {
  const stored = readSession(deps);
  if (stored.kind === 'present' && !isExpired(stored.claims, deps.clock.now())) {
    yield* put(sessionRestored(stored.claims));
    return;
  }
  if (stored.kind !== 'none') {
    yield* call(endSession, deps, stored.kind === 'malformed' ? 'malformed' : 'expired');
  }
  const setup = readSetup(deps);
  if (setup && !isExpired(setup.claims, deps.clock.now())) yield* put(setupStarted(setup.claims));
  else if (stored.kind === 'none') yield* put(sessionAbsent());
}
