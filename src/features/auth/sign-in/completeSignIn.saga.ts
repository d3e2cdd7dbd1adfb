import { leaveFor, whereTo, type Claims } from '@features/session';
import type { Deps } from '@shared/deps';
import { call } from '@shared/sagas/call.saga';
import { put } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { signInCompleted } from './signIn.slice';

/** Ends `/login` for somebody who is signed in, by this sign-in or an earlier one: the redirect rule is carried out. */
export function* completeSignIn(
  deps: Pick<Deps, 'navigation' | 'parentFrame' | 'config'>,
  claims: Pick<Claims, 'personas'>,
): SagaGenerator<void> {
  const destination = whereTo(deps, claims);
  yield* put(signInCompleted(destination));
  yield* call(leaveFor, deps, destination);
}
