import { showAlert, showWrongCode } from '@features/ui-dialogs';
import { troubleOf } from '@shared/api/apiError';
import type { TokenResponse } from '@shared/api/decoders';
import type { Deps } from '@shared/deps';
import { wayEnded, wayRequested, type EnteredCode } from '@shared/slots';
import { paths } from '@vestibule/contract/paths';
import { callApi, type ApiResult } from '@shared/sagas/callApi.saga';
import { call } from '@shared/sagas/call.saga';
import { fillTextedCodes } from '@shared/sagas/fillTextedCodes.saga';
import { untilNoticeEnds } from '@shared/sagas/waitUntil.saga';
import { withChannel } from '@shared/sagas/withChannel.saga';
import { fork, put, select, take, takeLeading } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { describeTokenError } from '../auth.errors';
import { authMessages } from '../auth.messages';
import { refusalMessages } from '../refusals.messages';
import type { Challenge } from '../token-response/tokenResponse';
import { finishSignIn, followTokenResponse } from '../token-response/tokenResponse.saga';
import { loadWay } from '../loadWay';
import {
  challengeDropped,
  challengeOpened,
  codeEntryRestarted,
  codeRejected,
  codeSubmitted,
  newCodeNoticeEnded,
  newCodeRefused,
  newCodeRequested,
  newCodeSent,
  selectChallenge,
  selectIsCheckingCode,
  selectIsNewCodeAsked,
} from './challenge.slice';

/** Handles what the user does at `/two-auth`, until the screen is left. See docs/behaviour.md#challenge. */
export function* enterCode(deps: Deps, challenge: Challenge): SagaGenerator<void> {
  yield* takeLeading(codeSubmitted, submitCode, deps, challenge);
  yield* takeLeading(newCodeRequested, resendCode, deps, challenge);
  yield* takeLeading(wayRequested, useWay, deps, challenge);
  if (challenge.secondStep === 'text') yield* fork(fillTextedCodes, deps);
  yield* withChannel(deps.pageLife.subscribe, function* (events) {
    yield* put(challengeOpened());
    while ((yield* take(events)) !== 'restored');
  });
  // A page that returns from the back/forward cache has an empty vault.
  yield* call(returnToLogin, deps);
}

/** Signs in with the code, by one call for each submit. */
function* submitCode(
  deps: Deps,
  challenge: Challenge,
  { payload: { trust }, meta: { secret: code } }: ReturnType<typeof codeSubmitted>,
): SagaGenerator<void> {
  if (!(yield* select(selectIsCheckingCode))) return;
  // The response to 'Resend' may contain a new verification token, which this call then needs.
  if (yield* select(selectIsNewCodeAsked)) yield* take([newCodeSent, newCodeRefused]);
  const state = yield* select(selectChallenge);
  const by = 'by' in state ? state.by : null;
  const result = yield* call(requestToken, deps, challenge, { by, code, trust });
  if (!result) return;
  if (!result.ok) {
    const trouble = troubleOf(result.error);
    yield* put(codeRejected({ keepsCode: 'trouble' in trouble }));
    yield* call(showWrongCode, deps.clock, codeEntryRestarted, trouble);
    return;
  }
  const { username, method } = challenge;
  // A response that requires another challenge counts as a failure.
  const failure = result.value.mfaRequired
    ? { message: refusalMessages.challengeBroken }
    : yield* call(followTokenResponse, deps, result.value, { username, method });
  if (!failure) {
    // The button stays busy until the screen is left.
    yield* take(challengeDropped);
    return;
  }
  // This comes before the dialog opens, because a dialog returns the focus to where it was.
  yield* put(codeEntryRestarted());
  yield* call(showAlert, { ...authMessages.loginError, ...failure });
}

/** Signs in by another way, without a code. */
function* useWay(
  deps: Deps,
  { username }: Challenge,
  { payload }: ReturnType<typeof wayRequested>,
): SagaGenerator<void> {
  if ((yield* select(selectChallenge)).phase !== 'otherWay') return;
  const { signIn } = yield* call(loadWay, deps, payload);
  if (signIn) yield* call(signIn, deps, { username }, finishSignIn);
  else yield* put(wayEnded());
}

/** Requests another text message; no response to it signs in. See docs/behaviour.md#resend. */
function* resendCode(deps: Deps, challenge: Challenge): SagaGenerator<void> {
  if (!(yield* select(selectIsNewCodeAsked))) return;
  const result = yield* call(requestToken, deps, challenge, { resend: true });
  if (!result) return;
  if (!result.ok) {
    yield* put(newCodeRefused());
    const failure = describeTokenError(result.error, challenge.method);
    yield* call(showAlert, { ...authMessages.loginError, ...failure });
    return;
  }
  // The new text message may have its own verification token.
  const { authVerificationToken } = result.value;
  const held = deps.vault.get('challenge');
  if (held && authVerificationToken !== undefined)
    yield* call(deps.vault.put<'challenge'>, 'challenge', { ...held, authVerificationToken });
  yield* put(newCodeSent());
  yield* call(untilNoticeEnds, deps.clock);
  yield* put(newCodeNoticeEnded());
}

/** What the token call is for. `by` is the feature whose form was submitted. */
type Purpose = (EnteredCode & { readonly by: string | null }) | { readonly resend: true };

/**
 * Makes one token call of the challenge, with its secrets from the vault. The call is never retried automatically.
 *
 * @returns `null` when the vault has lost the challenge, and `/login` is opened
 */
function* requestToken(
  deps: Deps,
  { username, method }: Challenge,
  purpose: Purpose,
): SagaGenerator<ApiResult<TokenResponse> | null> {
  const held = deps.vault.get('challenge');
  if (!held) {
    yield* call(returnToLogin, deps);
    return null;
  }
  const { authVerificationToken } = held;
  const known = { username, method };
  if ('resend' in purpose) return yield* callApi(deps.api.auth.token, { ...known, ...held, ...purpose });
  const { by, code, trust } = purpose;
  const way = deps.features.find(({ name }) => name === by)?.secondStep;
  // A form of another feature needs only the verification token of the challenge.
  if (way) return yield* callApi(way.use, deps.api, { ...known, authVerificationToken }, { code, trust });
  const entered = { mfaCode: code, ...(trust ? ({ trust } as const) : {}) };
  return yield* callApi(deps.api.auth.token, { ...known, ...held, ...entered });
}

/** Replaces `/two-auth` by `/login`, with the same query. This cancels the caller, because it leaves the screen. */
function* returnToLogin({ navigation }: Deps): SagaGenerator<void> {
  yield* call(navigation.replace, paths.login(navigation.current().search));
}
