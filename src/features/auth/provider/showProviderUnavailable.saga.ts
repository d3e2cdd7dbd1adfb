import { put } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { authMessages } from '../auth.messages';
import { signInFailed } from '../sign-in/signIn.slice';

/** The provider's window cannot be opened yet: the error of specification §8. */
export function* showProviderUnavailable(provider: 'google' | 'microsoft'): SagaGenerator<void> {
  yield* put(signInFailed(authMessages.errors.providerFailed[provider]));
}
