import type { Deps } from '@shared/deps';
import { call } from '@shared/sagas/call.saga';
import { put } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { storageFoundPartitioned } from './session.slice';

/**
 * In a frame, finds out before anybody tries whether a sign-in could be kept (decisions §6): cookies may be refused there,
 * or kept in a jar that no other page sees, and a provider's window would find neither its state nor the channel.
 */
export function* checkFrameStorage({
  cookies,
  parentFrame,
}: Pick<Deps, 'cookies' | 'parentFrame'>): SagaGenerator<void> {
  if (!parentFrame.embedded) return;
  const isApart = !cookies.enabled() || (yield* call(parentFrame.isStoragePartitioned));
  if (isApart) yield* put(storageFoundPartitioned());
}
