import { showAlert } from '@features/ui-dialogs';
import { attempt } from '@shared/sagas/attempt.saga';
import { paths } from '@shared/routing/paths';
import { call } from '@shared/sagas/call.saga';
import { waitUntil } from '@shared/sagas/waitUntil.saga';
import { all, put, select, take, takeLatest } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { describeSetupError, isProofSpent, isWrongCode } from '../mfa.errors';
import { mfaMessages } from '../mfa.messages';
import { selectSetup } from './setup.selectors';
import type { SetupDeps } from './setupDeps';
import {
  factorActivated,
  setupCodeCleared,
  setupCodeFailed,
  setupCodeRejected,
  setupCodeSubmitted,
  type SetupMethod,
} from './setup.slice';
import { readProof } from './setupProof';
import { showSetupError } from './showSetupError.saga';

/** How long the boxes stay red after a wrong code, ms (specification §9). */
const redMs = 1500;

/** What the service calls the methods in `mfaRegistering` (specification §7). */
const registering = { sms: 'authy', qrcode: 'mfa' } as const;

/** Step 2: has the code verified, one call at a time. */
export function* codeStep(deps: SetupDeps): SagaGenerator<void> {
  yield* takeLatest(setupCodeFailed, showSetupError);
  for (;;) {
    const { meta } = yield* take(setupCodeSubmitted);
    const state = yield* select(selectSetup);
    if (state.phase === 'verifying') yield* call(verify, deps, state.method, meta.secret);
  }
}

function* verify(deps: SetupDeps, method: SetupMethod, mfaCode: string): SagaGenerator<void> {
  const proof = readProof(deps);
  if (!proof) {
    yield* call(deps.navigation.replace, paths.mfaOptions());
    return;
  }
  const answer = yield* attempt(deps.api.mfa.validateSetup, proof.bearer, {
    mfaCode,
    mfaRegistering: registering[method],
    ...proof.token,
  });
  if (answer.ok) {
    yield* put(factorActivated({ method }));
    // A finished step is not to be returned to.
    yield* call(deps.navigation.replace, paths.mfaActivated(method));
  } else if (isWrongCode(answer.error)) {
    yield* put(setupCodeRejected());
    yield* call(tellWrongCode, deps);
  } else if (isProofSpent(answer.error)) {
    // Perhaps by this very code, whose answer was lost, or by another tab: the settings know what is on.
    yield* call(showSetupError, { payload: describeSetupError(answer.error) });
    yield* call(deps.navigation.replace, paths.accountSettings());
  } else {
    // The set-up is over on the other side: the way back asks for a new key.
    if (answer.error.details.status === 400) yield* call(deps.vault.drop, 'enrolment');
    yield* put(setupCodeFailed(describeSetupError(answer.error)));
  }
}

/** Red for its time, whatever becomes of the dialog; the next code is heard when both are over. */
function* tellWrongCode(deps: SetupDeps): SagaGenerator<void> {
  const { title, message, ok } = mfaMessages.code.wrongCode;
  yield* all([
    call(emptyInTime, deps),
    call(showAlert, { id: 'wrong-setup-code', title, message, confirmLabel: ok }),
  ]);
  // Once more: the open dialog held the focus, which belongs in the first box now.
  yield* put(setupCodeCleared());
}

function* emptyInTime({ clock }: SetupDeps): SagaGenerator<void> {
  yield* call(waitUntil, clock, clock.now() + redMs);
  yield* put(setupCodeCleared());
}
