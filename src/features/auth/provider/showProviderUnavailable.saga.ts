import { put, select } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { authMessages } from '../auth.messages';
import { selectSignIn } from '../sign-in/signIn.selectors';
import { signInFailed, type providerChosen } from '../sign-in/signIn.slice';

/** The provider's window cannot be opened yet: the error of specification §8. */
export function* showProviderUnavailable({
  payload: method,
}: ReturnType<typeof providerChosen>): SagaGenerator<void> {
  const state = yield* select(selectSignIn);
  if (state.phase !== 'submitting' || state.method !== method) return;
  yield* put(signInFailed(authMessages.errors.providerFailed[method]));
}
