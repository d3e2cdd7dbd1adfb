import type { Deps } from '@shared/deps';
import { onRoute } from '@shared/routing/onRoute.saga';
import { call } from '@shared/sagas/call';
import { all, fork, race, take, takeLatest, takeLeading } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { loadMethods } from './loadMethods.saga';
import { loadSecondStep, secondStep } from './loadSecondStep';
import { showLoginError } from './showLoginError.saga';
import { showProviderUnavailable } from '../provider/showProviderUnavailable.saga';
import {
  methodsUnavailable,
  passwordSubmitted,
  providerChosen,
  signInFailed,
  usernameChangeRequested,
  usernameEditStarted,
  usernameSubmitted,
} from './signIn.slice';

/** Everything that `/login` starts; cancelled when the screen is left, so that a late answer finds nobody. */
export function* signInSaga(deps: Deps): SagaGenerator<void> {
  yield* onRoute('login', signInScreen, deps);
}

function* signInScreen(deps: Deps): SagaGenerator<void> {
  yield* fork(warmUp, deps);
  yield* takeLatest([methodsUnavailable, signInFailed], tellFailure);
  yield* takeLeading(usernameSubmitted, loadMethods, deps);
  yield* takeLeading(passwordSubmitted, untilAbandoned, signInWithPassword, deps);
  yield* takeLeading(providerChosen, showProviderUnavailable);
}

/** Beside the attempt and not at its end: the next one must not wait until the dialog of the last is answered. */
function* tellFailure({ payload: message }: ReturnType<typeof signInFailed>): SagaGenerator<void> {
  yield* call(showLoginError, message);
}

/** Gives the attempt up when the person goes back to the username: its answer must not sign anybody in. */
function* untilAbandoned(
  worker: typeof signInWithPassword,
  deps: Deps,
  action: ReturnType<typeof passwordSubmitted>,
): SagaGenerator<void> {
  yield* race({ done: call(worker, deps, action), abandoned: take(usernameChangeRequested) });
}

function* signInWithPassword(deps: Deps, action: ReturnType<typeof passwordSubmitted>): SagaGenerator<void> {
  const { passwordSignIn } = secondStep() ?? (yield* call(loadSecondStep));
  yield* call(passwordSignIn, deps, action);
}

/** The service's transport and the second step are chunks of their own, which the first keystroke fetches. */
function* warmUp({ api }: Pick<Deps, 'api'>): SagaGenerator<void> {
  yield* take(usernameEditStarted);
  yield* all([call(api.warmUp), call(warmUpSecondStep)]);
}

/** A fetch that fails now is tried again when the chunk is needed, and told then. */
async function warmUpSecondStep(): Promise<void> {
  await loadSecondStep().catch(() => undefined);
}
