import type { Deps } from '@shared/deps';
import { attempt } from '@shared/sagas/attempt.saga';
import { call } from '@shared/sagas/call';
import { put } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { authMessages } from '../auth.messages';
import { showLoginError } from './showLoginError.saga';
import { methodsLoaded, methodsUnavailable, providerChosen, type usernameSubmitted } from './signIn.slice';

/** Fetches what the username may use; a single method that is not the password starts by itself (specification §4). */
export function* loadMethods(
  { api }: Pick<Deps, 'api'>,
  { payload: { username } }: ReturnType<typeof usernameSubmitted>,
): SagaGenerator<void> {
  const answer = yield* attempt(api.auth.methods, username);
  const methods = answer.ok ? answer.value : [];
  if (methods.length === 0) {
    yield* put(methodsUnavailable());
    yield* call(showLoginError, authMessages.errors.noMethods);
    return;
  }
  yield* put(methodsLoaded(methods));
  const [only, ...others] = methods;
  if (only && only.method !== 'basic' && others.length === 0) yield* put(providerChosen(only.method));
}
