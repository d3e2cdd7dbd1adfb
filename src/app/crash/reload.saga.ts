import { keepEntry } from '@features/auth';
import type { Deps } from '@shared/deps';
import { selectLocation } from '@shared/routing/location.slice';
import { call } from '@shared/sagas/call.saga';
import { put, select, takeLeading } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { appCrashed, chunkLoadFailed, reloadRequested } from './crash.slice';

/** The key of the build that was reloaded: what is missing in it afterwards will not come with another reload. */
const key = 'reloaded';

/**
 * Reloads the page: from the fallback message, and once automatically when a chunk is missing. Supervised alone, so that no other
 * crash ends it.
 */
export function* reload(deps: Deps): SagaGenerator<void> {
  yield* takeLeading(reloadRequested, function* () {
    yield* call(deps.navigation.reload);
  });
  yield* takeLeading(chunkLoadFailed, reloadOnce, deps);
}

/**
 * After a deployment an open page requests chunks that the host no longer has. Not while the host does not respond, which would
 * lose the page as well, and not where the browser does not store the build, because it would reload again and again. What was
 * typed at `/login` is there again afterwards; a challenge leads there, too.
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
