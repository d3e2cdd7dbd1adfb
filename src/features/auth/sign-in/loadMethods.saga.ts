import type { LoginMethod } from '@shared/api/api';
import { isChunkLoadError } from '@shared/api/apiError';
import type { Deps } from '@shared/deps';
import { attempt } from '@shared/sagas/attempt.saga';
import { call } from '@shared/sagas/call.saga';
import { all, put } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { authMessages } from '../auth.messages';
import { loadSecondStep } from './loadSecondStep';
import { methodsUnavailable } from './signIn.slice';

/**
 * Fetches what the username may use, with the screen that shows it.
 *
 * @returns the methods; `null`: the call failed or returned nothing, and that was told
 * @throws whatever says that the host no longer has the screen: the supervisor has the page loaded anew
 */
export function* loadMethods(
  { api, pageLife }: Pick<Deps, 'api' | 'pageLife'>,
  username: string,
): SagaGenerator<readonly LoginMethod[] | null> {
  const { answer, screen } = yield* all({
    answer: attempt(api.auth.methods, username),
    screen: call(isSecondStepThere, pageLife),
  });
  if (answer.ok && answer.value.length > 0 && screen) return answer.value;
  const { noMethods, fallback } = authMessages.errors;
  // Methods without a screen to show them are a fault of ours, not of the account.
  yield* put(methodsUnavailable(answer.ok && answer.value.length > 0 ? fallback : noMethods));
  return null;
}

async function isSecondStepThere({ isOnline }: Deps['pageLife']): Promise<boolean> {
  try {
    await loadSecondStep();
    return true;
  } catch (error) {
    if (isOnline() && isChunkLoadError(error)) throw error;
    return false;
  }
}
