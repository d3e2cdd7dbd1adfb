import { sessionEnded } from '@features/session';
import { showAlert } from '@features/ui-dialogs';
import type { Deps } from '@shared/deps';
import { call } from '@shared/sagas/call.saga';
import { takeEvery } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { authMessages } from './auth.messages';

/** Work of the auth feature that belongs to no screen. */
export function* authSaga(deps: Deps): SagaGenerator<void> {
  yield* takeEvery(sessionEnded, showNoPersonas, deps);
}

/** An account can lose its last persona during a session. See docs/behaviour.md#token-response. */
function* showNoPersonas(
  { log }: Deps,
  { payload: { reason } }: ReturnType<typeof sessionEnded>,
): SagaGenerator<void> {
  if (reason !== 'noPersonas') return;
  yield* call(log.error, 'session refused', new Error(authMessages.errors.noPersonas.message));
  yield* call(showAlert, { ...authMessages.loginError, message: authMessages.errors.noPersonas });
}
