import type { Deps } from '@shared/deps';
import { fork } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { challengeSaga } from './challenge/enterChallenge.saga';
import { oauthReturnSaga } from './provider/oauthReturnRoute.saga';
import { oneTimeLinksSaga } from './one-time-link/oneTimeLinkRoutes.saga';
import { signInSaga } from './sign-in/signIn.saga';
import { watchVerificationPeriod } from './verify-identity/verificationPeriod.saga';
import { verifyIdentitySaga } from './verify-identity/verifyIdentityRoute.saga';

/** Root of the auth feature. */
export function* authSaga(deps: Deps): SagaGenerator<void> {
  yield* fork(signInSaga, deps);
  yield* fork(challengeSaga, deps);
  yield* fork(oauthReturnSaga, deps);
  yield* fork(oneTimeLinksSaga, deps);
  yield* fork(verifyIdentitySaga, deps);
  yield* fork(watchVerificationPeriod, deps);
}
