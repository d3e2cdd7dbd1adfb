import { describeVerifyError, identityRefused, tellVerifyError, verificationStarted } from '@features/auth';
import { confirmTurnOff, disableMfa, turnOffRequested } from '@features/mfa';
import { dropTrustedToken, profileRequested, readSession, sessionEnded } from '@features/session';
import type { Deps } from '@shared/deps';
import { onRoute } from '@shared/routing/onRoute.saga';
import { paths } from '@shared/routing/paths';
import { call } from '@shared/sagas/call';
import { fork, put, race, take, takeEvery, takeLeading } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';

type TurnOffDeps = Pick<Deps, 'api' | 'config' | 'cookies' | 'navigation' | 'vault'>;

/**
 * Whether Turn Off was confirmed, for one visit to the verification: an address that somebody was sent must not turn
 * anything off. In memory, and not asked of the store, whose past DevTools may show.
 */
interface Confirmation {
  given: boolean;
}

/**
 * Turning two-step verification off (specification §4 MFA disable): confirmed, this device no longer trusted, identity
 * verified, the call, and back to the settings.
 */
export function* turnOffMfa(deps: TurnOffDeps): SagaGenerator<void> {
  const confirmation: Confirmation = { given: false };
  yield* takeLeading(turnOffRequested, askFirst, deps, confirmation);
  yield* takeEvery(verificationStarted, turnOffWhenVerified, deps, confirmation);
  yield* fork(watchVerification, deps, confirmation);
}

function* askFirst(deps: TurnOffDeps, confirmation: Confirmation): SagaGenerator<void> {
  // The question is over with the session that it is about, here or in another tab.
  const { confirmed } = yield* race({ confirmed: call(confirmTurnOff), over: take(sessionEnded) });
  const stored = readSession(deps);
  if (!confirmed || stored.kind !== 'present') return;
  yield* call(dropTrustedToken, deps, stored.claims.username);
  confirmation.given = true;
  yield* call(deps.navigation.push, paths.askPassword('disable'));
}

function* watchVerification(deps: TurnOffDeps, confirmation: Confirmation): SagaGenerator<void> {
  yield* onRoute('askPassword', whileVerifying, deps, confirmation);
}

function* whileVerifying(deps: TurnOffDeps, confirmation: Confirmation): SagaGenerator<void> {
  if (!isVerifying(deps)) return;
  if (!confirmation.given) {
    yield* call(deps.navigation.replace, paths.accountSettings());
    return;
  }
  try {
    // Until the route is left: the cancellation runs the `finally`.
    yield* call(() => new Promise<never>(() => undefined));
  } finally {
    confirmation.given = false;
  }
}

const isVerifying = ({ navigation }: Pick<Deps, 'navigation'>): boolean =>
  navigation.current().pathname === paths.askPassword('disable');

function* turnOffWhenVerified(
  deps: TurnOffDeps,
  confirmation: Confirmation,
  { payload: { purpose } }: ReturnType<typeof verificationStarted>,
): SagaGenerator<void> {
  if (purpose !== 'disable' || !confirmation.given) return;
  const answer = yield* call(disableMfa, deps);
  // The person may have gone elsewhere meanwhile; what was sent has been done, or not, all the same.
  if (answer.ok) {
    if (isVerifying(deps)) yield* call(deps.navigation.replace, paths.accountSettings());
    else yield* put(profileRequested());
    return;
  }
  const message = describeVerifyError(answer.error, purpose);
  if (isVerifying(deps)) yield* put(identityRefused(message));
  else yield* call(tellVerifyError, message);
}
