import type { Deps } from '@shared/deps';
import { put, select, takeLatest } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { selectLocation } from '@shared/routing/location.slice';
import { readAsBearer } from '../bearer.saga';
import { accountChanged, sessionRestored } from '../session.slice';
import { profileFailed, profileLoaded, profileRequested } from './profile.slice';

/**
 * Loads the user's attributes whenever they are requested, and again after a change that an event reports, or when the page returns
 * from the back/forward cache.
 */
export function* watchProfile(deps: Deps): SagaGenerator<void> {
  yield* takeLatest([profileRequested, accountChanged, sessionRestored], function* (action) {
    const { route } = yield* select(selectLocation);
    if (!profileRequested.match(action) && route !== 'accountSettings') return;
    const response = yield* readAsBearer(deps, deps.api.users.attributes);
    yield* put(response?.ok ? profileLoaded(response.value) : profileFailed());
  });
}
