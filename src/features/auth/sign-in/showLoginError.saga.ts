import { showAlert } from '@features/ui-dialogs';
import { call } from '@shared/sagas/call.saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { authMessages } from '../auth.messages';

/** The 'Login Error' dialog with its Ok button (specification §2, login screen). */
export function* showLoginError(message: string): SagaGenerator<void> {
  const { title, ok } = authMessages.loginError;
  yield* call(showAlert, { id: 'login-error', title, message, confirmLabel: ok });
}
