import type { Deps } from '@shared/deps';
import { createChunk } from '@shared/chunk';
import { call } from '@shared/sagas/call.saga';
import type { SagaGenerator } from 'typed-redux-saga';
import type { Start } from './gainStorage.saga';

const chunk = createChunk(() => import(/* webpackChunkName: "frame" */ './gainStorage.saga'));

/**
 * In a frame, finds out before a sign-in starts whether it could be kept (docs/behaviour.md#embedding). The browser may refuse
 * cookies there or partition them. A provider's window would then find neither the stored state nor the channel.
 *
 * @param start - starts what waits for the user; this ends without it
 */
export function* checkFrameStorage(deps: Deps, start: Start): SagaGenerator<void> {
  const { cookies, parentFrame } = deps;
  if (!parentFrame.embedded || (parentFrame.isInFamily && cookies.enabled())) return;
  const { findStorage } = yield* call(chunk.load);
  yield* call(findStorage, deps, start);
}
