import { readAsBearer, readBearer, sessionMessages } from '@features/session';
import { showAlert, showWrongCode } from '@features/ui-dialogs';
import { troubleOf, type ApiError } from '@shared/api/apiError';
import type { Deps } from '@shared/deps';
import type { PasskeyOutcome, Passkeys } from '@shared/ports/ports';
import { askBrowser } from '@shared/sagas/askBrowser.saga';
import { call } from '@shared/sagas/call.saga';
import { callApi, type ApiResult } from '@shared/sagas/callApi.saga';
import { fillTextedCodes } from '@shared/sagas/fillTextedCodes.saga';
import { waitUntil } from '@shared/sagas/waitUntil.saga';
import type * as contract from '@vestibule/contract/schema';
import { fork, put, select, take, takeLeading } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import type { Confirmation } from './confirmations.calls';
import { confirmationMessages as words } from './confirmations.messages';
import {
  attemptEnded,
  codeEntryRestarted,
  codeRejected,
  codeSubmitted,
  confirmationClosed,
  confirmationEnded,
  newCodeNoticeEnded,
  newCodeRefused,
  newCodeRequested,
  newCodeSent,
  passkeyGiven,
  passkeyRequested,
  paymentDeclined,
  selectConfirmation,
  selectIsNewCodeAsked,
  selectWork,
  textRequested,
  textSent,
} from './confirmations.slice';

type Assertion = contract.PasskeyAssertionRequest['credential'];

/** How long the notice of a new code is shown, ms; until then no other code can be requested. */
const noticeForMs = 5000;

/** Handles what the user does while the payment is open, by one call at a time. It ends by being cancelled. */
export function* askForProof(deps: Deps, id: string): SagaGenerator<void> {
  yield* takeLeading(passkeyRequested, confirmByPasskey, deps, id);
  yield* takeLeading(textRequested, sendText, deps, id);
  yield* takeLeading(newCodeRequested, resendText, deps, id);
  yield* takeLeading(codeSubmitted, confirmByCode, deps, id);
  yield* takeLeading(paymentDeclined, decline, deps, id);
  yield* fork(fillCodes, deps);
}

/** Has the browser fill in the codes of text messages, from the first one that is sent. */
function* fillCodes(deps: Deps): SagaGenerator<void> {
  const state = yield* select(selectConfirmation);
  if (!('entry' in state && state.entry)) yield* take(textSent);
  yield* call(fillTextedCodes, deps);
}

/** The token is read for each call, because it may have been refreshed. */
const tokenOf = (deps: Deps): string => readBearer(deps)?.token ?? '';

function* confirmByPasskey(deps: Deps, id: string): SagaGenerator<void> {
  const state = yield* select(selectConfirmation);
  if (!('by' in state && state.by === 'passkey')) return;
  const { passkeyOptions, byPasskey } = deps.api.confirmations;
  const options = yield* callApi(passkeyOptions, tokenOf(deps), id);
  if (!options.ok) {
    yield* call(fail, options.error, words.passkeyError);
    return;
  }
  const { challengeToken, publicKey } = options.value;
  const outcome = yield* call(askBrowser<Assertion>, deps, async (browser, signal) => {
    const shown = await askPaymentWindow(deps, browser, { publicKey, payment: state.payment, signal });
    return shown ?? (await browser.get({ publicKey, conditional: false, signal }));
  });
  if (outcome.kind === 'given') {
    yield* put(passkeyGiven());
    const assertion = { challengeToken, credential: outcome.credential };
    const result = yield* callApi(byPasskey, tokenOf(deps), id, assertion);
    if (!result.ok && result.error.details.serverCode === 'passkey_refused')
      yield* fork(endAfterLast, deps, id);
    yield* call(conclude, result, words.passkeyError);
    return;
  }
  yield* put(attemptEnded());
  if (outcome.kind === 'failed') yield* call(showAlert, words.passkeyError);
}

/** Stored once no passkey could be used in the browser's own window: such a browser is not asked for it again. */
const unusableKey = 'payment-window';

