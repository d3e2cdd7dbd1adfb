import {
  refusalMessages,
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
  // Starts these features in the same turn as the first screen, which needs them.
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

/** Adds the late state of a feature, then starts its late saga. */
function* startLate(deps: Deps, feature: Feature): SagaGenerator<void> {
  const { saga } = yield* call(injectLate, feature);
  if (saga) yield* call(saga, deps);
}

function* watchProof(deps: Deps): SagaGenerator<void> {
  yield* takeEvery(enrolmentMethodChosen, askForProof, deps);
  yield* takeEvery(factorActivated, () => announceFactorChange(deps, 'mfaActivated'));
  yield* takeEvery(verificationStarted, function* ({ payload: { purpose } }) {
    // The end of the session ends this work, and nothing more is shown.
    yield* race({ done: call(carryOut, deps, purpose), over: take(sessionEnded) });
  });
  // The verification period does not run out while a new password is being saved, and ends when it is saved.
  yield* takeEvery(newPasswordSubmitted, () => put(verificationHeld()));
  yield* takeEvery(newPasswordRefused, () => put(verificationReleased()));
  yield* takeEvery(newPasswordSaved, () => put(verificationUsed()));
}

/** In setup mode the sign-in was the proof, so only the verification period begins (docs/behaviour.md#setup-mode). */
function* askForProof(deps: Deps): SagaGenerator<void> {
  if (isSetupMode(deps)) {
    const expiresAt = deps.clock.now() + verificationLifeMs;
    yield* put(verificationStarted({ purpose: 'setup', expiresAt }));
  } else {
    yield* call(deps.navigation.push, paths.askPassword('enable'));
  }
}

/** Carries out the purpose of a proof. A refusal is shown even if the user has left the screen meanwhile. */
function* carryOut(deps: Deps, name: string): SagaGenerator<void> {
  const purpose = yield* call(purposeOf, deps, name);
  const error = purpose ? yield* call(purpose.proved, deps) : null;
  if (!error) return;
  const failure = describeVerifyError(error, name);
  if (deps.navigation.current().pathname === paths.askPassword(name)) yield* put(identityRefused(failure));
  else yield* call(showAlert, { ...refusalMessages.identity, ...failure });
}
