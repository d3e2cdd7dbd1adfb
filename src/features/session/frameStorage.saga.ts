import type { Deps } from '@shared/deps';
import { createChunk } from '@shared/chunk';
import { call } from '@shared/sagas/call.saga';
import type { SagaGenerator } from 'typed-redux-saga';
import type { Start } from './gainStorage.saga';

const chunk = createChunk(() => import(/* webpackChunkName: "frame" */ './gainStorage.saga'));

/**
 * Finds out whether a sign-in in a frame can be kept, before it starts (docs/behaviour.md#embedding). The browser may refuse
 * cookies there or partition them. A provider's window would then find neither the stored state nor the channel.
 *
 * @param start - starts the saga that waits for the user, while this one returns
 */
export function* checkFrameStorage(deps: Deps, start: Start): SagaGenerator<void> {
  const { cookies, parentFrame } = deps;
  if (!parentFrame.embedded || (parentFrame.isInFamily && cookies.enabled())) return;
  const { findStorage } = yield* call(chunk.load);
  yield* call(findStorage, deps, start);
}
