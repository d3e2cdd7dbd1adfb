import { call } from '@shared/sagas/call';
import { put } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { authMessages } from '../auth.messages';
import { showLoginError } from '../sign-in/showLoginError.saga';
import { signInFailed, type providerChosen } from '../sign-in/signIn.slice';

/** The provider's window cannot be opened yet: the error of specification §8. */
export function* showProviderUnavailable({
  payload: method,
}: ReturnType<typeof providerChosen>): SagaGenerator<void> {
  yield* put(signInFailed());
  yield* call(showLoginError, authMessages.errors.providerFailed[method]);
}
