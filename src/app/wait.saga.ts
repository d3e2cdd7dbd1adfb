import { call } from '@shared/sagas/call.saga';
import { cancel, delay, fork, put, select } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { selectIsSlow, waitEnded, waitNoticed, type WaitState } from './wait.slice';

/** How long a page shows only its header, ms. */
const silentMs = 1000;

/**
 * Runs `work`, which a screen needs before it is shown, and shows a progress sign after a second. Use it with `call`: a saga that
 * delegates to it (`yield*`) would continue after a cancellation.
 */
export function* sayIfSlow<Result>(
  what: keyof WaitState,
  work: () => SagaGenerator<Result>,
): SagaGenerator<Result> {
  const notice = yield* fork(function* () {
    yield* delay(silentMs);
    yield* put(waitNoticed(what));
  });
  try {
    return yield* call(work);
  } finally {
    yield* cancel(notice);
    if (yield* select(selectIsSlow, what)) yield* put(waitEnded(what));
  }
}
