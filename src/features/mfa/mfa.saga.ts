import type { Deps } from '@shared/deps';
import { locationChanged, selectLocation } from '@shared/routing/location.slice';
import { paths, type RouteName } from '@shared/routing/paths';
import { call } from '@shared/sagas/call.saga';
import { withChannel } from '@shared/sagas/withChannel.saga';
import { fork, put, select, take, takeEvery, takeLatest } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { selectSetup } from './setup/setup.selectors';
import { setupDropped } from './setup/setup.slice';
import { activePhoneRequested } from './status/activePhone.slice';
import { loadActivePhone } from './status/loadActivePhone.saga';

/** What the mfa feature does on every screen. */
export function* mfaSaga(deps: Deps): SagaGenerator<void> {
  yield* takeLatest(activePhoneRequested, loadActivePhone, deps);
  yield* takeEvery(locationChanged, dropOutsideSetup, deps);
  yield* fork(dropWithPage, deps);
}

const steps: readonly (RouteName | null)[] = ['phoneSetup', 'appSetup', 'setupCode'];

/** A set-up lasts while its steps are shown, and while identity is being proved for it (again). */
function* dropOutsideSetup(
  { vault }: Pick<Deps, 'vault'>,
  { payload: { route, pathname } }: ReturnType<typeof locationChanged>,
): SagaGenerator<void> {
  if (steps.includes(route) || pathname.startsWith(paths.askPassword('enable'))) return;
  const { phase } = yield* select(selectSetup);
  yield* call(vault.drop, 'enrolment');
  if (phase !== 'none') yield* put(setupDropped());
}

/**
 * A page that goes into the back/forward cache takes nothing of the set-up along: the vault is emptied by its port, and
 * what comes back begins with the choice of a method.
 */
function* dropWithPage({ navigation, pageLife }: Pick<Deps, 'navigation' | 'pageLife'>): SagaGenerator<void> {
  yield* withChannel(pageLife.subscribe, function* (life) {
    for (;;) {
      const event = yield* take(life);
      const { phase } = yield* select(selectSetup);
      if (event === 'left' && phase !== 'none') yield* put(setupDropped());
      if (event === 'restored' && steps.includes((yield* select(selectLocation)).route))
        yield* call(navigation.replace, paths.mfaOptions());
    }
  });
}
