import { showAlert, showWrongCode } from '@features/ui-dialogs';
import type { TwoStepMethod } from '@shared/api/decoders';
import type { Deps } from '@shared/deps';
import { paths } from '@vestibule/contract/paths';
import { callApi } from '@shared/sagas/callApi.saga';
import { call } from '@shared/sagas/call.saga';
import { fillTextedCodes } from '@shared/sagas/fillTextedCodes.saga';
import { fork, put, select, take } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { describeEnrolmentError, isProofSpent, isWrongCode } from '../mfa.errors';
import { mfaMessages } from '../mfa.messages';
import {
  factorActivated,
  selectEnrolment,
  enrolmentCodeCleared,
  enrolmentCodeFailed,
  enrolmentCodeRejected,
  enrolmentCodeSubmitted,
} from './enrolment.slice';
import { requireProof } from './requireProof.saga';

/** Step 2: verifies the code, by one call at a time. */
export function* verifyEnrolmentCode(deps: Deps): SagaGenerator<void> {
  const entered = yield* select(selectEnrolment);
  if (entered.phase === 'code' && entered.method === 'text') yield* fork(fillTextedCodes, deps);
  for (;;) {
    const { meta } = yield* take(enrolmentCodeSubmitted);
    const state = yield* select(selectEnrolment);
    if (state.phase === 'verifying') yield* call(verify, deps, state.method, meta.secret);
  }
}

function* verify(deps: Deps, method: TwoStepMethod, mfaCode: string): SagaGenerator<void> {
  const proof = yield* call(requireProof, deps);
  if (!proof) return;
  const result = yield* callApi(deps.api.mfa.validateSetup, proof.bearer, {
    mfaCode,
    method,
    ...proof.token,
  });
  if (result.ok) {
    yield* put(factorActivated({ method }));
    // Back must not return to a finished step.
    yield* call(deps.navigation.replace, paths.mfaActivated(method));
    return;
  }
  const { error } = result;
  if (isWrongCode(error)) {
    yield* put(enrolmentCodeRejected());
    yield* call(showWrongCode, deps.clock, enrolmentCodeCleared);
    return;
  }
  const failure = describeEnrolmentError(error);
  if (isProofSpent(error)) {
    // The proof may have been used by this code, whose response was lost, or by another tab. The settings show which method
    // is on.
    yield* call(showAlert, { ...mfaMessages.enrolmentError, ...failure });
    yield* call(deps.navigation.replace, paths.accountSettings());
    return;
  }
  // The service has ended the enrolment, so going back requests a new key.
  if (error.details.status === 400) yield* call(deps.vault.drop, 'authenticatorKey');
  yield* put(enrolmentCodeFailed(failure));
}
