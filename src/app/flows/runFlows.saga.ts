import {
  verificationHeld,
  verificationLifeMs,
  verificationReleased,
  verificationStarted,
  verificationUsed,
  watchVerificationPeriod,
  type VerificationPurpose,
} from '@features/auth';
import { mfaSaga, resumeEnrolment, enrolmentMethodChosen, factorActivated } from '@features/mfa';
import { newPasswordRefused, newPasswordSaved, newPasswordSubmitted } from '@features/password';
import { isSetupMode, sessionEnded, watchProfile } from '@features/session';
import { createOptionalChunk, type Chunk } from '@shared/chunk';
import type { Deps } from '@shared/deps';
import { call } from '@shared/sagas/call.saga';
import { paths } from '@vestibule/contract/paths';
import { put, race, take, takeEvery } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { sections, type SettingsSection } from '../account-settings/sections';
import { supervise } from '../crash/supervise.saga';
import { injectReducers } from '../rootReducer';
import { announceFactorChange } from './announceFactorChange.saga';
import { flowsStarted } from './flows.slice';
import { screenReducers } from './screenReducers';
import { turnOffMfa, watchTurnOff } from './turnOffMfa.saga';
import { watchReturn } from './watchReturn.saga';

/**
 * Adds the state of the screens behind `/login`, and starts the sagas that span them, each part under supervision. It starts
 * with the first of these screens and runs as long as the page.
 */
export function* runFlows(deps: Deps): SagaGenerator<void> {
  injectReducers(screenReducers);
  yield* put(flowsStarted());
  yield* call(supervise, deps, 'return', () => watchReturn(deps));
  yield* call(supervise, deps, 'profile', () => watchProfile(deps));
  yield* call(supervise, deps, 'verificationPeriod', () => watchVerificationPeriod(deps));
  yield* call(supervise, deps, 'mfa', () => mfaSaga(deps));
  yield* call(supervise, deps, 'turnOff', () => watchTurnOff(deps));
  yield* call(supervise, deps, 'proof', () => watchProof(deps));
  if (deps.config.extensions.includes('recovery-codes'))
    yield* call(supervise, deps, 'recoveryCodes', function* () {
      const { watchRecoveryCodes } = yield* call(recoveryChunk.load);
      if (watchRecoveryCodes) yield* call(watchRecoveryCodes, deps);
    });
  for (const [extension, { load }] of Object.entries<Chunk<Partial<SettingsSection>>>(sections))
    if (deps.config.extensions.includes(extension))
      yield* call(supervise, deps, extension, function* () {
        const { reducer, saga } = yield* call(load);
        if (reducer) injectReducers({ [extension]: reducer });
        if (saga) yield* call(saga, deps);
      });
}

const recoveryChunk = createOptionalChunk(
  () => import(/* webpackChunkName: "recovery-codes" */ './recoveryCodes.saga'),
);

function* applyChange(deps: Deps): SagaGenerator<void> {
  const { applyPasskeyChange } = yield* call(sections.passkeys.load);
  if (!applyPasskeyChange || !(yield* call(applyPasskeyChange, deps))) return;
  yield* call(announceFactorChange, deps, 'accountSettings');
}

/** What follows a proof of identity. */
const afterProof: Readonly<Record<VerificationPurpose, (deps: Deps) => SagaGenerator<void>>> = {
  enable: resumeEnrolment,
  setup: resumeEnrolment,
  disable: turnOffMfa,
  *recoveryCodes(deps) {
    const { makeRecoveryCodes } = yield* call(recoveryChunk.load);
    if (makeRecoveryCodes) yield* call(makeRecoveryCodes, deps);
  },
  addPasskey: applyChange,
  removePasskey: applyChange,
  *changePassword({ navigation }) {
    yield* call(navigation.replace, paths.changePassword());
  },
};

function* watchProof(deps: Deps): SagaGenerator<void> {
  yield* takeEvery(enrolmentMethodChosen, askForProof, deps);
  yield* takeEvery(factorActivated, () => announceFactorChange(deps, 'mfaActivated'));
  yield* takeEvery(verificationStarted, function* ({ payload: { purpose } }) {
    // Without the session these flows do and show nothing.
    yield* race({ done: call(afterProof[purpose], deps), over: take(sessionEnded) });
  });
  // The proof is held while a new password is being saved, and ends with it: what follows is `/login`, not the settings.
  yield* takeEvery(newPasswordSubmitted, () => put(verificationHeld()));
  yield* takeEvery(newPasswordRefused, () => put(verificationReleased()));
  yield* takeEvery(newPasswordSaved, () => put(verificationUsed()));
}

/** In setup mode the sign-in was the proof, and only its 180 s begin: docs/behaviour.md#setup-mode. */
function* askForProof(deps: Deps): SagaGenerator<void> {
  if (isSetupMode(deps)) {
    const expiresAt = deps.clock.now() + verificationLifeMs;
    yield* put(verificationStarted({ purpose: 'setup', expiresAt }));
  } else {
    yield* call(deps.navigation.push, paths.askPassword('enable'));
  }
}
