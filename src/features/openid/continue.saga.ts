import {
  allowConfigured,
  allowRedirect,
  keepReturn,
  readAsBearer,
  readBearer,
  sessionRestored,
} from '@features/session';
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
  applicationOpened,
  continueEntered,
  identityProved,
  requestAnswered,
  requestEnded,
  requestLoaded,
  requestRetried,
  requestUnreached,
  selectContinue,
} from './continue.slice';
import type { RequestOver } from './openid.calls';
import { provider } from './provider';
import { askForCode, type Outcome } from './secondStep.saga';

/** The user's answer, with the proof where one was asked for. */
interface Answer {
  readonly allow: boolean;
  readonly authVerificationToken?: string;
  readonly code?: string;
}

/** The answer of a user who has just verified the identity. */
interface ProvedAnswer extends Answer {
  readonly authVerificationToken: string;
  readonly isFirstStep: boolean;
}

const addressOf = (id: string): string => `/continue/${encodeURIComponent(id)}`;

/** `/continue/{id}`: asks whether to go on to an application that signs its users in by OpenID Connect. */
function* continueToApplication(deps: Deps, { params }: Visit): SagaGenerator<void> {
  const id = linkIdIn(params['id']);
  if (id === null || !(yield* call(decide, deps, id)))
    yield* call(deps.navigation.replace, paths.unauthorized());
}

/**
 * Loads the request, asks, and goes on; again where the service wants another proof, and when the user comes back.
 *
 * @returns `false` if the request is unknown or over, and the application cannot begin anew
 */
function* decide(deps: Deps, id: string): SagaGenerator<boolean> {
  let proved = yield* call(takeProof, deps, id);
  for (;;) {
    const outcome = proved ? yield* call(goOn, deps, id, proved) : yield* call(ask, deps, id);
    proved = null;
    if (outcome === 'proving') return true;
    if (outcome === 'refused') return false;
    if (typeof outcome === 'object' && 'over' in outcome) {
      if (!(yield* call(offerApplication, deps, outcome))) return false;
    } else if (outcome === 'left') {
      // The browser may come back to this page after the service has sent it on.
      yield* take(sessionRestored);
    }
  }
}

/** Loads the request and asks the user. `proving`: the identity is verified first. */
function* ask(deps: Deps, id: string): SagaGenerator<Outcome | 'proving'> {
  yield* put(continueEntered());
  const request = yield* untilReached(() =>
    readAsBearer(deps, async (token) => await deps.api.openid.request(token, id)),
  );
  if (!request) return 'refused';
  if ('over' in request.value) return request.value;
  yield* put(requestLoaded(request.value));
  const { payload: answer } = yield* take(requestAnswered);
  if ((yield* select(selectContinue)).phase !== 'proving') return yield* call(send, deps, id, answer);
  yield* call(deps.vault.put<'openid'>, 'openid', { id });
  // The user may reset the password instead.
  yield* call(keepReturn, deps, addressOf(id));
  yield* call(deps.navigation.push, paths.askPassword('continue'));
  return 'proving';
}

/** The answer of a user who has just verified the identity for this request; `null`: the user is asked. */
function* takeProof({ vault }: Deps, id: string): SagaGenerator<ProvedAnswer | null> {
  const held = vault.get('openid');
  yield* call(vault.drop, 'openid');
  if (held?.id !== id || held.authVerificationToken === undefined) return null;
  yield* put(identityProved());
  const { authVerificationToken, isFirstStep = false } = held;
  return { allow: true, authVerificationToken, isFirstStep };
}

/** Sends the answer after a proof, with the code of the second step where there is one. */
function* goOn(deps: Deps, id: string, { isFirstStep, ...answer }: ProvedAnswer): SagaGenerator<Outcome> {
  const state = yield* select(selectContinue);
  const needsCode = isFirstStep && 'request' in state && state.request.needsCode;
  const outcome = needsCode ? 'codeWrong' : yield* call(send, deps, id, answer);
  // The second step may have been set up since the request was loaded.
  if (outcome !== 'codeWrong') return outcome;
  const { authVerificationToken } = answer;
  return yield* call(askForCode, deps, {
    sendCode: () =>
      callApi(async () => await deps.api.openid.sendCode(tokenOf(deps), id, { authVerificationToken })),
    answer: (code) => send(deps, id, code === null ? { allow: false } : { ...answer, code }),
    outcomeOf,
    untilRetried,
  });
}

/** Offers to begin anew at the application. @returns `false` if that is not possible; `true` when the browser came back */
function* offerApplication(deps: Deps, { over }: RequestOver): SagaGenerator<boolean> {
  const url = over && allowConfigured(over.url);
  if (!url) return false;
  yield* put(requestEnded(over));
  yield* take(applicationOpened);
  yield* call(deps.navigation.leave, url);
  yield* take(sessionRestored);
  return true;
}

/** Sends the answer and goes where the service says. */
function* send(deps: Deps, id: string, answer: Answer): SagaGenerator<Outcome> {
  for (;;) {
    const result = yield* call(post, deps, id, answer);
    if (result.ok) {
      if (typeof result.value === 'object') return result.value;
      yield* call(deps.navigation.leave, result.value);
      return 'left';
    }
    const outcome = outcomeOf(result.error);
    if (outcome) return outcome;
    yield* call(untilRetried);
  }
}

/** How a failure ends the request; `null`: the call can be made again. */
function outcomeOf(error: ApiError): Outcome | null {
  if (error.details.serverCode === 'code_wrong') return 'codeWrong';
  if (error.details.serverCode === 'invalid_verification') return { unproved: error };
  return isFinal(error) ? 'refused' : null;
}

/** An address that is not the provider's is a response of the wrong shape: it is not followed. */
function* post(deps: Deps, id: string, answer: Answer): SagaGenerator<ApiResult<AllowedUrl | RequestOver>> {
  return yield* callApi(async () => {
    const answered = await deps.api.openid.answer(tokenOf(deps), id, answer);
    if (typeof answered === 'object') return answered;
    const url = allowRedirect(answered, deps);
    if (!url?.startsWith(new URL(deps.config.serviceUrl + provider).href)) throw new ApiError('unexpected');
    return url;
  });
}

/** The token is read for each call, because it may have been refreshed. */
const tokenOf = (deps: Deps): string => readBearer(deps)?.token ?? '';

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
    const { authVerificationToken, byOtherWay } = proof;
    const isFirstStep = byOtherWay !== true;
    yield* call(deps.vault.put<'openid'>, 'openid', { id: held.id, authVerificationToken, isFirstStep });
    yield* call(keepReturn, deps, null);
    yield* call(deps.navigation.replace, addressOf(held.id));
    return null;
  },
};

/** `/continue/{id}`. */
export const continueScreen: ScreenModule = { Screen: ContinueScreen, saga: continueToApplication };
