import { authMessages, describeVerifyError, identityRefused, verificationStarted } from '@features/auth';
import {
  confirmTurnOff,
  disableMfa,
  selectIsTurnOffConfirmed,
  turnOffConfirmed,
  turnOffRequested,
} from '@features/mfa';
import { dropTrustedToken, profileRequested, readSession, sessionEnded } from '@features/session';
import { showAlert } from '@features/ui-dialogs';
import type { Deps } from '@shared/deps';
import { paths } from '@vestibule/contract/paths';
import { call } from '@shared/sagas/call.saga';
import { put, race, select, take, takeEvery, takeLeading } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';

type TurnOffDeps = Pick<Deps, 'api' | 'config' | 'cookies' | 'navigation' | 'vault'>;

/**
 * Turns two-step verification off: asks for confirmation, drops the trust in this device, verifies identity, makes the
 * call, and returns to the settings. See docs/behaviour.md#turn-off.
 */
export function* turnOffMfa(deps: TurnOffDeps): SagaGenerator<void> {
  yield* takeLeading(turnOffRequested, askFirst, deps);
  yield* takeEvery(verificationStarted, turnOffWhenVerified, deps);
}

function* askFirst(deps: TurnOffDeps): SagaGenerator<void> {
  // The dialog closes when the session ends, here or in another tab.
  const { confirmed } = yield* race({ confirmed: call(confirmTurnOff), over: take(sessionEnded) });
  const stored = readSession(deps);
  if (!confirmed || stored.kind !== 'present') return;
  yield* call(dropTrustedToken, deps, stored.claims.username);
  yield* put(turnOffConfirmed());
  yield* call(deps.navigation.push, paths.askPassword('disable'));
}

const isVerifying = ({ navigation }: Pick<Deps, 'navigation'>): boolean =>
  navigation.current().pathname === paths.askPassword('disable');

function* turnOffWhenVerified(
  deps: TurnOffDeps,
  { payload: { purpose } }: ReturnType<typeof verificationStarted>,
): SagaGenerator<void> {
  if (purpose !== 'disable' || !(yield* select(selectIsTurnOffConfirmed))) return;
  const answer = yield* call(disableMfa, deps);
  // The user may have left the screen meanwhile; the outcome still has to be shown.
  if (answer.ok) {
    if (isVerifying(deps)) yield* call(deps.navigation.replace, paths.accountSettings());
    else yield* put(profileRequested());
    return;
  }
  const failure = describeVerifyError(answer.error, purpose);
  if (isVerifying(deps)) yield* put(identityRefused(failure));
  else yield* call(showAlert, { ...authMessages.identityRefused, ...failure });
}
