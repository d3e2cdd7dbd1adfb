import {
  accountChanged,
  readAsBearer,
  readBearer,
  sessionMessages,
  sessionRestored,
} from '@features/session';
import { askConfirm, showAlert } from '@features/ui-dialogs';
import { troubleOf } from '@shared/api/apiError';
import type { Deps } from '@shared/deps';
import { call } from '@shared/sagas/call.saga';
import { callApi } from '@shared/sagas/callApi.saga';
import { put, takeEvery, takeLatest, takeLeading } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { applicationsMessages } from './applications.messages';
import {
  applicationDisconnected,
  applicationsEntered,
  applicationsFailed,
  applicationsLoaded,
  applicationsRequested,
  disconnectConfirmed,
  disconnectFailed,
  disconnectRequested,
} from './applications.slice';

/** Loads the connected applications when the page opens, and when the account may have changed, here or elsewhere. */
export function* connectedApplications(deps: Deps): SagaGenerator<void> {
  yield* put(applicationsEntered());
  yield* takeLatest(applicationsRequested, load, deps);
  yield* takeLeading(disconnectRequested, disconnect, deps);
  yield* takeEvery([accountChanged, sessionRestored], request);
  yield* call(request);
}

function* request(): SagaGenerator<void> {
  yield* put(applicationsRequested());
}

function* load(deps: Deps): SagaGenerator<void> {
  const response = yield* readAsBearer(deps, async (token) => await deps.api.openid.applications(token));
  yield* put(response?.ok ? applicationsLoaded(response.value) : applicationsFailed());
}

function* disconnect(deps: Deps, { payload }: ReturnType<typeof disconnectRequested>): SagaGenerator<void> {
  const { confirm, error } = applicationsMessages;
  const { name } = payload;
  if (!(yield* call(askConfirm, { ...confirm, title: confirm.title(name) }))) return;
  const bearer = readBearer(deps);
  if (!bearer) return;
  yield* put(disconnectConfirmed(payload));
  const result = yield* callApi(deps.api.openid.disconnect, bearer.token, payload.id);
  // It may have been disconnected elsewhere in the meantime.
  const isGone = result.ok || result.error.details.status === 404;
  yield* put(isGone ? applicationDisconnected(payload) : disconnectFailed());
  // Also after a failure, because the service may have carried out the call. The activity has a new entry.
  yield* put(accountChanged({ what: ['openid'] }));
  if (!isGone)
    yield* call(showAlert, {
      ...error,
      message: sessionMessages.fallback,
      ...troubleOf(result.error),
    });
}
