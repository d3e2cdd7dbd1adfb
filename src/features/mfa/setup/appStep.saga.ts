import { attempt } from '@shared/sagas/attempt.saga';
import { paths } from '@shared/routing/paths';
import { call } from '@shared/sagas/call.saga';
import { put, take, takeLatest, takeLeading } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { describeSetupError } from '../mfa.errors';
import type { SetupDeps } from './setupDeps';
import {
  enrolmentFailed,
  enrolmentReceived,
  enrolmentRequested,
  keyCopyEnded,
  keyCopyRequested,
} from './setup.slice';
import { readProof } from './setupProof';
import { showSetupError } from './showSetupError.saga';

/**
 * Step 1 of the authenticator app: fetches key and QR address into the vault. Whoever comes back to it finds the same
 * ones, which their app may hold already.
 */
export function* appStep(deps: SetupDeps): SagaGenerator<void> {
  yield* takeLatest(enrolmentFailed, showSetupError);
  yield* takeLeading(keyCopyRequested, copyKey, deps);
  if (deps.vault.get('enrolment')) yield* put(enrolmentReceived());
  else yield* call(enrol, deps);
  for (;;) {
    yield* take(enrolmentRequested);
    yield* call(enrol, deps);
  }
}

function* enrol(deps: SetupDeps): SagaGenerator<void> {
  const proof = readProof(deps);
  if (!proof) {
    yield* call(deps.navigation.replace, paths.mfaOptions());
    return;
  }
  const answer = yield* attempt(deps.api.mfa.addAuthenticator, proof.bearer, proof.token);
  if (answer.ok) {
    yield* call(deps.vault.put<'enrolment'>, 'enrolment', answer.value);
    yield* put(enrolmentReceived());
  } else {
    yield* put(enrolmentFailed(describeSetupError(answer.error)));
  }
}

function* copyKey({ clipboard, vault }: SetupDeps): SagaGenerator<void> {
  const enrolment = vault.get('enrolment');
  // Pressed in a state of the past, whose key is gone.
  if (!enrolment) return;
  const copied = yield* call(clipboard.copy, enrolment.code);
  yield* put(keyCopyEnded(copied ? 'copied' : 'refused'));
}
