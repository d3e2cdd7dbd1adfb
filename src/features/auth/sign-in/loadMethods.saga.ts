import type { Api, LoginMethod } from '@shared/api/api';
import { ApiError } from '@shared/api/apiError';
import type { Deps } from '@shared/deps';
import { attempt } from '@shared/sagas/attempt.saga';
import { put, select } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { authMessages } from '../auth.messages';
import { loadSecondStep } from './loadSecondStep';
import { selectSignIn } from './signIn.selectors';
import { methodsLoaded, methodsUnavailable, providerChosen } from './signIn.slice';

/** The screen that shows the methods is fetched beside them; without it there are none to show. */
async function methodsAndTheirScreen(api: Api, username: string): Promise<readonly LoginMethod[]> {
  const [methods] = await Promise.all([api.auth.methods(username), loadSecondStep().catch(failedFetch)]);
  return methods;
}

function failedFetch(): never {
  throw new ApiError('network');
}

/** Fetches what the username may use; a single method that is not the password starts by itself (specification §4). */
export function* loadMethods({ api }: Pick<Deps, 'api'>): SagaGenerator<void> {
  const state = yield* select(selectSignIn);
  if (state.phase !== 'loadingMethods') return;
  const answer = yield* attempt(methodsAndTheirScreen, api, state.username);
  const methods = answer.ok ? answer.value : [];
  if (methods.length === 0) {
    yield* put(methodsUnavailable(authMessages.errors.noMethods));
    return;
  }
  yield* put(methodsLoaded(methods));
  const [only, ...others] = methods;
  if (only && only.method !== 'basic' && others.length === 0) yield* put(providerChosen(only.method));
}
