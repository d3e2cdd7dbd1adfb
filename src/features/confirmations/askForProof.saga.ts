import { readBearer, sessionMessages } from '@features/session';
import { showAlert, showWrongCode } from '@features/ui-dialogs';
import { troubleOf, type ApiError } from '@shared/api/apiError';
import type { Deps } from '@shared/deps';
import type { PasskeyOutcome, Passkeys } from '@shared/ports/ports';
import { askBrowser } from '@shared/sagas/askBrowser.saga';
import { call } from '@shared/sagas/call.saga';
import { callApi, type ApiResult } from '@shared/sagas/callApi.saga';
import { fillTextedCodes } from '@shared/sagas/fillTextedCodes.saga';
import { untilNoticeEnds } from '@shared/sagas/waitUntil.saga';
import type * as contract from '@vestibule/contract/schema';
import { fork, put, select, take, takeLeading } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { confirmationMessages as words } from './confirmations.messages';
import {
  attemptEnded,
  codeEntryRestarted,
  codeRejected,
  codeSubmitted,
  newCodeNoticeEnded,
  newCodeRefused,
  newCodeRequested,
  newCodeSent,
  passkeyGiven,
  passkeyRequested,
  selectIsNewCodeAsked,
  selectProof,
  selectWork,
  textRequested,
  textSent,
} from './proof.slice';

type Assertion = contract.PasskeyAssertionRequest['credential'];

/** What the user proves: its calls, and what follows them. */
export interface Proof<Result> {
  readonly passkeyOptions: (bearer: string) => Promise<contract.PasskeyRequestOptions>;
  readonly byPasskey: (bearer: string, given: contract.PasskeyAssertionRequest) => Promise<Result>;
  readonly sendText: (bearer: string) => Promise<contract.ConfirmationTextResponse>;
  readonly byCode: (bearer: string, code: string) => Promise<Result>;
  /** Asks before the browser's dialog for passkeys does. @returns `null` where that dialog has to ask */
  readonly askFirst?: (
    browser: Passkeys,
    request: Pick<Parameters<Passkeys['signPayment']>[0], 'publicKey' | 'signal'>,
  ) => Promise<PasskeyOutcome<Assertion> | null>;
  readonly accepted: (result: Result) => SagaGenerator<void>;
  /** Called after a refused passkey or a wrong code, beside its dialog. */
  readonly refused?: () => SagaGenerator<void>;
  /** Called for a failure after which the state has to be read again. */
  readonly outdated: (error: ApiError) => SagaGenerator<void>;
}

/** Handles what the user does for a proof, with one call at a time. It ends by being cancelled. */
export function* askForProof<Result>(deps: Deps, proof: Proof<Result>): SagaGenerator<void> {
  yield* takeLeading(passkeyRequested, proveByPasskey<Result>, deps, proof);
  yield* takeLeading(textRequested, sendText<Result>, deps, proof);
  yield* takeLeading(newCodeRequested, resendText<Result>, deps, proof);
  yield* takeLeading(codeSubmitted, proveByCode<Result>, deps, proof);
  yield* fork(fillCodes, deps);
}

/** Has the browser fill in the codes of text messages, from the first one that is sent. */
function* fillCodes(deps: Deps): SagaGenerator<void> {
  const state = yield* select(selectProof);
  if (!('entry' in state && state.entry)) yield* take(textSent);
  yield* call(fillTextedCodes, deps);
}

/** The token is read for each call, because it may have been refreshed. */
export const tokenOf = (deps: Deps): string => readBearer(deps)?.token ?? '';

