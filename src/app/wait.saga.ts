import { call } from '@shared/sagas/call.saga';
import { cancel, delay, fork, put, select } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { selectWait, waitEnded, waitNoticed, type WaitState } from './wait.slice';

/** How long a page shows only its header, ms. */
const silentMs = 1000;

/**
 * Does some work without which there is no screen. The page says so if it takes longer than a second. To be called and not delegated
 * to (`yield*`), because its last steps at a cancellation would let the delegating saga go on.
 */
export function* sayIfSlow<Result>(
  phase: WaitState['phase'],
  work: () => SagaGenerator<Result>,
): SagaGenerator<Result> {
  const notice = yield* fork(function* () {
    yield* delay(silentMs);
    yield* put(waitNoticed({ phase }));
  });
  try {
    return yield* call(work);
  } finally {
    yield* cancel(notice);
    if ((yield* select(selectWait)) !== 'none') yield* put(waitEnded());
  }
}
