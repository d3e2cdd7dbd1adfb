import { goToSignOn, hasSetupToken, sessionEnded } from '@features/session';
import type { Deps } from '@shared/deps';
import { locationChanged } from '@shared/routing/location.slice';
import { paths, type RouteName } from '@shared/routing/paths';
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

/** Life of the verification token on the client, ms (specification §9). */
export const verificationLifeMs = 180_000;
/** The warning comes so long before the end, ms (specification §9). */
const warnBeforeMs = 30_000;

/** Where the proof is used, or given anew (decisions §15). Leaving for another screen ends the period. */
const routesInPeriod: readonly RouteName[] = [
  'askPassword',
  'phoneSetup',
  'appSetup',
  'setupCode',
  'changeVerify',
  'changePassword',
];

type PeriodDeps = Pick<Deps, 'api' | 'clock' | 'config' | 'cookies' | 'navigation' | 'parentFrame' | 'vault'>;

/** Runs the verification token's timer; a new proof begins it anew (specification §4, verification token timer). */
export function* watchVerificationPeriod(deps: PeriodDeps): SagaGenerator<void> {
  yield* takeLatest(verificationStarted, period, deps);
}

/** Not in a `finally`: a new proof cancels this one, and its token must stay. */
function* period(
  deps: PeriodDeps,
  { payload: { expiresAt } }: ReturnType<typeof verificationStarted>,
): SagaGenerator<void> {
  const { ranOut } = yield* race({
    ranOut: call(runOut, deps, expiresAt),
    left: call(untilLeft),
    used: take(verificationUsed),
    sessionOver: take(sessionEnded),
  });
  yield* call(deps.vault.drop, 'verification');
  yield* put(verificationEnded());
  if (ranOut) yield* call(expire, deps);
}

/** Held, it waits; whether its end has come meanwhile is seen afterwards. */
function* runOut(deps: PeriodDeps, expiresAt: number): SagaGenerator<true> {
  for (;;) {
    const { held } = yield* race({ over: call(countDown, deps, expiresAt), held: take(verificationHeld) });
    if (!held) return true;
    yield* take(verificationReleased);
  }
}

function* countDown({ clock }: PeriodDeps, expiresAt: number): SagaGenerator<void> {
  yield* call(waitUntil, clock, expiresAt - warnBeforeMs);
  yield* put(verificationExpiring());
  // From here on, too: a clock that was set back meanwhile must not stretch the rest.
  yield* call(waitUntil, clock, Math.min(expiresAt, clock.now() + warnBeforeMs));
}

function* untilLeft(): SagaGenerator<true> {
  for (;;) {
    const { payload } = yield* take(locationChanged);
    if (payload.route === null || !routesInPeriod.includes(payload.route)) return true;
  }
}

function* expire(deps: PeriodDeps): SagaGenerator<void> {
  // Asked of the token that there is now, whatever the proof was for: it may have been refreshed meanwhile.
  if (hasSetupToken(deps)) yield* call(goToSignOn, deps);
  else yield* call(deps.navigation.replace, paths.accountSettings());
}
