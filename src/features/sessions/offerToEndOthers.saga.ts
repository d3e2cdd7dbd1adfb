import { accountChanged, isSetupMode, readAsBearer, readBearer, sessionEnded } from '@features/session';
import { askConfirm } from '@features/ui-dialogs';
import type { Deps } from '@shared/deps';
import { locationChanged } from '@shared/routing/location.slice';
import { call } from '@shared/sagas/call.saga';
import { callApi } from '@shared/sagas/callApi.saga';
import { put, race, take, takeLatest } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { activityMessages } from './activity.messages';
import { showFailure } from './showFailure.saga';
import {
  endOthersConfirmed,
  endOthersFailed,
  endOthersRequested,
  factorsChanged,
  offerClosed,
  othersFound,
} from './otherSessions.slice';

/** Offers to end the user's other sessions after each change of factors. See docs/behaviour.md#devices-and-activity. */
export function* offerToEndOthers(deps: Deps): SagaGenerator<void> {
  yield* takeLatest(factorsChanged, offerAt, deps);
}

/** The offer lasts as long as its screen is shown. */
function* offerAt(
  deps: Deps,
  { payload: { route } }: ReturnType<typeof factorsChanged>,
): SagaGenerator<void> {
  if (isSetupMode(deps)) return;
  const isLeft = (action: unknown) => locationChanged.match(action) && action.payload.route !== route;
  yield* race({ offer: call(offer, deps), left: take(isLeft), over: take(sessionEnded) });
  yield* put(offerClosed());
}

function* offer(deps: Deps): SagaGenerator<void> {
  if ((yield* call(hasOthers, deps)) !== true) return;
  yield* put(othersFound());
  yield* race({ ended: call(endOthers, deps), gone: call(untilGone, deps) });
}

/** Whether the user has other sessions; `null` if the list could not be loaded. */
function* hasOthers(deps: Deps): SagaGenerator<boolean | null> {
  const response = yield* readAsBearer(deps, async (token) => await deps.api.sessions.list(token));
  return response?.ok ? response.value.some(({ current }) => !current) : null;
}

/** Waits until the user has ended the other sessions here. */
function* endOthers(deps: Deps): SagaGenerator<void> {
  for (;;) {
    yield* take(endOthersRequested);
    const isConfirmed = yield* call(askConfirm, activityMessages.confirmOthers);
    const bearer = readBearer(deps);
    if (!isConfirmed || !bearer) continue;
    yield* put(endOthersConfirmed());
    const result = yield* callApi(deps.api.sessions.end, bearer.token, { others: true });
    if (result.ok) return;
    yield* put(endOthersFailed());
    yield* call(showFailure, result);
  }
}

/** Waits until the live events say that the user has no other session. */
function* untilGone(deps: Deps): SagaGenerator<void> {
  for (;;) {
    const { payload } = yield* take(accountChanged);
    if (payload.what.includes('sessions') && (yield* call(hasOthers, deps)) === false) return;
  }
}