/** @returns `null` where the browser's own dialog for passkeys has to ask */
async function askPaymentWindow(
  { storage }: Deps,
  browser: Passkeys,
  request: Parameters<Passkeys['signPayment']>[0],
): Promise<PasskeyOutcome<Assertion> | null> {
  if (storage.browser.read(unusableKey) !== null) return null;
  const outcome = await browser.signPayment<Assertion>(request);
  if (outcome.kind === 'unusable') storage.browser.write(unusableKey, outcome.kind);
  return outcome.kind === 'given' || outcome.kind === 'cancelled' ? outcome : null;
}

function* sendText(deps: Deps, id: string): SagaGenerator<void> {
  if ((yield* select(selectWork)) !== 'text') return;
  const result = yield* callApi(deps.api.confirmations.sendText, tokenOf(deps), id);
  if (result.ok) yield* put(textSent(result.value));
  else yield* call(fail, result.error);
}

function* resendText(deps: Deps, id: string): SagaGenerator<void> {
  if (!(yield* select(selectIsNewCodeAsked))) return;
  const result = yield* callApi(deps.api.confirmations.sendText, tokenOf(deps), id);
  if (!result.ok) {
    yield* put(newCodeRefused());
    yield* call(showFailure, result.error);
    return;
  }
  yield* put(newCodeSent());
  yield* call(waitUntil, deps.clock, deps.clock.now() + noticeForMs);
  yield* put(newCodeNoticeEnded());
}

function* confirmByCode(
  deps: Deps,
  id: string,
  { meta: { secret: code } }: ReturnType<typeof codeSubmitted>,
): SagaGenerator<void> {
  if ((yield* select(selectWork)) !== 'code') return;
  // A new code replaces the former one.
  if (yield* select(selectIsNewCodeAsked)) yield* take([newCodeSent, newCodeRefused]);
  const result = yield* callApi(deps.api.confirmations.byCode, tokenOf(deps), id, code);
  if (!result.ok && result.error.details.serverCode === 'code_wrong') {
    yield* put(codeRejected());
    yield* fork(endAfterLast, deps, id);
    yield* call(showWrongCode, deps.clock, codeEntryRestarted);
    return;
  }
  yield* call(conclude, result);
}

function* decline(deps: Deps, id: string): SagaGenerator<void> {
  if ((yield* select(selectWork)) !== 'decline') return;
  yield* call(conclude, yield* callApi(deps.api.confirmations.decline, tokenOf(deps), id));
}

/** The last of several failures ends a confirmation, which its response does not say. */
function* endAfterLast(deps: Deps, id: string): SagaGenerator<void> {
  const result = yield* readAsBearer(
    deps,
    async (token) => await deps.api.confirmations.confirmation(token, id),
  );
  if (result?.ok && result.value.state !== 'open')
    yield* put(confirmationEnded({ status: result.value.state }));
}

type Notice = Parameters<typeof showAlert>[0];

/** A confirmation that is still open after an accepted call is read again. */
function* conclude(result: ApiResult<Confirmation['state']>, notice?: Notice): SagaGenerator<void> {
  if (!result.ok) yield* call(fail, result.error, notice);
  else if (result.value === 'open') yield* put(confirmationClosed());
  else yield* put(confirmationEnded({ status: result.value }));
}

function* fail(error: ApiError, notice?: Notice): SagaGenerator<void> {
  // This comes before the dialog opens, because a dialog returns the focus to where it was.
  if (!isClosed(error)) yield* put(attemptEnded());
  yield* call(showFailure, error, notice);
}

/** Has a confirmation read again that has ended meanwhile, or is not the user's any more. Any other failure is shown. */
function* showFailure(
  error: ApiError,
  notice: Notice = { ...words.error, message: sessionMessages.fallback },
): SagaGenerator<void> {
  if (isClosed(error)) yield* put(confirmationClosed());
  else yield* call(showAlert, { ...notice, ...troubleOf(error) });
}

const isClosed = ({ details: { serverCode, status } }: ApiError): boolean =>
  serverCode === 'confirmation_closed' || status === 404;
