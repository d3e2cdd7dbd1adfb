import { put, take } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { dialogAnswered, dialogOpened, type DialogState } from './dialogs.slice';

/**
 * Asks a question and waits for the answer: `if (yield* askConfirm(…))`. When the asking saga is cancelled because its screen
 * was left, the dialog closes.
 *
 * @returns whether the user confirmed
 */
export function* askConfirm(question: Omit<DialogState, 'kind'>): SagaGenerator<boolean> {
  return yield* ask({ ...question, kind: 'confirm' });
}

/** Shows a notice and waits until it is closed. */
export function* showAlert(notice: Omit<DialogState, 'kind' | 'cancelLabel' | 'tone'>): SagaGenerator<void> {
  yield* ask({ ...notice, kind: 'alert' });
}

function* ask(dialog: DialogState): SagaGenerator<boolean> {
  let answered = false;
  try {
    yield* put(dialogOpened(dialog));
    for (;;) {
      const { payload } = yield* take(dialogAnswered);
      if (payload.id !== dialog.id) continue;
      answered = true;
      return payload.confirmed;
    }
  } finally {
    if (!answered) yield* put(dialogAnswered({ id: dialog.id, confirmed: false }));
  }
}
