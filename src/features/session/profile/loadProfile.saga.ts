import type { Deps } from '@shared/deps';
import { put, takeLatest } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { profileFailed, profileLoaded, profileRequested } from './profile.slice';
import { readAsBearer } from './readAsBearer.saga';

type ProfileDeps = Pick<Deps, 'api' | 'clock' | 'config' | 'cookies' | 'notes'>;

/** Loads the user's attributes whenever they are asked for. */
export function* watchProfile(deps: ProfileDeps): SagaGenerator<void> {
  yield* takeLatest(profileRequested, loadProfile, deps);
}

function* loadProfile(deps: ProfileDeps): SagaGenerator<void> {
  const answer = yield* readAsBearer(deps, deps.api.users.attributes);
  yield* put(answer?.ok ? profileLoaded(answer.value) : profileFailed());
}
