import { verificationLifeMs, verificationStarted } from '@features/auth';
import { factorActivated, selectSetup, setupMethodChosen, setupResumed } from '@features/mfa';
import { hasSetupToken, isSetupMode, sessionEnded, sessionStarted, setupStarted } from '@features/session';
import type { Deps } from '@shared/deps';
import { onRoute } from '@shared/routing/onRoute.saga';
import { paths } from '@shared/routing/paths';
import { call } from '@shared/sagas/call';
import { fork, put, race, select, take, takeEvery } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';

type SetUpDeps = Pick<Deps, 'clock' | 'config' | 'cookies' | 'navigation'>;

/**
 * Between choosing a method and setting it up stands the proof of identity (specification §4 MFA setup). Where the
 * token carries `isMfaSetup` it was given a moment ago, and only the 180 s begin (decisions §9, §15).
 */
export function* setUpMfa(deps: SetUpDeps): SagaGenerator<void> {
  yield* takeEvery(setupMethodChosen, beginSetup, deps);
  yield* takeEvery(verificationStarted, resumeWhenVerified);
  yield* fork(watchIdentityScreen, deps);
  yield* takeEvery(factorActivated, keepFromChoosingAgain, deps);
}

/** In setup mode nothing is left to choose once a second step is on: the way back leads to the way on. */
function* keepFromChoosingAgain(
  deps: SetUpDeps,
  { payload: { method } }: ReturnType<typeof factorActivated>,
): SagaGenerator<void> {
  if (!isSetupMode(deps)) return;
  yield* race({
    watching: call(onRoute<[]>, 'mfaOptions', function* () {
      yield* call(deps.navigation.replace, paths.mfaActivated(method));
    }),
    over: take([sessionStarted, setupStarted, sessionEnded]),
  });
}

function* watchIdentityScreen(deps: SetUpDeps): SagaGenerator<void> {
  yield* onRoute('askPassword', askForMethodFirst, deps);
}

/** After a reload nobody knows what identity is to be proved for (decisions §9). */
function* askForMethodFirst({ navigation }: SetUpDeps): SagaGenerator<void> {
  const isForSetup = navigation.current().pathname === paths.askPassword('enable');
  const { phase } = yield* select(selectSetup);
  if (isForSetup && phase === 'none') yield* call(navigation.replace, paths.mfaOptions());
}

function* beginSetup(deps: SetUpDeps): SagaGenerator<void> {
  if (hasSetupToken(deps)) {
    const expiresAt = deps.clock.now() + verificationLifeMs;
    yield* put(verificationStarted({ purpose: 'setup', expiresAt }));
  } else {
    yield* call(deps.navigation.push, paths.askPassword('enable'));
  }
}

function* resumeWhenVerified({
  payload: { purpose },
}: ReturnType<typeof verificationStarted>): SagaGenerator<void> {
  if (purpose === 'enable' || purpose === 'setup') yield* put(setupResumed());
}
