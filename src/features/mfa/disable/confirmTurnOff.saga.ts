import { askConfirm } from '@features/ui-dialogs';
import { call } from '@shared/sagas/call';
import type { SagaGenerator } from 'typed-redux-saga';
import { turnOffMessages } from './turnOff.messages';

/** The Turn Off confirmation (specification §2, account settings). */
export function* confirmTurnOff(): SagaGenerator<boolean> {
  const { title, message, cancel, confirm } = turnOffMessages;
  return yield* call(askConfirm, {
    id: 'turn-off-mfa',
    title,
    message,
    confirmLabel: confirm,
    cancelLabel: cancel,
    tone: 'danger',
  });
}
