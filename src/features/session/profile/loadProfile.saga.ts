import type { Deps } from '@shared/deps';
import { attempt } from '@shared/sagas/attempt.saga';
import { put, takeLatest } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { readSession, readSetup, type CookieDeps } from '../sessionCookies';
import { profileFailed, profileLoaded, profileRequested } from './profile.slice';

type ProfileDeps = Pick<Deps, 'api' | 'cookies' | 'config'>;

/** Loads the user's attributes whenever they are asked for. */
export function* watchProfile(deps: ProfileDeps): SagaGenerator<void> {
  yield* takeLatest(profileRequested, loadProfile, deps);
}

function* loadProfile(deps: ProfileDeps): SagaGenerator<void> {
  const bearer = readBearer(deps);
  if (!bearer) {
    yield* put(profileFailed());
    return;
  }
  const answer = yield* attempt(deps.api.users.attributes, bearer.token, bearer.uid);
  yield* put(answer.ok ? profileLoaded(answer.value) : profileFailed());
}

/** The bearer of specification §7: the session's token, or in setup mode the `mfaToken` (decisions §2). */
export function readBearer(deps: CookieDeps): { readonly token: string; readonly uid: string } | null {
  const stored = readSession(deps);
  if (stored.kind === 'present') return { token: stored.tokens.token, uid: stored.claims.uid };
  const setup = readSetup(deps);
  return setup && { token: setup.mfaToken, uid: setup.claims.uid };
}
