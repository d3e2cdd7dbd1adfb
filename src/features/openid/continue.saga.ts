import { allowRedirect, readAsBearer, readBearer, sessionRestored } from '@features/session';
import { ApiError, isRefusal } from '@shared/api/apiError';
import type { Deps, Purpose, ScreenModule, Visit } from '@shared/deps';
import type { AllowedUrl } from '@shared/ports/ports';
import { linkIdIn } from '@shared/routing/linkId';
import { call } from '@shared/sagas/call.saga';
import { callApi, type ApiResult } from '@shared/sagas/callApi.saga';
import { paths } from '@vestibule/contract/paths';
import { put, select, take } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { ContinueScreen } from './Continue.container';
import {
  continueEntered,
  identityProved,
  requestAnswered,
  requestLoaded,
  requestRetried,
  requestUnreached,
  selectContinue,
} from './continue.slice';
import { provider } from './provider';

/** The user's answer, with the proof where one was asked for. */
interface Answer {
  readonly allow: boolean;
  readonly authVerificationToken?: string;
}

/** `/continue/{id}`: asks whether to go on to an application that signs its users in by OpenID Connect. */
function* continueToApplication(deps: Deps, { params }: Visit): SagaGenerator<void> {
  const id = linkIdIn(params['id']);
  if (id === null || !(yield* call(decide, deps, id)))
    yield* call(deps.navigation.replace, paths.unauthorized());
}

/**
 * Loads the request, asks, and goes on; again where the service wants another proof, and when the user comes back.
 *
 * @returns `false` if the request is unknown, expired or answered
 */
function* decide(deps: Deps, id: string): SagaGenerator<boolean> {
  let answer = yield* call(takeProof, deps, id);
  for (;;) {
    if (!answer) {
      yield* put(continueEntered());
      const request = yield* untilReached(() =>
        readAsBearer(deps, async (token) => await deps.api.openid.request(token, id)),
      );
      if (!request) return false;
      yield* put(requestLoaded(request.value));
      answer = (yield* take(requestAnswered)).payload;
    }
    if ((yield* select(selectContinue)).phase === 'proving') {
      yield* call(deps.vault.put<'openid'>, 'openid', { id });
      yield* call(deps.navigation.push, paths.askPassword('continue'));
      return true;
    }
    const sent = yield* call(send, deps, id, answer);
    if (sent === 'refused') return false;
    // The browser may come back to this page after the service has sent it on.
    if (sent === 'left') yield* take(sessionRestored);
    answer = null;
  }
}

/** The answer of a user who has just verified the identity for this request; `null`: the user is asked. */
function* takeProof({ vault }: Deps, id: string): SagaGenerator<Answer | null> {
  const held = vault.get('openid');
  yield* call(vault.drop, 'openid');
  if (held?.id !== id || held.authVerificationToken === undefined) return null;
  yield* put(identityProved());
  return { allow: true, authVerificationToken: held.authVerificationToken };
}

/** Sends the answer and goes where the service says. */
function* send(deps: Deps, id: string, answer: Answer): SagaGenerator<'left' | 'refused' | 'unproved'> {
  for (;;) {
    const result = yield* call(post, deps, id, answer);
    if (result.ok) {
      yield* call(deps.navigation.leave, result.value);
      return 'left';
    }
    if (isUnproved(result.error)) return 'unproved';
    if (isFinal(result.error)) return 'refused';
    yield* call(untilRetried);
  }
}

/** An address that is not the provider's is a response of the wrong shape: it is not followed. */
function* post(deps: Deps, id: string, answer: Answer): SagaGenerator<ApiResult<AllowedUrl>> {
  // The token is read for each call, because it may have been refreshed.
  const token = readBearer(deps)?.token ?? '';
  return yield* callApi(async () => {
    const url = allowRedirect(await deps.api.openid.answer(token, id, answer), deps);
    if (!url?.startsWith(new URL(deps.config.serviceUrl + provider).href)) throw new ApiError('unexpected');
    return url;
  });
}

/** Repeats the call on 'Try Again' until the service responds; `null` if it refused. */
function* untilReached<T>(
  read: () => SagaGenerator<ApiResult<T> | null>,
): SagaGenerator<{ readonly value: T } | null> {
  for (;;) {
    const result = yield* call(read);
    if (result?.ok) return result;
    if (result && isFinal(result.error)) return null;
    yield* call(untilRetried);
  }
}

function* untilRetried(): SagaGenerator<void> {
  yield* put(requestUnreached());
  yield* take(requestRetried);
}

/** Whether the request cannot be answered any more. A 401 is about the session, which a refresh then renews or ends. */
const isFinal = (error: ApiError): boolean => isRefusal(error) && error.details.status !== 401;

const isUnproved = ({ details }: ApiError): boolean => details.serverCode === 'invalid_verification';

/** The purpose of verify identity that goes on to the application. The screen sends the answer. */
export const proofOfIdentity: Purpose = {
  *isAskedFor({ vault }) {
    return (yield* select(selectContinue)).phase === 'proving' && vault.get('openid') !== undefined;
  },
  *proved(deps) {
    const held = deps.vault.get('openid');
    const proof = deps.vault.get('verification');
    // The user may have left the screen meanwhile.
    if (!(yield* call(proofOfIdentity.isAskedFor, deps)) || !held || !proof) return null;
    const { authVerificationToken } = proof;
    yield* call(deps.vault.put<'openid'>, 'openid', { id: held.id, authVerificationToken });
    yield* call(deps.navigation.replace, `/continue/${encodeURIComponent(held.id)}`);
    return null;
  },
};

/** `/continue/{id}`. */
export const continueScreen: ScreenModule = { Screen: ContinueScreen, saga: continueToApplication };
