import { isRefusal } from '@shared/api/apiError';
import type { Deps } from '@shared/deps';
import { linkIdIn } from '@shared/routing/linkId';
import type { Visit } from '@shared/routing/screenModule';
import { bearerRefused, callApi } from '@shared/sagas/callApi.saga';
import { call } from '@shared/sagas/call.saga';
import { paths } from '@vestibule/contract/paths';
import { put, take } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { confirmOneTimeLink } from '../links/confirmOneTimeLink.saga';
import { linkEntered } from '../links/oneTimeLink.slice';
import {
  noticeAnswered,
  noticeClosed,
  noticeEntered,
  noticeLoaded,
  noticeRetried,
  noticeUnreached,
} from './securityNotice.slice';

/** `/security-notice/{hash}`: asks whether an event was the user's. See docs/behaviour.md#security-notice. */
export function* securityNotice(deps: Deps, { params }: Visit): SagaGenerator<void> {
  yield* put(linkEntered());
  yield* put(noticeEntered());
  const hash = linkIdIn(params['hash']);
  if (hash === null || !(yield* call(ask, deps, hash)))
    yield* call(deps.navigation.replace, paths.unauthorized());
}

/** @returns `false`: the link is unknown, expired or answered */
function* ask(deps: Deps, hash: string): SagaGenerator<boolean> {
  const { devices } = deps.api;
  yield* call(confirmOneTimeLink, deps);
  const notice = yield* untilReached(() => devices.notice(hash));
  if (!notice) return false;
  const { state, ...event } = notice.value;
  if (state !== 'open') return false;
  yield* put(noticeLoaded(event));
  const { mine } = (yield* take(noticeAnswered)).payload;
  const answer = yield* untilReached(() => devices.answerNotice(hash, mine));
  if (!answer) return false;
  // The service has ended all sessions, which may include the one of this browser.
  if (!mine) yield* put(bearerRefused());
  if (!mine && answer.value !== null) yield* call(deps.navigation.replace, paths.resetPassword(answer.value));
  else yield* put(noticeClosed());
  return true;
}

/** Repeats the call on 'Try Again' until the service responds. `null`: the service refused. */
function* untilReached<T>(make: () => Promise<T>): SagaGenerator<{ readonly value: T } | null> {
  for (;;) {
    const result = yield* callApi(make);
    if (result.ok) return result;
    if (isRefusal(result.error)) return null;
    yield* put(noticeUnreached());
    yield* take(noticeRetried);
  }
}
