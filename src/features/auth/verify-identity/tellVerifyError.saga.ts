import { showAlert } from '@features/ui-dialogs';
import { call } from '@shared/sagas/call.saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { authMessages } from '../auth.messages';

/** Tells that a proof of identity was not taken, or that what it was for failed. */
export function* tellVerifyError(message: string): SagaGenerator<void> {
  const { title, ok } = authMessages.verifyIdentity.refused;
  yield* call(showAlert, { id: 'identity-refused', title, message, confirmLabel: ok });
}
