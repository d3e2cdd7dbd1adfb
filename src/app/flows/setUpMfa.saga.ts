import { verificationLifeMs, verificationStarted } from '@features/auth';
import { resumeSetup, setupMethodChosen } from '@features/mfa';
import { isSetupMode } from '@features/session';
import type { Deps } from '@shared/deps';
import { paths } from '@vestibule/contract/paths';
import { call } from '@shared/sagas/call.saga';
import { put, takeEvery } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';

type SetUpDeps = Pick<Deps, 'clock' | 'config' | 'cookies' | 'navigation' | 'vault'>;

/**
 * Between choosing a method and setting it up, identity is verified. In setup mode this was done at the sign-in, and only
 * the 180 s begin: docs/behaviour.md#setup-mode.
 */
export function* setUpMfa(deps: SetUpDeps): SagaGenerator<void> {
  yield* takeEvery(setupMethodChosen, beginSetup, deps);
  yield* takeEvery(verificationStarted, goOnWhenVerified, deps);
}

function* beginSetup(deps: SetUpDeps): SagaGenerator<void> {
  if (isSetupMode(deps)) {
    const expiresAt = deps.clock.now() + verificationLifeMs;
    yield* put(verificationStarted({ purpose: 'setup', expiresAt }));
  } else {
    yield* call(deps.navigation.push, paths.askPassword('enable'));
  }
}

function* goOnWhenVerified(
  deps: SetUpDeps,
  { payload: { purpose } }: ReturnType<typeof verificationStarted>,
): SagaGenerator<void> {
  if (purpose === 'enable' || purpose === 'setup') yield* call(resumeSetup, deps);
}
