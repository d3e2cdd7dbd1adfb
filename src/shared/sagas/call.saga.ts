import { call as callEffect, type SagaReturnType } from 'redux-saga/effects';
import type { SagaGenerator } from 'typed-redux-saga';

/**
 * `typed-redux-saga`'s `call`, with the arguments' types taken from the function alone. The library infers them from
 * the arguments, so that a literal ('expired') widens to `string` and no longer fits the function.
 */
export function* call<Args extends unknown[], Result>(
  fn: (...args: Args) => Result,
  ...args: NoInfer<Args>
): SagaGenerator<SagaReturnType<typeof fn>> {
  // The middleware resolves `Result`: a promise to its value, a generator to its return value.
  return (yield callEffect(fn, ...args)) as SagaReturnType<typeof fn>;
}
