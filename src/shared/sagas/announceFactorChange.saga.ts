import { put } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import type { Deps } from '../deps';
import { call } from './call.saga';

/**
 * Tells the features that the second step was set up, changed or turned off, or another factor was added or removed.
 *
 * @param route - the screen that shows the change
 */
export function* announceFactorChange({ features }: Deps, route: string): SagaGenerator<void> {
  for (const { afterFactorChange } of features) {
    const event = afterFactorChange && (yield* call(afterFactorChange, route));
    if (event) yield* put(event);
  }
}
