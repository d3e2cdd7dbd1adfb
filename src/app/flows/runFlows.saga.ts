import { watchVerificationPeriod } from '@features/auth';
import { mfaSaga } from '@features/mfa';
import { watchProfile } from '@features/session';
import type { Deps } from '@shared/deps';
import { call } from '@shared/sagas/call.saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { supervise } from '../crash/supervise.saga';
import { changePassword } from './changePassword.saga';
import { setUpMfa } from './setUpMfa.saga';
import { turnOffMfa } from './turnOffMfa.saga';

/**
 * The work that spans the screens of a signed-in user, each part under supervision. Starts with the first of these screens
 * and runs as long as the page.
 */
export function* runFlows(deps: Deps): SagaGenerator<void> {
  yield* call(supervise, deps, 'profile', () => watchProfile(deps));
  yield* call(supervise, deps, 'verificationPeriod', () => watchVerificationPeriod(deps));
  yield* call(supervise, deps, 'mfa', () => mfaSaga(deps));
  yield* call(supervise, deps, 'setUpMfa', () => setUpMfa(deps));
  yield* call(supervise, deps, 'turnOffMfa', () => turnOffMfa(deps));
  yield* call(supervise, deps, 'changePassword', () => changePassword(deps));
}
