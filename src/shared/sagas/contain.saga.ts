import type { SagaGenerator } from 'typed-redux-saga';
import type { Deps } from '../deps';
import { call } from './call.saga';

/**
 * Runs a saga whose crash must not end its caller. A crash is logged and reported under this name.
 *
 * @returns the error; `null` if the saga has ended
 */
export function* contain(
  { log, report }: Deps,
  name: string,
  work: () => SagaGenerator<void>,
): SagaGenerator<unknown> {
  try {
    yield* call(work);
    return null;
  } catch (error) {
    yield* call(log.error, `saga crashed: ${name}`, error);
    yield* call(report, name, error);
    return error;
  }
}
