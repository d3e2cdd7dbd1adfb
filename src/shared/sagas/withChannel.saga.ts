import { buffers, eventChannel, type EventChannel } from 'redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { call } from './call.saga';

/** Registers a listener and returns the function that unsubscribes, as the ports do. */
export type Subscribe<T> = (listener: (event: T) => void) => () => void;

/** Uses an external event source as a channel and closes it at the end: success, error or cancellation. */
export function* withChannel<T extends object | string, R>(
  subscribe: Subscribe<T>,
  work: (channel: EventChannel<T>) => SagaGenerator<R>,
): SagaGenerator<R> {
  // The channel has a buffer, so that no event is lost while the work handles another one.
  const channel = eventChannel<T>((emit) => subscribe(emit), buffers.expanding());
  try {
    return yield* call(work, channel);
  } finally {
    channel.close();
  }
}
