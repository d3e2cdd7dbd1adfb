import { leaveFor, whereTo, type Claims } from '@features/session';
import type { Deps } from '@shared/deps';
import { selectLocation } from '@shared/routing/location.slice';
import { call } from '@shared/sagas/call.saga';
import { contain } from '@shared/sagas/contain.saga';
import type { SignedIn } from '@shared/slots';
import { paths } from '@vestibule/contract/paths';
import { put, select } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { signInCompleted } from './tokenResponse';

/** Runs what the features do after a sign-in, before the page leaves. A crash there does not keep the user from the application. */
export function* afterSignIn(deps: Deps, signedIn: SignedIn): SagaGenerator<void> {
  for (const { name, afterSignIn: work } of deps.features)
    if (work) yield* call(contain, deps, name, () => work(deps, signedIn));
}

/**
 * Leaves a sign-in page by the redirect rule when its user has a session (docs/behaviour.md#redirect-rule). In a parent's
 * frame `/login` says 'You are signed in'.
 */
export function* leaveSignedIn(deps: Deps, claims: Pick<Claims, 'personas'>): SagaGenerator<void> {
  const { navigation } = deps;
  const destination = whereTo(deps, claims);
  yield* put(signInCompleted(destination));
  const { route } = yield* select(selectLocation);
  if (destination.kind === 'stay' && route !== 'login')
    yield* call(navigation.replace, paths.login(navigation.current().search));
  yield* call(leaveFor, deps, destination);
}
