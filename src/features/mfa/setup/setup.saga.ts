import { showAlert } from '@features/ui-dialogs';
import { isAnyOf, type Action } from '@reduxjs/toolkit';
import type { Deps } from '@shared/deps';
import type { Visit } from '@shared/routing/room';
import { call } from '@shared/sagas/call.saga';
import { put, select, takeLatest } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { mfaMessages } from '../mfa.messages';
import { setUpApp } from './app/setUpApp.saga';
import { verifySetupCode } from './code/verifySetupCode.saga';
import { setUpPhone } from './phone/setUpPhone.saga';
import {
  enrolmentFailed,
  phoneFailed,
  selectSetup,
  setupCodeFailed,
  setupStepEntered,
  type SetupStep,
} from './setup.slice';
import { decideStep } from './setupPaths';
import { readProof } from './requireProof.saga';

const workOf: Readonly<Record<SetupStep, (deps: Deps) => SagaGenerator<void>>> = {
  phone: setUpPhone,
  app: setUpApp,
  code: verifySetupCode,
};

/** The work of a step's screen; a step that cannot be entered redirects to the one that can. */
export function* setup(deps: Deps, step: SetupStep, { params }: Visit): SagaGenerator<void> {
  const state = yield* select(selectSetup);
  const decision = decideStep(step, params['uid'], state, readProof(deps)?.uid ?? null);
  if (decision.kind === 'redirect') {
    yield* call(deps.navigation.replace, decision.to);
    return;
  }
  yield* put(setupStepEntered(step));
  yield* takeLatest(isFailure, showFailure);
  yield* call(workOf[step], deps);
}

const isFailure = isAnyOf(phoneFailed, enrolmentFailed, setupCodeFailed);

/** Runs beside the step, which goes on: a password manager may fill in the next code while the dialog is open. */
function* showFailure(action: Action): SagaGenerator<void> {
  if (isFailure(action)) yield* call(showAlert, { ...mfaMessages.setupError, ...action.payload });
}
