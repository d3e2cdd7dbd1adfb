import { accountChanged, readAsBearer, readBearer, sessionRestored } from '@features/session';
import { askConfirm } from '@features/ui-dialogs';
import type { Action } from '@reduxjs/toolkit';
import type { ActivityEvent, ActivityPage } from './sessions.calls';
import type { Deps } from '@shared/deps';
import { eventDetailOf, loadEventTexts } from '@shared/eventTexts';
import { callApi } from '@shared/sagas/callApi.saga';
import { call } from '@shared/sagas/call.saga';
import { contain } from '@shared/sagas/contain.saga';
import { fork, put, select, takeEvery, takeLatest, takeLeading } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { activityMessages } from './activity.messages';
import {
  actionEnded,
  actionStarted,
  activityEntered,
  endRequested,
  forgetRequested,
  listFailed,
  listLoaded,
  listRequested,
  moreRequested,
  selectActivity,
  type ListName,
} from './activity.slice';
import { showFailure } from './showFailure.saga';

/** `/account-activity`: loads the lists when the page opens, after each action, and when the account may have changed elsewhere. */
export function* activity(deps: Deps): SagaGenerator<void> {
  yield* put(activityEntered());
  for (const list of lists) {
    const isForThis = (action: Action) => listRequested.match(action) && action.payload.list === list;
    yield* takeLatest(isForThis, load, deps, list);
  }
  yield* takeLeading(endRequested, end, deps);
  yield* takeLeading(forgetRequested, forget, deps);
  yield* takeLeading(moreRequested, showMore, deps);
  yield* takeEvery([accountChanged, sessionRestored], requestAll);
  for (const { name, whileActivityShown } of deps.features)
    if (whileActivityShown) yield* fork(contain, deps, name, () => whileActivityShown(deps));
  yield* call(loadEventTexts, deps.features);
  yield* call(requestAll);
}

const lists = ['sessions', 'devices', 'events'] as const satisfies readonly ListName[];

function* requestAll(): SagaGenerator<void> {
  for (const list of lists) yield* put(listRequested({ list }));
}

function* load(deps: Deps, list: ListName): SagaGenerator<void> {
  const { sessions } = deps.api;
  switch (list) {
    case 'sessions': {
      const response = yield* readAsBearer(deps, async (token) => await sessions.list(token));
      yield* put(
        response?.ok ? listLoaded({ list, entries: response.value, next: null }) : listFailed({ list }),
      );
      return;
    }
    case 'devices': {
      const response = yield* readAsBearer(deps, async (token) => await sessions.trustedDevices(token));
      yield* put(
        response?.ok ? listLoaded({ list, entries: response.value, next: null }) : listFailed({ list }),
      );
      return;
    }
    case 'events': {
      const response = yield* readAsBearer(deps, async (token) => await sessions.activity(token));
      yield* put(
        response?.ok ? listLoaded({ list, ...withDetails(deps, response.value) }) : listFailed({ list }),
      );
    }
  }
}

/** The page with the details that features read from their events. */
function withDetails({ features }: Deps, { entries, next }: ActivityPage) {
  const read = ({ added, ...event }: ActivityPage['entries'][number]): ActivityEvent => ({
    ...event,
    detail: eventDetailOf(features, event.kind)?.read(added) ?? null,
  });
  return { entries: entries.map(read), next };
}

function* end(deps: Deps, { payload: id }: ReturnType<typeof endRequested>): SagaGenerator<void> {
  if (id === null && !(yield* call(askConfirm, activityMessages.confirmOthers))) return;
  yield* call(change, deps, id ?? 'others', (bearer) =>
    deps.api.sessions.end(bearer, id === null ? { others: true } : { ids: [id] }),
  );
}

function* forget(deps: Deps, { payload: id }: ReturnType<typeof forgetRequested>): SagaGenerator<void> {
  yield* call(change, deps, id, (bearer) => deps.api.sessions.forgetDevices(bearer, { ids: [id] }));
}

/** @param what - the button that shows its progress */
function* change(deps: Deps, what: string, make: (bearer: string) => Promise<void>): SagaGenerator<void> {
  const bearer = readBearer(deps);
  if (!bearer) return;
  yield* put(actionStarted(what));
  const result = yield* callApi(make, bearer.token);
  yield* put(actionEnded());
  // The lists are loaded again also after a failure, because the service may have carried out the call.
  yield* call(requestAll);
  yield* call(showFailure, result);
}

function* showMore(deps: Deps): SagaGenerator<void> {
  const { events } = yield* select(selectActivity);
  if (events.phase !== 'loaded' || events.next === null) return;
  const before = events.next;
  yield* put(actionStarted('more'));
  const response = yield* readAsBearer(
    deps,
    async (token): Promise<ActivityPage> => await deps.api.sessions.activity(token, before),
  );
  const { events: now } = yield* select(selectActivity);
  // The page is ignored if the list was loaded again meanwhile and begins with its first page.
  if (response?.ok && now === events) {
    const { entries, next } = withDetails(deps, response.value);
    yield* put(listLoaded({ list: 'events', entries: [...events.entries, ...entries], next }));
  }
  yield* put(actionEnded());
  if (response) yield* call(showFailure, response);
}
