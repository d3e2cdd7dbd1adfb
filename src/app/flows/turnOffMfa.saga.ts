import {
  confirmTurnOff,
  disableMfa,
  selectIsTurnOffConfirmed,
  turnOffConfirmed,
  turnOffRequested,
} from '@features/mfa';
import { dropTrustedToken, profileRequested, readSession, sessionEnded } from '@features/session';
import type { ApiError } from '@shared/api/apiError';
import type { Deps } from '@shared/deps';
import { paths } from '@vestibule/contract/paths';
import { announceFactorChange } from '@shared/sagas/announceFactorChange.saga';
import { call } from '@shared/sagas/call.saga';
import { put, race, select, take, takeLeading } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';

/** Turn Off on the account settings. See docs/behaviour.md#turn-off. */
export function* watchTurnOff(deps: Deps): SagaGenerator<void> {
  yield* takeLeading(turnOffRequested, confirm, deps);
}

/** Asks for confirmation, removes the trust in this device, and opens verify identity. */
function* confirm(deps: Deps): SagaGenerator<void> {
  // The dialog closes when the session ends, here or in another tab.
  const { confirmed } = yield* race({ confirmed: call(confirmTurnOff), over: take(sessionEnded) });
  const stored = readSession(deps);
  if (!confirmed || stored.kind !== 'present') return;
  yield* call(dropTrustedToken, deps, stored.claims.username);
  yield* put(turnOffConfirmed());
  yield* call(deps.navigation.push, paths.askPassword('disable'));
}

/** Turns two-step verification off once identity is verified, and returns to the settings. */
export function* turnOffMfa(deps: Deps): SagaGenerator<ApiError | null> {
  if (!(yield* select(selectIsTurnOffConfirmed))) return null;
  const result = yield* call(disableMfa, deps);
  if (!result.ok) return result.error;
  // The user may have left the screen meanwhile.
  const isVerifying = deps.navigation.current().pathname === paths.askPassword('disable');
  if (isVerifying) yield* call(deps.navigation.replace, paths.accountSettings());
  else yield* put(profileRequested());
  yield* call(announceFactorChange, deps, 'accountSettings');
  return null;
}
