import { showAlert } from '@features/ui-dialogs';
import { call } from '@shared/sagas/call.saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { mfaMessages } from '../mfa.messages';

/** Tells that a call of the set-up failed; for `takeLatest` on the event that carries the words. */
export function* showSetupError({ payload: message }: { readonly payload: string }): SagaGenerator<void> {
  const { title, ok } = mfaMessages.setupError;
  yield* call(showAlert, { id: 'setup-error', title, message, confirmLabel: ok });
}
