import { readAsBearer } from '@features/session';
import type { Deps } from '@shared/deps';
import { locationChanged, selectLocation } from '@shared/routing/location.slice';
import { paths } from '@vestibule/contract/paths';
import { call } from '@shared/sagas/call.saga';
import { withChannel } from '@shared/sagas/withChannel.saga';
import { fork, put, select, take, takeEvery, takeLatest } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { selectEnrolment, enrolmentDropped } from './enrolment/enrolment.slice';
import { enrolmentPath } from './enrolment/enrolmentPaths';
import { readProof } from './enrolment/requireProof.saga';
import { activePhoneLoaded, activePhoneRequested } from './status/activePhone.slice';

/** The work of the mfa feature that belongs to no screen. */
export function* mfaSaga(deps: Deps): SagaGenerator<void> {
  yield* takeLatest(activePhoneRequested, loadActivePhone, deps);
  yield* takeEvery(locationChanged, dropOutsideEnrolment, deps);
  yield* fork(dropWithPage, deps);
}

/** Loads the phone that receives the text messages. A failure is only logged, because no screen needs the number. */
function* loadActivePhone(deps: Deps): SagaGenerator<void> {
  const response = yield* readAsBearer(deps, async (token) => await deps.api.mfa.activePhone(token));
  if (!response) return;
  if (!response.ok) {
    yield* call(deps.log.warn, 'authy-info failed', { kind: response.error.kind });
    return;
  }
  const { lastFourPhone } = response.value;
  if (lastFourPhone !== null) yield* put(activePhoneLoaded(lastFourPhone));
}

const steps: readonly (string | null)[] = ['phoneEnrolment', 'appEnrolment', 'enrolmentCode'];

/** Ends the enrolment when neither one of its steps nor the verification of identity for it is shown. */
function* dropOutsideEnrolment(
  { vault }: Deps,
  { payload: { route, pathname } }: ReturnType<typeof locationChanged>,
): SagaGenerator<void> {
  if (steps.includes(route) || pathname.startsWith(paths.askPassword('enable'))) return;
  const { phase } = yield* select(selectEnrolment);
  yield* call(vault.drop, 'authenticatorKey');
  if (phase !== 'none') yield* put(enrolmentDropped());
}

/**
 * Ends the enrolment of a page that enters the back/forward cache, which empties the vault. When the page returns, it begins
 * with the choice of a method.
 */
function* dropWithPage({ navigation, pageLife }: Deps): SagaGenerator<void> {
  yield* withChannel(pageLife.subscribe, function* (life) {
    for (;;) {
      const event = yield* take(life);
      const { phase } = yield* select(selectEnrolment);
      if (event === 'left' && phase !== 'none') yield* put(enrolmentDropped());
      if (event === 'restored' && steps.includes((yield* select(selectLocation)).route))
        yield* call(navigation.replace, paths.mfaOptions());
    }
  });
}

/** Continues the enrolment at its step, after identity was verified or if no proof is needed. */
export function* resumeEnrolment(deps: Deps): SagaGenerator<void> {
  const proof = readProof(deps);
  const state = yield* select(selectEnrolment);
  yield* call(deps.navigation.replace, proof ? enrolmentPath(state, proof.uid) : paths.mfaOptions());
}
