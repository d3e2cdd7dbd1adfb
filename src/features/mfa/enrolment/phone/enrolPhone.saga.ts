import type { Deps } from '@shared/deps';
import { paths } from '@vestibule/contract/paths';
import { callApi } from '@shared/sagas/callApi.saga';
import { call } from '@shared/sagas/call.saga';
import { put, take } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { describeEnrolmentError } from '../../mfa.errors';
import { codeSent, phoneFailed, phoneSubmitted } from '../enrolment.slice';
import { requireProof } from '../requireProof.saga';

/** Step 1 of text messages: sends the number, one call at a time, and goes on to the code. */
export function* enrolPhone(deps: Deps): SagaGenerator<void> {
  for (;;) {
    const { payload } = yield* take(phoneSubmitted);
    const proof = yield* call(requireProof, deps);
    if (!proof) return;
    const result = yield* callApi(deps.api.mfa.addPhone, proof.bearer, { ...payload.number, ...proof.token });
    if (result.ok) {
      yield* put(codeSent(result.value));
      yield* call(deps.navigation.push, paths.enrolmentCode(proof.uid));
    } else {
      yield* put(phoneFailed(describeEnrolmentError(result.error)));
    }
  }
}
