import type { TokenAnswer } from '@shared/api/api';
import { call } from '@shared/sagas/call.saga';
import { put } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { afterToken, type AfterTokenDeps, type SignInFacts } from './afterToken.saga';
import { completeSignIn } from './completeSignIn.saga';
import { signInFailed } from './signIn.slice';

/** Ends an attempt of `/login` as its token answer has it (specification §4, login flow 4 to 6). */
export function* concludeAttempt(
  deps: AfterTokenDeps,
  answer: TokenAnswer,
  facts: SignInFacts,
): SagaGenerator<void> {
  const outcome = yield* call(afterToken, deps, answer, facts);
  if (outcome.kind === 'failed') yield* put(signInFailed(outcome.message));
  if (outcome.kind === 'signedIn') yield* call(completeSignIn, deps, outcome.claims);
}
