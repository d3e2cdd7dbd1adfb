import {
  authMessages,
  describeVerifyError,
  identityRefused,
  verificationHeld,
  verificationLifeMs,
  verificationReleased,
  verificationStarted,
  verificationUsed,
} from '@features/auth';
import { enrolmentMethodChosen, factorActivated } from '@features/mfa';
import { newPasswordRefused, newPasswordSaved, newPasswordSubmitted } from '@features/password';
import { isSetupMode, sessionEnded } from '@features/session';
import { showAlert } from '@features/ui-dialogs';
import type { Deps, Feature } from '@shared/deps';
import { announceFactorChange } from '@shared/sagas/announceFactorChange.saga';
import { call } from '@shared/sagas/call.saga';
import { paths } from '@vestibule/contract/paths';
import { put, race, take, takeEvery } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { supervise } from '../crash/supervise.saga';
import { core } from '../features';
import { injectLate } from '../rootReducer';
import { flowsStarted } from './flows.slice';
import { purposeOf } from './purposeOf';
import { watchTurnOff } from './turnOffMfa.saga';
import { watchReturn } from './watchReturn.saga';

/**
 * Adds the state of the screens behind `/login`, and starts the sagas that span them, each part under supervision. It starts
 * with the first of these screens and runs as long as the page.
 */
export function* runFlows(deps: Deps): SagaGenerator<void> {
  // Loaded with this file. Their work starts in the turn of the first screen's, which needs it.
  const parts = yield* call(() => Promise.all(core.map(injectLate)));
  yield* put(flowsStarted());
  yield* call(supervise, deps, 'return', () => watchReturn(deps));
  for (const [index, { saga }] of parts.entries())
    if (saga) yield* call(supervise, deps, core[index]?.name ?? '', () => saga(deps));
  yield* call(supervise, deps, 'turnOff', () => watchTurnOff(deps));
  yield* call(supervise, deps, 'proof', () => watchProof(deps));
  for (const feature of deps.features)
    if (feature.late && !core.includes(feature))
      yield* call(supervise, deps, feature.name, () => startLate(deps, feature));
}

/** The state of a feature exists before its work starts. */
function* startLate(deps: Deps, feature: Feature): SagaGenerator<void> {
  const { saga } = yield* call(injectLate, feature);
  if (saga) yield* call(saga, deps);
}

function* watchProof(deps: Deps): SagaGenerator<void> {
  yield* takeEvery(enrolmentMethodChosen, askForProof, deps);
  yield* takeEvery(factorActivated, () => announceFactorChange(deps, 'mfaActivated'));
  yield* takeEvery(verificationStarted, function* ({ payload: { purpose } }) {
    // Without the session these flows do and show nothing.
    yield* race({ done: call(carryOut, deps, purpose), over: take(sessionEnded) });
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

/** Carries out what identity was verified for. A refusal is shown even if the user has left the screen meanwhile. */
function* carryOut(deps: Deps, name: string): SagaGenerator<void> {
  const purpose = yield* call(purposeOf, deps, name);
  const error = purpose ? yield* call(purpose.proved, deps) : null;
  if (!error) return;
  const failure = describeVerifyError(error, name);
  if (deps.navigation.current().pathname === paths.askPassword(name)) yield* put(identityRefused(failure));
  else yield* call(showAlert, { ...authMessages.identityRefused, ...failure });
}
