import {
  accountChanged,
  isSetupMode,
  profileRequested,
  readAsBearer,
  readBearer,
  sessionEnded,
  sessionMessages,
  sessionRestored,
} from '@features/session';
import { askConfirm, showAlert } from '@features/ui-dialogs';
import type { Action } from '@reduxjs/toolkit';
import { troubleOf, type ApiError } from '@shared/api/apiError';
import type { Deps } from '@shared/deps';
import { selectLocation } from '@shared/routing/location.slice';
import { call } from '@shared/sagas/call.saga';
import { callApi } from '@shared/sagas/callApi.saga';
import { paths } from '@vestibule/contract/paths';
import { put, race, select, take, takeEvery, takeLatest, takeLeading } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { signalBrowser } from './askPasskey.saga';
import { passkeyMessages } from './passkeys.messages';
import {
  nameSubmitted,
  passkeysFailed,
  passkeysLoaded,
  passkeysRequested,
  proofNeeded,
  removalRequested,
  selectPasskeys,
  taskEnded,
} from './passkeys.slice';
import { signalUserDetails } from './signalUserDetails.saga';

/** The passkeys of a signed-in user: the section of the account settings, and the signals to the password manager. */
export function* managePasskeys(deps: Deps): SagaGenerator<void> {
  yield* takeLatest(passkeysRequested, load, deps);
  yield* takeLeading(nameSubmitted, rename, deps);
  yield* takeLeading(removalRequested, confirmRemoval);
  yield* takeEvery(proofNeeded, verify, deps);
  yield* takeEvery([profileRequested, sessionRestored], requestWhereShown, deps);
  yield* takeEvery(isChangeOf('passkeys'), requestWhereShown, deps);
  yield* takeLatest(isChangeOf('profile'), signalUserDetails, deps);
  yield* call(requestWhereShown, deps);
}

const isChangeOf =
  (what: string) =>
  (action: Action): action is ReturnType<typeof accountChanged> =>
    accountChanged.match(action) && action.payload.what.includes(what);

/** Requests the list each time the settings are entered. */
function* requestWhereShown(deps: Deps): SagaGenerator<void> {
  const { route } = yield* select(selectLocation);
  if (route === 'accountSettings' && !isSetupMode(deps)) yield* put(passkeysRequested());
}

/**
 * Loads the list and signals it to the password manager, which removes all other passkeys. While a passkey is being added no list is
 * signalled, because the service may not have it yet; the list is loaded again afterwards.
 */
function* load(deps: Deps): SagaGenerator<void> {
  const response = yield* readAsBearer(deps, async (token) => await deps.api.passkeys.list(token));
  if (!response?.ok) {
    yield* put(passkeysFailed());
    return;
  }
  const { userId, passkeys } = response.value;
  yield* put(passkeysLoaded(passkeys.map(({ id: credentialId, ...rest }) => ({ credentialId, ...rest }))));
  if ((yield* select(selectPasskeys)).task.phase === 'adding') return;
  yield* call(signalBrowser<'signalAllAcceptedCredentials'>, deps, 'signalAllAcceptedCredentials', {
    userId,
    allAcceptedCredentialIds: passkeys.map(({ id }) => id),
  });
}

function* rename(deps: Deps, { payload }: ReturnType<typeof nameSubmitted>): SagaGenerator<void> {
  const { credentialId: id, name } = payload;
  const result = yield* callApi(deps.api.passkeys.rename, readBearer(deps)?.token ?? '', { id, name });
  yield* call(endTask, result.ok ? null : result.error);
}

/** Loads the list again, also after a failure: the service may have carried out the call. */
export function* endTask(error: ApiError | null): SagaGenerator<void> {
  yield* put(taskEnded());
  yield* put(passkeysRequested());
  if (error)
    yield* call(showAlert, {
      ...passkeyMessages.error,
      message: sessionMessages.fallback,
      ...troubleOf(error),
    });
}

function* confirmRemoval({ payload }: ReturnType<typeof removalRequested>): SagaGenerator<void> {
  // The dialog closes when the session ends, here or in another tab.
  const { confirmed } = yield* race({
    confirmed: call(askConfirm, passkeyMessages.confirmRemoval),
    over: take(sessionEnded),
  });
  if (confirmed) yield* put(proofNeeded({ kind: 'remove', credentialId: payload }));
}

function* verify(
  { navigation }: Deps,
  { payload: { kind } }: ReturnType<typeof proofNeeded>,
): SagaGenerator<void> {
  yield* call(navigation.push, paths.askPassword(kind === 'add' ? 'add-passkey' : 'remove-passkey'));
}
