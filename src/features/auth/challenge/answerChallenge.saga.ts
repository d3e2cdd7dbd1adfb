import type { Deps } from '@shared/deps';
import { call } from '@shared/sagas/call.saga';
import { withChannel } from '@shared/sagas/withChannel.saga';
import { put, take, takeLeading } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { challengeOpened, codeSubmitted, newCodeRequested, type Challenge } from './challenge.slice';
import { returnToLogin, type ChallengeDeps } from './challengeCall.saga';
import { resendCode } from './resendCode.saga';
import { submitCode } from './submitCode.saga';

/** Everything that `/two-auth` starts (specification §4, MFA code screen); cancelled when the screen is left. */
export function* answerChallenge(
  deps: ChallengeDeps & Pick<Deps, 'pageLife'>,
  challenge: Challenge,
): SagaGenerator<void> {
  yield* takeLeading(codeSubmitted, submitCode, deps, challenge);
  yield* takeLeading(newCodeRequested, resendCode, deps, challenge);
  yield* withChannel(deps.pageLife.subscribe, function* (events) {
    yield* put(challengeOpened());
    while ((yield* take(events)) !== 'restored');
  });
  // Back from elsewhere, the page looks as it was left, but its secrets went with it.
  yield* call(returnToLogin, deps);
}
