import type { Action } from '@reduxjs/toolkit';
import type { Deps } from '@shared/deps';
import { call } from '@shared/sagas/call.saga';
import { put, select, take } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { restoreSession } from './restoreSession.saga';
import { frameStorageChanged, selectPhase, type FrameStorage } from './session.slice';

export type Start = (work: () => SagaGenerator<void>) => SagaGenerator<unknown>;
/** What a partitioned frame can do (docs/behaviour.md#embedding). Cookies that are granted already are taken at once. */
export function* findStorage(deps: Deps, start: Start): SagaGenerator<void> {
  const { config, cookies } = deps;
  const { isShared, outlook, request } = yield* call(deps.storageAccess);
  if (cookies.enabled() && (yield* call(isShared))) return;
  // The browsers withhold other cookies from a frame of another site in any case.
  const found = config.cookies.sameSite === 'None' ? yield* call(outlook) : 'unsupported';
  if (found === 'granted' && (yield* call(request)) && cookies.enabled()) return;
  if (found === 'forbidden' || found === 'unsupported') {
    yield* put(frameStorageChanged({ phase: 'refused', reason: found }));
    return;
  }
  yield* put(frameStorageChanged({ phase: 'partitioned' }));
  yield* call(start, () => gainStorage(deps));
}

/**
 * Asks in every press until the browser agrees, then reads the session. Browsers do not say whether the user refused or a visit
 * is needed, so the first refusal asks for a visit.
 */
function* gainStorage(deps: Deps): SagaGenerator<void> {
  const { request } = yield* call(deps.storageAccess);
  let refusal: FrameStorage = { phase: 'visitNeeded' };
  for (;;) {
    yield* take(isPress);
    const isGranted = yield* call(request);
    if (isGranted && deps.cookies.enabled()) break;
    yield* put(frameStorageChanged(isGranted ? { phase: 'refused', reason: 'noCookies' } : refusal));
    refusal = { phase: 'refused', reason: 'denied' };
  }
  yield* put(frameStorageChanged({ phase: 'shared' }));
  yield* call(restoreSession, deps, true);
  // The parent was told that there is none.
  if ((yield* select(selectPhase)) === 'active') yield* call(deps.parentFrame.notify, 'new_tokens');
}

const isPress = (event: Action): boolean =>
  frameStorageChanged.match(event) && event.payload.phase === 'asking';
