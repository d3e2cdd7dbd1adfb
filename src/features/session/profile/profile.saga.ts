import type { Deps } from '@shared/deps';
import { put, takeLatest } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { readAsBearer, type BearerDeps } from '../bearer.saga';
import { profileFailed, profileLoaded, profileRequested } from './profile.slice';

/** Loads the user's attributes whenever they are requested. */
export function* watchProfile(deps: BearerDeps & Pick<Deps, 'api'>): SagaGenerator<void> {
  yield* takeLatest(profileRequested, function* () {
    const response = yield* readAsBearer(deps, deps.api.users.attributes);
    yield* put(response?.ok ? profileLoaded(response.value) : profileFailed());
  });
}