function* proveByPasskey<Result>(deps: Deps, proof: Proof<Result>): SagaGenerator<void> {
  if ((yield* select(selectWork)) !== 'passkey') return;
  const options = yield* callApi(proof.passkeyOptions, tokenOf(deps));
  if (!options.ok) {
    yield* call(fail, proof, options.error, words.passkeyError);
    return;
  }
  const { challengeToken, publicKey } = options.value;
  const outcome = yield* call(askBrowser<Assertion>, deps, async (browser, signal) => {
    const given = await proof.askFirst?.(browser, { publicKey, signal });
    return given ?? (await browser.get({ publicKey, conditional: false, signal }));
  });
  if (outcome.kind === 'given') {
    yield* put(passkeyGiven());
    const assertion = { challengeToken, credential: outcome.credential };
    const result = yield* callApi(proof.byPasskey, tokenOf(deps), assertion);
    if (!result.ok && result.error.details.serverCode === 'passkey_refused' && proof.refused)
      yield* fork(proof.refused);
    yield* call(conclude<Result>, proof, result, words.passkeyError);
    return;
  }
  yield* put(attemptEnded());
  if (outcome.kind === 'failed') yield* call(showAlert, words.passkeyError);
}

function* sendText<Result>(deps: Deps, proof: Proof<Result>): SagaGenerator<void> {
  if ((yield* select(selectWork)) !== 'text') return;
  const result = yield* callApi(proof.sendText, tokenOf(deps));
  if (result.ok) yield* put(textSent(result.value));
  else yield* call(fail, proof, result.error);
}

function* resendText<Result>(deps: Deps, proof: Proof<Result>): SagaGenerator<void> {
  if (!(yield* select(selectIsNewCodeAsked))) return;
  const result = yield* callApi(proof.sendText, tokenOf(deps));
  if (!result.ok) {
    yield* put(newCodeRefused());
    yield* call(showFailure, proof, result.error);
    return;
  }
  yield* put(newCodeSent());
  yield* call(untilNoticeEnds, deps.clock);
  yield* put(newCodeNoticeEnded());
}

function* proveByCode<Result>(
  deps: Deps,
  proof: Proof<Result>,
  { meta: { secret: code } }: ReturnType<typeof codeSubmitted>,
): SagaGenerator<void> {
  if ((yield* select(selectWork)) !== 'code') return;
  // A new code replaces the former one.
  if (yield* select(selectIsNewCodeAsked)) yield* take([newCodeSent, newCodeRefused]);
  const result = yield* callApi(proof.byCode, tokenOf(deps), code);
  if (!result.ok && result.error.details.serverCode === 'code_wrong') {
    yield* put(codeRejected());
    if (proof.refused) yield* fork(proof.refused);
    yield* call(showWrongCode, deps.clock, codeEntryRestarted);
    return;
  }
  yield* call(conclude<Result>, proof, result);
}

type Notice = Parameters<typeof showAlert>[0];
type Outdating = Pick<Proof<unknown>, 'outdated'>;

/** Does what follows the response of a call that decides. */
export function* conclude<Result>(
  proof: Pick<Proof<Result>, 'accepted' | 'outdated'>,
  result: ApiResult<Result>,
  notice?: Notice,
): SagaGenerator<void> {
  if (result.ok) yield* call(proof.accepted, result.value);
  else yield* call(fail, proof, result.error, notice);
}

function* fail(proof: Outdating, error: ApiError, notice?: Notice): SagaGenerator<void> {
  // This comes before the dialog opens, because a dialog returns the focus to where it was.
  if (!isOutdated(error)) yield* put(attemptEnded());
  yield* call(showFailure, proof, error, notice);
}

function* showFailure(
  { outdated }: Outdating,
  error: ApiError,
  notice: Notice = { ...words.error, message: sessionMessages.fallback },
): SagaGenerator<void> {
  if (isOutdated(error)) yield* call(outdated, error);
  else yield* call(showAlert, { ...notice, ...troubleOf(error) });
}

const outdating: readonly unknown[] = ['confirmation_closed', 'identity_required', 'method_blocked'];

/** Whether the failure says that what the page shows is not possible any more. */
export const isOutdated = ({ details: { serverCode, status } }: ApiError): boolean =>
  outdating.includes(serverCode) || status === 404;
