import type { Action } from '@reduxjs/toolkit';
import type { Clock } from '@shared/ports/ports';
import { call } from '@shared/sagas/call.saga';
import { waitUntil } from '@shared/sagas/waitUntil.saga';
import { fork, put } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { showAlert } from './askConfirm.saga';
import { wrongCodeMessages } from './wrongCode.messages';

/** How long the code boxes stay red after a wrong code, ms. */
const redForMs = 1500;

/**
 * Shows the dialog of a wrong code together with its red boxes, and has the boxes emptied when their time is over, whether the
 * dialog is closed by then or not. Returns when both are over. See docs/behaviour.md#code-boxes.
 *
 * @param cleared - empties the boxes and focuses the first
 * @param trouble - why the code could not be checked; `{}` for a wrong one
 */
export function* showWrongCode(
  clock: Clock,
  cleared: () => Action,
  trouble: Pick<Parameters<typeof showAlert>[0], 'trouble'> = {},
): SagaGenerator<void> {
  const red = yield* fork(clearInTime, clock, cleared);
  yield* call(showAlert, { ...wrongCodeMessages, ...trouble });
  // The boxes could not take the focus while the dialog was open. They take it now.
  if (!red.isRunning()) yield* put(cleared());
}

function* clearInTime(clock: Clock, cleared: () => Action): SagaGenerator<void> {
  yield* call(waitUntil, clock, clock.now() + redForMs);
  yield* put(cleared());
}
