import type { Deps } from '@shared/deps';
import { call } from '@shared/sagas/call.saga';
import { put, takeLeading } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { appCrashed, chunkLoadFailed, reloadRequested } from './crash.slice';

/** A chunk that is missing again so soon after a reload, ms, will not come with another one. */
const onceWithinMs = 60_000;

const note = 'reloaded';

type ReloadDeps = Pick<Deps, 'clock' | 'navigation' | 'notes' | 'pageLife'>;

/**
 * Reloads the page: from the fallback message, and once by itself when a chunk is missing. Supervised alone, so that no other
 * crash ends it.
 */
export function* reload(deps: ReloadDeps): SagaGenerator<void> {
  yield* takeLeading(reloadRequested, function* () {
    yield* call(deps.navigation.reload);
  });
  yield* takeLeading(chunkLoadFailed, reloadOnce, deps);
}

/**
 * After a deployment an open page asks for chunks that the host no longer has. Not while the browser is offline, which would lose
 * the page as well, and not where it keeps no note of the reload, because it would reload again and again.
 */
function* reloadOnce({ clock, navigation, notes, pageLife }: ReloadDeps): SagaGenerator<void> {
  const last = notes.tab.read(note);
  const isNew = last === null || Math.abs(clock.now() - Number(last)) > onceWithinMs;
  const mayReload = isNew && pageLife.isOnline() && notes.tab.write(note, String(clock.now()));
  if (mayReload) yield* call(navigation.reload);
  else yield* put(appCrashed());
}
