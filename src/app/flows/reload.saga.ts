import type { Deps } from '@shared/deps';
import { call } from '@shared/sagas/call.saga';
import { put, takeLeading } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { appCrashed, chunkLoadFailed, reloadRequested } from '../crash/crash.slice';

/** A part that is missing again so soon after the page was loaded for it, ms, will not come by loading it once more. */
const onceWithinMs = 60_000;

const note = 'reloaded';

type ReloadDeps = Pick<Deps, 'clock' | 'navigation' | 'notes' | 'pageLife'>;

/** The one way on from the fallback message, and once without being asked; on its own, so that no crash takes it along. */
export function* reload(deps: ReloadDeps): SagaGenerator<void> {
  yield* takeLeading(reloadRequested, function* () {
    yield* call(deps.navigation.reload);
  });
  yield* takeLeading(chunkLoadFailed, reloadOnce, deps);
}

/**
 * After a deployment the page that is open asks for parts that the host no longer has. A browser that is offline would lose
 * the page as well, and one that keeps no note of it would load it for ever.
 */
function* reloadOnce({ clock, navigation, notes, pageLife }: ReloadDeps): SagaGenerator<void> {
  const last = notes.tab.read(note);
  const isNew = last === null || Math.abs(clock.now() - Number(last)) > onceWithinMs;
  const mayReload = isNew && pageLife.isOnline() && notes.tab.write(note, String(clock.now()));
  if (mayReload) yield* call(navigation.reload);
  else yield* put(appCrashed());
}
