import type { Deps } from '@shared/deps';
import { onRoute } from '@shared/routing/onRoute.saga';
import { call } from '@shared/sagas/call';
import { fork, race, take, takeLatest, takeLeading } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { loadMethods } from './loadMethods.saga';
import { passwordSignIn } from './passwordSignIn.saga';
import { showProviderUnavailable } from '../provider/showProviderUnavailable.saga';
import {
  passwordSubmitted,
  providerChosen,
  usernameChangeRequested,
  usernameEditStarted,
  usernameSubmitted,
} from './signIn.slice';

/** Everything that `/login` starts; cancelled when the screen is left, so that a late answer finds nobody. */
export function* signInSaga(deps: Deps): SagaGenerator<void> {
  yield* onRoute('login', signInScreen, deps);
}

function* signInScreen(deps: Deps): SagaGenerator<void> {
  yield* fork(warmUpApi, deps);
  yield* takeLatest(usernameSubmitted, loadMethods, deps);
  yield* takeLeading(passwordSubmitted, untilAbandoned, passwordSignIn, deps);
  yield* takeLeading(providerChosen, showProviderUnavailable);
}

/** Gives the attempt up when the person goes back to the username: its answer must not sign anybody in. */
function* untilAbandoned(
  worker: typeof passwordSignIn,
  deps: Deps,
  action: ReturnType<typeof passwordSubmitted>,
): SagaGenerator<void> {
  yield* race({ done: call(worker, deps, action), abandoned: take(usernameChangeRequested) });
}

/** The transport stands in a chunk of its own, which the first keystroke fetches (docs: speed of /login). */
function* warmUpApi({ api }: Pick<Deps, 'api'>): SagaGenerator<void> {
  yield* take(usernameEditStarted);
  yield* call(api.warmUp);
}
