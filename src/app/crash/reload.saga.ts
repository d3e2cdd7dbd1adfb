import { keepEntry } from '@features/auth';
import type { Deps } from '@shared/deps';
import { selectLocation } from '@shared/routing/location.slice';
import { call } from '@shared/sagas/call.saga';
import { put, select, takeLeading } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { appCrashed, chunkLoadFailed, reloadRequested } from './crash.slice';

/** Stores the build for which the page was reloaded. If a file is still missing afterwards, another reload would not help. */
const key = 'reloaded';

/**
 * Reloads the page: from the fallback message, and once automatically when a chunk is missing. It is supervised alone, so
 * that no other crash ends it.
 */
export function* reload(deps: Deps): SagaGenerator<void> {
  yield* takeLeading(reloadRequested, function* () {
    yield* call(deps.navigation.reload);
  });
  yield* takeLeading(chunkLoadFailed, reloadOnce, deps);
}

/**
 * After a deployment an open page requests chunks that the host no longer has. The page is then reloaded, unless the host
 * does not respond, because the page would be lost, or the browser does not store the build, because the page would reload
 * without end. The username typed at `/login` is restored.
 */
function* reloadOnce(deps: Deps): SagaGenerator<void> {
  const { build, navigation, storage, pageLife } = deps;
  const isNew = storage.tab.read(key) !== build;
  if (!isNew || !(yield* call(pageLife.isHostReachable)) || !storage.tab.write(key, build)) {
    yield* put(appCrashed());
    return;
  }
  const { route } = yield* select(selectLocation);
  if (route === 'login' || route === 'twoAuth') yield* call(keepEntry, deps);
  yield* call(navigation.reload);
}
