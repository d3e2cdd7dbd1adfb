import {
  accountChanged,
  isSetupMode,
  profileRequested,
  readAsBearer,
  readBearer,
  sessionEnded,
  sessionMessages,
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
import { tellBrowser, type PasskeyDeps } from './askPasskey.saga';
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
import { tellUserDetails } from './tellUserDetails.saga';

export type KeepDeps = PasskeyDeps &
  Pick<Deps, 'api' | 'clock' | 'config' | 'cookies' | 'navigation' | 'storage' | 'vault'>;

/** The passkeys of a signed-in user: the section of the account settings, and what the password manager is told. */
export function* keepPasskeys(deps: KeepDeps): SagaGenerator<void> {
  yield* takeLatest(passkeysRequested, load, deps);
  yield* takeLeading(nameSubmitted, rename, deps);
  yield* takeLeading(removalRequested, confirmRemoval);
  yield* takeEvery(proofNeeded, verify, deps);
  yield* takeEvery([profileRequested, accountChanged], requestWhereShown, deps);
  yield* takeLatest(isNewProfile, tellUserDetails, deps);
  yield* call(requestWhereShown, deps);
}

/** Another change must not end the wait for the new name. */
const isNewProfile = (action: Action): action is ReturnType<typeof accountChanged> =>
  accountChanged.match(action) && action.payload.what.includes('profile');

/** Each time that the settings are entered. */
function* requestWhereShown(deps: KeepDeps): SagaGenerator<void> {
  const { route } = yield* select(selectLocation);
  if (route === 'accountSettings' && !isSetupMode(deps)) yield* put(passkeysRequested());
}

/**
 * Reads the whole list, and has the password manager remove what is not in it; not while one is being added, which the browser has
 * before the service. The list is read again then.
 */
function* load(deps: KeepDeps): SagaGenerator<void> {
  const response = yield* readAsBearer(deps, async (token) => await deps.api.passkeys.list(token));
  if (!response?.ok) {
    yield* put(passkeysFailed());
    return;
  }
  const { userId, passkeys } = response.value;
  yield* put(passkeysLoaded(passkeys.map(({ id: credentialId, ...rest }) => ({ credentialId, ...rest }))));
  if ((yield* select(selectPasskeys)).task.phase === 'adding') return;
  yield* call(tellBrowser<'signalAllAcceptedCredentials'>, deps, 'signalAllAcceptedCredentials', {
    userId,
    allAcceptedCredentialIds: passkeys.map(({ id }) => id),
  });
}

function* rename(deps: KeepDeps, { payload }: ReturnType<typeof nameSubmitted>): SagaGenerator<void> {
  const { credentialId: id, name } = payload;
  const result = yield* callApi(deps.api.passkeys.rename, readBearer(deps)?.token ?? '', { id, name });
  yield* call(endTask, result.ok ? null : result.error);
}

/** After any outcome: the service may have carried it out. */
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
  { navigation }: Pick<Deps, 'navigation'>,
  { payload: { kind } }: ReturnType<typeof proofNeeded>,
): SagaGenerator<void> {
  yield* call(navigation.push, paths.askPassword(kind === 'add' ? 'add-passkey' : 'remove-passkey'));
}
