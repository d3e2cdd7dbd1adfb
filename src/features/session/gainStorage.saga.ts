import type { Deps } from '@shared/deps';
import { call } from '@shared/sagas/call.saga';
import { put, select, take } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import type { RefreshDeps } from './refresh/refreshOnce.saga';
import { restoreSession } from './restoreSession.saga';
import { frameStorageFound, selectPhase, storageRequested, type FrameStorage } from './session.slice';

export type StorageDeps = RefreshDeps & Pick<Deps, 'storageAccess'>;

/** What a partitioned frame can do (docs/behaviour.md#embedding). Cookies that are granted already are taken at once. */
export function* findWay(deps: StorageDeps): SagaGenerator<void> {
  const { config, cookies } = deps;
  const { outlook, request } = yield* call(deps.storageAccess);
  // The browsers withhold other cookies from a frame of another site in any case.
  const found = config.cookies.sameSite === 'None' ? yield* call(outlook) : 'unsupported';
  if (found === 'granted' && (yield* call(request)) && cookies.enabled()) return;
  const isAskable = found === 'granted' || found === 'askable';
  yield* put(frameStorageFound(isAskable ? { phase: 'partitioned' } : { phase: 'refused', reason: found }));
}

/**
 * Asks in every press until the browser agrees, then reads the session. Browsers do not tell a user's 'no' from their own wish
 * for a visit first, so the first refusal leads to the visit.
 */
export function* gainStorage(deps: StorageDeps): SagaGenerator<void> {
  const { request } = yield* call(deps.storageAccess);
  let refusal: FrameStorage = { phase: 'visitNeeded' };
  for (;;) {
    yield* take(storageRequested);
    const isGranted = yield* call(request);
    if (isGranted && deps.cookies.enabled()) break;
    yield* put(frameStorageFound(isGranted ? { phase: 'refused', reason: 'noCookies' } : refusal));
    refusal = { phase: 'refused', reason: 'denied' };
  }
  yield* put(frameStorageFound({ phase: 'shared' }));
  yield* call(restoreSession, deps);
  // The parent was told that there is none.
  if ((yield* select(selectPhase)) === 'active') yield* call(deps.parentFrame.notify, 'new_tokens');
}
