import { isAnyOf, type Action } from '@reduxjs/toolkit';
import type { Deps } from '@shared/deps';
import { call } from '@shared/sagas/call.saga';
import { all, fork, race, take, takeLatest } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { enterLogin } from './enterLogin.saga';
import { loadMethods } from './loadMethods.saga';
import { loadSecondStep, secondStep } from './loadSecondStep';
import { showLoginError } from './showLoginError.saga';
import {
  loginEntered,
  methodsUnavailable,
  providerChosen,
  providerCodeReceived,
  signInFailed,
  usernameChangeRequested,
  usernameEditStarted,
  usernameSubmitted,
} from './signIn.slice';

/** Everything that `/login` starts; cancelled when the screen is left, so that a late answer finds nobody. */
export function* signIn(deps: Deps): SagaGenerator<void> {
  yield* fork(warmUp, deps);
  yield* takeLatest([methodsUnavailable, signInFailed, providerChosen, providerCodeReceived], tellFailure);
  yield* fork(visits, deps);
  yield* call(enterLogin, deps);
}

/** When the screen begins again, so does its work: an answer to somebody's earlier attempt must not sign them in. */
function* visits(deps: Deps): SagaGenerator<void> {
  for (;;) yield* race({ visit: call(visit, deps), again: take(loginEntered) });
}

/** One visit, from the username to the methods and back. */
function* visit(deps: Deps): SagaGenerator<void> {
  for (;;) {
    const { payload: person } = yield* take(usernameSubmitted);
    const methods = person.username === '' ? null : yield* call(loadMethods, deps, person.username);
    if (!methods) continue;
    const { chooseMethod } = secondStep() ?? (yield* call(loadSecondStep));
    yield* race({
      sign: call(chooseMethod, deps, { ...person, methods }),
      back: take(usernameChangeRequested),
    });
  }
}

const isFailure = isAnyOf(methodsUnavailable, signInFailed);

/**
 * Beside the attempt and not at its end: the next one must not wait until the dialog of the last is answered. A code
 * that comes late after all, or a new attempt, closes the dialog.
 */
function* tellFailure(action: Action): SagaGenerator<void> {
  if (isFailure(action)) yield* call(showLoginError, action.payload);
}

/**
 * The service's transport, the second step and what makes a provider's secrets are chunks of their own, which the first
 * keystroke fetches: nothing has to be fetched between a click and its window.
 */
function* warmUp({ api, makeOauthSecrets }: Pick<Deps, 'api' | 'makeOauthSecrets'>): SagaGenerator<void> {
  yield* take(usernameEditStarted);
  yield* all([call(api.warmUp), call(fetchAhead, loadSecondStep), call(fetchAhead, makeOauthSecrets)]);
}

/** A fetch that fails now is tried again when the chunk is needed, and told then. */
async function fetchAhead(load: () => Promise<unknown>): Promise<void> {
  await load().catch(() => undefined);
}
