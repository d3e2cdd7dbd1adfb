import { goToSignOn, hasSetupToken, sessionEnded } from '@features/session';
import type { Deps } from '@shared/deps';
import { locationChanged } from '@shared/routing/location.slice';
import { paths } from '@vestibule/contract/paths';
import { call } from '@shared/sagas/call.saga';
import { waitUntil } from '@shared/sagas/waitUntil.saga';
import { put, race, take, takeLatest } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import {
  verificationEnded,
  verificationExpiring,
  verificationHeld,
  verificationReleased,
  verificationStarted,
  verificationUsed,
} from './verification.slice';

/** Length of the verification period, ms. See docs/behaviour.md#verification-period. */
export const verificationLifeMs = 180_000;
/** How long before the end the warning is shown, ms. */
const warnBeforeMs = 30_000;

/** Screens that use the proof or ask for it. Any other screen ends the period. */
const routesInPeriod: readonly string[] = [
  'askPassword',
  'phoneEnrolment',
  'appEnrolment',
  'enrolmentCode',
  'changeVerify',
  'changePassword',
];

/** Runs the verification period; a new proof restarts it. */
export function* watchVerificationPeriod(deps: Deps): SagaGenerator<void> {
  yield* takeLatest(verificationStarted, period, deps);
}

/** The vault is not cleared in a `finally`: a new proof cancels this saga, and its token must stay. */
function* period(
  deps: Deps,
  { payload: { expiresAt } }: ReturnType<typeof verificationStarted>,
): SagaGenerator<void> {
  const { expired } = yield* race({
    expired: call(untilExpired, deps, expiresAt),
    left: call(untilLeft),
    used: take(verificationUsed),
    sessionOver: take(sessionEnded),
  });
  yield* call(deps.vault.drop, 'verification');
  yield* put(verificationEnded());
  if (expired) yield* call(expire, deps);
}

/** While a call holds the period, expiry waits for its release. */
function* untilExpired(deps: Deps, expiresAt: number): SagaGenerator<true> {
  for (;;) {
    const { held } = yield* race({ over: call(countDown, deps, expiresAt), held: take(verificationHeld) });
    if (!held) return true;
    yield* take(verificationReleased);
  }
}

function* countDown({ clock }: Deps, expiresAt: number): SagaGenerator<void> {
  yield* call(waitUntil, clock, expiresAt - warnBeforeMs);
  yield* put(verificationExpiring());
  // If the clock was set back meanwhile, the rest of the period must not become longer.
  yield* call(waitUntil, clock, Math.min(expiresAt, clock.now() + warnBeforeMs));
}

function* untilLeft(): SagaGenerator<true> {
  for (;;) {
    const { payload } = yield* take(locationChanged);
    if (payload.route === null || !routesInPeriod.includes(payload.route)) return true;
  }
}

function* expire(deps: Deps): SagaGenerator<void> {
  // The token is read now, because it may have been refreshed meanwhile.
  if (hasSetupToken(deps)) yield* call(goToSignOn, deps);
  else yield* call(deps.navigation.replace, paths.accountSettings());
}
