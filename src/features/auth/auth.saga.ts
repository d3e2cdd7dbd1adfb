import { sessionEnded } from '@features/session';
import type { Deps } from '@shared/deps';
import { call } from '@shared/sagas/call.saga';
import { fork, takeEvery } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { authMessages } from './auth.messages';
import { showLoginError } from './sign-in/showLoginError.saga';
import { watchVerificationPeriod } from './verify-identity/verificationPeriod.saga';

/** What the auth feature does on every screen. */
export function* authSaga(deps: Deps): SagaGenerator<void> {
  yield* takeEvery(sessionEnded, tellNoPersonas, deps);
  yield* fork(watchVerificationPeriod, deps);
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
