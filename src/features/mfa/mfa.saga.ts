import type { Deps } from '@shared/deps';
import { locationChanged } from '@shared/routing/location.slice';
import { matchRoute } from '@shared/routing/matchRoute';
import { onRoute } from '@shared/routing/onRoute.saga';
import type { RouteName } from '@shared/routing/paths';
import { call } from '@shared/sagas/call';
import type { Action } from '@reduxjs/toolkit';
import { actionChannel, fork, take, takeLatest } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { setupMethodChosen } from './setup/setup.slice';
import { activePhoneRequested } from './status/activePhone.slice';
import { loadActivePhone } from './status/loadActivePhone.saga';

/** Root of the mfa feature. Its work is fetched when the first of its screens is entered. */
export function* mfaSaga(deps: Deps): SagaGenerator<void> {
  yield* fork(setupWhenNeeded, deps);
  yield* takeLatest(activePhoneRequested, loadActivePhone, deps);
  yield* fork(whileActivatedIsShown, deps);
}

const setupRoutes: readonly (RouteName | undefined)[] = ['mfaOptions', 'phoneSetup', 'appSetup', 'setupCode'];

/** The person is on their way to setting up. */
function begins(action: Action): boolean {
  if (setupMethodChosen.match(action)) return true;
  return locationChanged.match(action) && setupRoutes.includes(matchRoute(action.payload.pathname)?.name);
}

const concernsSetup = (action: Action): boolean =>
  locationChanged.match(action) || action.type.startsWith('mfa/');

function* setupWhenNeeded(deps: Deps): SagaGenerator<void> {
  // Kept until they are read: what happens while the chunk is being fetched is not lost.
  const events = yield* actionChannel(concernsSetup);
  for (;;) {
    const first: Action = yield* take(events);
    if (!begins(first)) continue;
    const { setupSaga } = yield* call(() => import('./setup/setup.saga'));
    yield* call(setupSaga, deps, events, first);
  }
}

function* whileActivatedIsShown(deps: Deps): SagaGenerator<void> {
  yield* onRoute('mfaActivated', activatedScreen, deps);
}

function* activatedScreen(deps: Deps): SagaGenerator<void> {
  const { activated } = yield* call(() => import('./activated/activated.saga'));
  yield* call(activated, deps);
}
