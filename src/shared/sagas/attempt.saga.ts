import { call } from '@shared/sagas/call';
import type { SagaGenerator } from 'typed-redux-saga';
import { ApiError } from '../api/apiError';

/** What became of a call. */
export type Attempt<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: ApiError };

/**
 * Makes one call and answers with its value or its typed error. Cancellation passes through. Anything that is not an
 * `ApiError` is a fault of ours and goes up to the supervisor.
 */
export function* attempt<Args extends unknown[], T>(
  makeCall: (...args: Args) => Promise<T>,
  ...args: Args
): SagaGenerator<Attempt<T>> {
  try {
    const value = yield* call(async () => await makeCall(...args));
    return { ok: true, value };
  } catch (error) {
    if (error instanceof ApiError) return { ok: false, error };
    throw error;
  }
}
