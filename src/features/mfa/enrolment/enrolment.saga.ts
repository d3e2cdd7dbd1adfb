import { showAlert } from '@features/ui-dialogs';
import { isAnyOf, type Action } from '@reduxjs/toolkit';
import { componentIn, createChunk } from '@shared/chunk';
import type { Deps, ScreenModule, Visit } from '@shared/deps';
import { call } from '@shared/sagas/call.saga';
import { put, select, takeLatest } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { mfaMessages } from '../mfa.messages';
import { enrolApp } from './enrolApp.saga';
import { EnrolmentCodeScreen } from './EnrolmentCode.container';
import { verifyEnrolmentCode } from './verifyEnrolmentCode.saga';
import { enrolPhone } from './phone/enrolPhone.saga';
import {
  keyFailed,
  phoneFailed,
  selectEnrolment,
  enrolmentCodeFailed,
  enrolmentStepEntered,
  type EnrolmentStep,
} from './enrolment.slice';
import { decideStep } from './enrolmentPaths';
import { readProof } from './requireProof.saga';

const stepSagas: Readonly<Record<EnrolmentStep, (deps: Deps) => SagaGenerator<void>>> = {
  phone: enrolPhone,
  app: enrolApp,
  code: verifyEnrolmentCode,
};

/** Runs the screen of a step. A step that cannot be entered redirects to one that can. */
function* enrolment(deps: Deps, step: EnrolmentStep, { params }: Visit): SagaGenerator<void> {
  const state = yield* select(selectEnrolment);
  const decision = decideStep(step, params['uid'], state, readProof(deps)?.uid ?? null);
  if (decision.kind === 'redirect') {
    yield* call(deps.navigation.replace, decision.to);
    return;
  }
  yield* put(enrolmentStepEntered(step));
  yield* takeLatest(isFailure, showFailure);
  yield* call(stepSagas[step], deps);
}

const isFailure = isAnyOf(phoneFailed, keyFailed, enrolmentCodeFailed);

/**
 * Shows the dialog of a failure. The step does not wait for it, because a password manager may fill in the next code
 * meanwhile.
 */
function* showFailure(action: Action): SagaGenerator<void> {
  if (isFailure(action)) yield* call(showAlert, { ...mfaMessages.enrolmentError, ...action.payload });
}

// The views of the first two screens have chunks of their own, because of the data of phone numbers and the QR code.
export const phoneScreen: ScreenModule = {
  Screen: componentIn(
    createChunk(() => import('./phone/PhoneEnrolment.container')),
    ({ PhoneEnrolmentScreen }) => PhoneEnrolmentScreen,
  ),
  saga: (deps, visit) => enrolment(deps, 'phone', visit),
};
export const appScreen: ScreenModule = {
  Screen: componentIn(
    createChunk(() => import('./AppEnrolment.container')),
    ({ AppEnrolmentScreen }) => AppEnrolmentScreen,
  ),
  saga: (deps, visit) => enrolment(deps, 'app', visit),
};
export const codeScreen: ScreenModule = {
  Screen: EnrolmentCodeScreen,
  saga: (deps, visit) => enrolment(deps, 'code', visit),
};
