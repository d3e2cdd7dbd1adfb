import { isRefusal } from '@shared/api/apiError';
import type { Deps, ScreenModule, Visit } from '@shared/deps';
import { loadEventTexts } from '@shared/eventTexts';
import { linkIdIn } from '@shared/routing/linkId';
import { bearerRefused, callApi } from '@shared/sagas/callApi.saga';
import { call } from '@shared/sagas/call.saga';
import { needsPress } from '@shared/sagas/needsPress.saga';
import { paths } from '@vestibule/contract/paths';
import { put, take } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import {
  noticeAnswered,
  noticeClosed,
  noticeEntered,
  noticeGateShown,
  noticeLoaded,
  noticeOpened,
  noticeRetried,
  noticeUnreached,
} from './securityNotice.slice';
import { SecurityNoticeScreen } from './SecurityNotice.container';

/** `/security-notice/{hash}`: asks whether an event was the user's. See docs/behaviour.md#security-notice. */
function* securityNotice(deps: Deps, { params }: Visit): SagaGenerator<void> {
  yield* put(noticeEntered());
  const hash = linkIdIn(params['hash']);
  if (hash === null || !(yield* call(ask, deps, hash)))
    yield* call(deps.navigation.replace, paths.unauthorized());
}

/** @returns `false` if the link is unknown, expired or answered */
function* ask(deps: Deps, hash: string): SagaGenerator<boolean> {
  const { notices } = deps.api;
  if (yield* call(needsPress, deps)) {
    yield* put(noticeGateShown());
    yield* take(noticeOpened);
  }
  const notice = yield* untilReached(() => notices.notice(hash));
  if (!notice) return false;
  const { state, ...event } = notice.value;
  if (state !== 'open') return false;
  yield* call(loadEventTexts, deps.features);
  yield* put(noticeLoaded(event));
  const { mine } = (yield* take(noticeAnswered)).payload;
  const answer = yield* untilReached(() => notices.answer(hash, mine));
  if (!answer) return false;
  // The service has ended all sessions, which may include the one of this browser.
  if (!mine) yield* put(bearerRefused());
  if (!mine && answer.value !== null) yield* call(deps.navigation.replace, paths.resetPassword(answer.value));
  else yield* put(noticeClosed());
  return true;
}

/** Repeats the call on 'Try Again' until the service responds; `null` if it refused. */
function* untilReached<T>(make: () => Promise<T>): SagaGenerator<{ readonly value: T } | null> {
  for (;;) {
    const result = yield* callApi(make);
    if (result.ok) return result;
    if (isRefusal(result.error)) return null;
    yield* put(noticeUnreached());
    yield* take(noticeRetried);
  }
}

/** `/security-notice/{hash}`. */
export const securityNoticeScreen: ScreenModule = { Screen: SecurityNoticeScreen, saga: securityNotice };
