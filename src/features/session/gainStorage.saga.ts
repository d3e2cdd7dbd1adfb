import type { Action } from '@reduxjs/toolkit';
import type { Deps } from '@shared/deps';
import { call } from '@shared/sagas/call.saga';
import { put, select, take } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { restoreSession } from './restoreSession.saga';
import { frameStorageChanged, selectPhase, type FrameStorage } from './session.slice';

export type Start = (work: () => SagaGenerator<void>) => SagaGenerator<unknown>;
/**
 * Finds out what a partitioned frame can do (docs/behaviour.md#embedding). Cookies that the browser has granted already are
 * used at once.
 */
export function* findStorage(deps: Deps, start: Start): SagaGenerator<void> {
  const { config, cookies } = deps;
  const { isShared, outlook, request } = yield* call(deps.storageAccess);
  if (cookies.enabled() && (yield* call(isShared))) return;
  // Browsers never send cookies without `SameSite=None` to a frame of another site.
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
 * Asks the browser at each press until it agrees, and then reads the session. After the first refusal it asks the user to
 * open the page in a window, because browsers do not say why they refuse.
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
  // The page has sent `removed_tokens` to the parent before.
  if ((yield* select(selectPhase)) === 'active') yield* call(deps.parentFrame.notify, 'new_tokens');
}

const isPress = (event: Action): boolean =>
  frameStorageChanged.match(event) && event.payload.phase === 'asking';
