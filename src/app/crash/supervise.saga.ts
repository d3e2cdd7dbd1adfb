import { isChunkLoadError } from '@shared/api/apiError';
import type { Deps } from '@shared/deps';
import { call } from '@shared/sagas/call.saga';
import { contain } from '@shared/sagas/contain.saga';
import type { Task } from 'redux-saga';
import { put, spawn } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { appCrashed, chunkLoadFailed } from './crash.slice';

/**
 * Runs the root saga of a feature, or the saga of a screen, so that its crash does not stop the others. A crash is reported
 * and shows the app-level fallback message. The saga is not restarted: the same state would crash it again. A chunk that
 * could not be fetched is no fault of the feature: `reload.saga.ts` reloads the page.
 */
export function* supervise(
  deps: Deps,
  feature: string,
  root: () => SagaGenerator<void>,
): SagaGenerator<Task> {
  return yield* spawn(function* () {
    const error = yield* call(contain, deps, feature, root);
    if (error !== null) yield* put(isChunkLoadError(error) ? chunkLoadFailed() : appCrashed());
  });
}
