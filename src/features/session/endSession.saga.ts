import type { Deps } from '@shared/deps';
import { call } from '@shared/sagas/call.saga';
import { put } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { sessionEnded, type SessionEnd } from './session.slice';
import { clearSession } from './sessionCookies';

/**
 * Clears the session's cookies and secrets and tells the parent frame (specification §4 Session). Where the person goes
 * from here is decided by `app/checkAccess.saga.ts`.
 */
export function* endSession(
  deps: Pick<Deps, 'cookies' | 'config' | 'parentFrame' | 'vault'>,
  reason: SessionEnd,
): SagaGenerator<void> {
  yield* call(clearSession, deps);
  yield* call(deps.vault.dropOfSession);
  yield* call(deps.parentFrame.tell, 'removed_tokens');
  yield* put(sessionEnded({ reason }));
}
