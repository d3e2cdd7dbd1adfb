import { createChunk } from '@shared/chunk';
import { call } from '@shared/sagas/call.saga';
import { select } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import type { StorageDeps } from './gainStorage.saga';
import { selectFrameStorage } from './session.slice';

const chunk = createChunk(() => import(/* webpackChunkName: "frame" */ './gainStorage.saga'));

/**
 * In a frame, finds out before a sign-in starts whether it could be kept (docs/behaviour.md#embedding). The browser may refuse
 * cookies there or partition them. A provider's window would then find neither the stored state nor the channel.
 */
export function* checkFrameStorage(deps: StorageDeps): SagaGenerator<void> {
  const { cookies, parentFrame } = deps;
  if (!parentFrame.embedded) return;
  if (cookies.enabled() && !(yield* call(parentFrame.isStoragePartitioned))) return;
  const { findWay } = yield* call(chunk.load);
  yield* call(findWay, deps);
}

/** Where the frame may ask for its site's cookies: waits for the press that does. */
export function* askForStorage(deps: StorageDeps): SagaGenerator<void> {
  if ((yield* select(selectFrameStorage)).phase !== 'partitioned') return;
  const { gainStorage } = yield* call(chunk.load);
  yield* call(gainStorage, deps);
}
