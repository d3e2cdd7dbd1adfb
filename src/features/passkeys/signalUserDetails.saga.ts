import {
  readAsBearer,
  selectClaims,
  sessionAdopted,
  sessionEnded,
  sessionRefreshed,
} from '@features/session';
import { isAnyOf } from '@reduxjs/toolkit';
import type { Deps } from '@shared/deps';
import { bearerRefused } from '@shared/sagas/callApi.saga';
import { call } from '@shared/sagas/call.saga';
import { delay, put, race, select, take } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { signalBrowser } from './askPasskey.saga';

/** How long to wait for the next token, ms. A token that has just been issued is not refreshed for 10 s. */
const renewalMs = 12_000;

/** A changed password is announced as a change of the profile, too, and then ends the session, ms. */
const settledMs = 3000;

/** Signals the new name of the user to the password manager. The name is in the next token, so a refresh is requested. */
export function* signalUserDetails(deps: Deps): SagaGenerator<void> {
  const { over } = yield* race({ over: take(sessionEnded), settled: delay(settledMs) });
  if (over) return;
  const response = yield* readAsBearer(deps, async (token) => await deps.api.passkeys.list(token));
  if (!response?.ok || response.value.passkeys.length === 0) return;
  if (!(yield* call(untilRenewed)) && !(yield* call(untilRenewed))) return;
  const claims = yield* select(selectClaims);
  if (!claims) return;
  const { username, firstName } = claims;
  yield* call(signalBrowser<'signalCurrentUserDetails'>, deps, 'signalCurrentUserDetails', {
    userId: response.value.userId,
    name: username,
    displayName: firstName === '' ? username : firstName,
  });
}

function* untilRenewed(): SagaGenerator<boolean> {
  yield* put(bearerRefused());
  const { renewed } = yield* race({
    renewed: take(isAnyOf(sessionRefreshed, sessionAdopted)),
    over: take(sessionEnded),
    tooLate: delay(renewalMs),
  });
  return renewed !== undefined;
}
