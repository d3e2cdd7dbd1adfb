import { createAction } from '@reduxjs/toolkit';
import { put, type SagaGenerator } from 'typed-redux-saga';
import { ApiError, isChunkLoadError } from '../api/apiError';
import { call } from './call.saga';

/**
 * A call was refused because of its bearer: the session may be over, or only its token. `sessionEnd`: the service announced that a
 * session ended, or refused its stream; a refresh then checks it even if its token is young.
 */
export const bearerRefused = createAction<'sessionEnd' | undefined>('session/bearerRefused');

/** A call was refused after too many failed attempts. Payload: the service's message (docs/behaviour.md#lockout). */
export const lockedOut = createAction<{ readonly message: string }>('session/lockedOut');

/** A message of the service with this text, or this code, means a lockout. */
const lockoutMark = 'Too many failed login attempts';
const lockoutCode = 'too_many_failed_attempts';

/** The result of a call. */
export type ApiResult<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: ApiError };

/**
 * Makes one call and returns its value or its typed error. Cancellation passes through. Any other error is a fault of the
 * application and goes to the supervisor, and so does a chunk that the host no longer has.
 */
export function* callApi<Args extends unknown[], T>(
  makeCall: (...args: Args) => Promise<T>,
  ...args: Args
): SagaGenerator<ApiResult<T>> {
  try {
    const value = yield* call(async () => await makeCall(...args));
    return { ok: true, value };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (isChunkLoadError(error.cause)) throw error.cause;
    const { serverCode, serverMessage } = error.details;
    // This is the code of the contract for a refused bearer. Other 401s are about a code or a password.
    if (serverCode === 'unauthorized') yield* put(bearerRefused());
    // A translated message does not contain the text.
    if (serverMessage && (serverCode === lockoutCode || serverMessage.includes(lockoutMark))) {
      yield* put(lockedOut({ message: serverMessage }));
      // If this ends the session or screen of the caller, the caller is cancelled and shows nothing.
      yield* call(() => Promise.resolve());
    }
    return { ok: false, error };
  }
}
