import { sessionEnded } from '@features/session';
import { isAnyOf, type Action } from '@reduxjs/toolkit';
import type { Deps } from '@shared/deps';
import { onRoute } from '@shared/routing/onRoute.saga';
import { call } from '@shared/sagas/call';
import { all, fork, race, take, takeEvery, takeLatest } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { authMessages } from '../auth.messages';
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
export function* signInSaga(deps: Deps): SagaGenerator<void> {
  yield* takeEvery(sessionEnded, tellNoPersonas, deps);
  yield* onRoute('login', signInScreen, deps);
}

/** An account can lose its last application while its owner is signed in (specification §8). */
function* tellNoPersonas(
  { log }: Pick<Deps, 'log'>,
  { payload: { reason } }: ReturnType<typeof sessionEnded>,
): SagaGenerator<void> {
  if (reason !== 'noPersonas') return;
  yield* call(log.error, 'session refused', new Error(authMessages.errors.noPersonas));
  yield* call(showLoginError, authMessages.errors.noPersonas);
}

function* signInScreen(deps: Deps): SagaGenerator<void> {
  yield* fork(warmUp, deps);
  yield* takeLatest([methodsUnavailable, signInFailed, providerChosen, providerCodeReceived], tellFailure);
  // When the screen begins anew, so does its work: an answer to somebody's earlier attempt must not sign them in.
  for (;;) yield* race({ visit: call(visit, deps), anew: take(loginEntered) });
}

/**
 * One visit, from the username to the methods and back. The username is held here and not asked of the store: while
 * DevTools shows the past, `select` answers from the past.
 */
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
