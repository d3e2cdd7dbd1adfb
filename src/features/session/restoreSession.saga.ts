import type { Deps } from '@shared/deps';
import { call } from '@shared/sagas/call.saga';
import { put } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { endSession } from './endSession.saga';
import { isExpired } from './refresh/halfLife';
import { sessionAbsent, sessionRestored, setupStarted } from './session.slice';
import { clearOrphanRefresh, clearSetup, readSession, readSetup } from './sessionCookies';
import { dropWrongNote, tokenNow } from './tokenClock';

/**
 * Finds out from the cookies who is here, when the page comes up.
 * A malformed cookie and an expired token are cleared, and so is a refresh token on its own; the parent is told that
 * there is no session (specification §4, login flow 7 and Session).
 */
export function* restoreSession(
  deps: Pick<Deps, 'cookies' | 'config' | 'clock' | 'notes' | 'parentFrame' | 'vault'>,
): SagaGenerator<void> {
  const stored = readSession(deps);
  const setup = readSetup(deps);
  const held = stored.kind === 'present' ? stored : setup;
  if (held) yield* call(dropWrongNote, deps, held.claims);
  const now = tokenNow(deps);
  if (stored.kind === 'present' && !isExpired(stored.claims, now)) {
    yield* put(sessionRestored(stored.claims));
    return;
  }
  if (stored.kind === 'none') {
    yield* call(clearOrphanRefresh, deps);
    yield* call(deps.parentFrame.tell, 'removed_tokens');
  } else {
    yield* call(endSession, deps, stored.kind === 'present' ? 'expired' : stored.kind);
  }
  if (setup && !isExpired(setup.claims, now)) {
    yield* put(setupStarted(setup.claims));
    return;
  }
  yield* call(clearSetup, deps);
  if (stored.kind === 'none') yield* put(sessionAbsent());
}
