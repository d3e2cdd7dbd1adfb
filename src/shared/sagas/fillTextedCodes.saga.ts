import type { Ports } from '@shared/ports/ports';
import type { SagaGenerator } from 'typed-redux-saga';
import { call } from './call.saga';

/** Has the browser fill in the code of each text message, until the screen is left. See docs/behaviour.md#code-boxes. */
export function* fillTextedCodes({ fillTextedCode }: Pick<Ports, 'fillTextedCode'>): SagaGenerator<void> {
  const leaving = new AbortController();
  try {
    while (yield* call(fillTextedCode, leaving.signal));
  } catch {
    // If the chunk is missing, the user types the code.
  } finally {
    leaving.abort();
  }
}
