import type { LoginMethod } from '@shared/api/api';
import type { Deps } from '@shared/deps';
import { attempt } from '@shared/sagas/attempt.saga';
import { call } from '@shared/sagas/call';
import { all, put } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { authMessages } from '../auth.messages';
import { loadSecondStep } from './loadSecondStep';
import { methodsUnavailable } from './signIn.slice';

/**
 * Fetches what the username may use, with the screen that shows it.
 *
 * @returns the methods; `null`: the call failed or returned nothing, and that was told
 */
export function* loadMethods(
  { api }: Pick<Deps, 'api'>,
  username: string,
): SagaGenerator<readonly LoginMethod[] | null> {
  const { answer, screen } = yield* all({
    answer: attempt(api.auth.methods, username),
    screen: call(isSecondStepThere),
  });
  if (answer.ok && answer.value.length > 0 && screen) return answer.value;
  const { noMethods, fallback } = authMessages.errors;
  // Methods without a screen to show them are a fault of ours, not of the account.
  yield* put(methodsUnavailable(answer.ok && answer.value.length > 0 ? fallback : noMethods));
  return null;
}

async function isSecondStepThere(): Promise<boolean> {
  try {
    await loadSecondStep();
    return true;
  } catch {
    return false;
  }
}
