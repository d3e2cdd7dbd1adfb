import type { Deps } from '@shared/deps';
import { callApi } from '@shared/sagas/callApi.saga';
import { call } from '@shared/sagas/call.saga';
import { put, take, takeLeading } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { describeEnrolmentError } from '../mfa.errors';
import { keyFailed, keyReceived, keyRequested, keyCopyEnded, keyCopyRequested } from './enrolment.slice';
import { requireProof } from './requireProof.saga';

/**
 * Step 1 of the authenticator app: loads the key and the QR address into the vault. A return to this step shows the same key,
 * because the app may have it already.
 */
export function* enrolApp(deps: Deps): SagaGenerator<void> {
  yield* takeLeading(keyCopyRequested, copyKey, deps);
  if (deps.vault.get('authenticatorKey')) yield* put(keyReceived());
  else yield* call(enrol, deps);
  for (;;) {
    yield* take(keyRequested);
    yield* call(enrol, deps);
  }
}

function* enrol(deps: Deps): SagaGenerator<void> {
  const proof = yield* call(requireProof, deps);
  if (!proof) return;
  const result = yield* callApi(deps.api.mfa.addAuthenticator, proof.bearer, proof.token);
  if (result.ok) {
    yield* call(deps.vault.put<'authenticatorKey'>, 'authenticatorKey', result.value);
    yield* put(keyReceived());
  } else {
    yield* put(keyFailed(describeEnrolmentError(result.error)));
  }
}

function* copyKey({ clipboard, vault }: Deps): SagaGenerator<void> {
  const enrolment = vault.get('authenticatorKey');
  // The vault has no key if DevTools shows a past state.
  if (!enrolment) return;
  const copied = yield* call(clipboard.copy, enrolment.code);
  yield* put(keyCopyEnded(copied ? 'copied' : 'refused'));
}
