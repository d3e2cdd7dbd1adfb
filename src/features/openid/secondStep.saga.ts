import { sessionMessages } from '@features/session';
import { showAlert, showWrongCode } from '@features/ui-dialogs';
import { troubleOf, type ApiError } from '@shared/api/apiError';
import type { Deps } from '@shared/deps';
import { call } from '@shared/sagas/call.saga';
import type { ApiResult } from '@shared/sagas/callApi.saga';
import { fillTextedCodes } from '@shared/sagas/fillTextedCodes.saga';
import { untilNoticeEnds } from '@shared/sagas/waitUntil.saga';
import { cancel, fork, put, race, select, take } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { continueMessages as words } from './continue.messages';
import {
  codeAsked,
  codeEntryRestarted,
  codeRejected,
  codeSubmitted,
  newCodeNoticeEnded,
  newCodeRefused,
  newCodeRequested,
  newCodeSent,
  requestAnswered,
  selectContinue,
  selectIsNewCodeAsked,
} from './continue.slice';
import type { RequestOver, SentCode } from './openid.calls';

/** How a request goes on: the answer was accepted, it cannot be answered any more, or the user has to be asked again. */
export type Outcome = 'left' | 'refused' | 'codeWrong' | { readonly unproved: ApiError } | RequestOver;

/** What the code is asked for with. */
export interface CodeCalls {
  /** Sends a text message, or says that an authenticator app has the code. */
  readonly sendCode: () => SagaGenerator<ApiResult<SentCode | RequestOver>>;
  /** Sends the answer with the code, or without one to cancel. */
  readonly answer: (code: string | null) => SagaGenerator<Outcome>;
  /** How a failure ends the request; `null`: the call can be made again. */
  readonly outcomeOf: (error: ApiError) => Outcome | null;
  readonly untilRetried: () => SagaGenerator<void>;
}

/** Asks for the code of the second step, until the answer with it is accepted, cancelled or not possible any more. */
export function* askForCode(deps: Deps, calls: CodeCalls): SagaGenerator<Outcome> {
  const sent = yield* call(untilSent, calls);
  const isSent = typeof sent === 'object' && 'lastFourPhone' in sent;
  const outcome = isSent ? yield* call(untilAnswered, deps, calls, sent) : sent;
  // Otherwise the user would not know why the request is asked again.
  if (typeof outcome === 'object' && 'unproved' in outcome) yield* call(showFailure, outcome.unproved);
  return outcome;
}

function* untilSent({ sendCode, outcomeOf, untilRetried }: CodeCalls): SagaGenerator<SentCode | Outcome> {
  for (;;) {
    const result = yield* call(sendCode);
    if (result.ok) return result.value;
    const { error } = result;
    // Too many text messages were sent.
    const outcome = error.details.status === 429 ? { unproved: error } : outcomeOf(error);
    if (outcome) return outcome;
    yield* call(untilRetried);
  }
}

function* untilAnswered(deps: Deps, calls: CodeCalls, sent: SentCode): SagaGenerator<Outcome> {
  yield* put(codeAsked(sent));
  const filling = sent.lastFourPhone === null ? null : yield* fork(fillTextedCodes, deps);
  const { right, over } = yield* race({
    right: call(untilRight, deps, calls),
    over: call(resend, deps, calls),
    cancelled: take(requestAnswered),
  });
  if (filling) yield* cancel(filling);
  return right ?? over ?? (yield* call(calls.answer, null));
}

function* untilRight(deps: Deps, { answer }: CodeCalls): SagaGenerator<Outcome> {
  for (;;) {
    const { meta } = yield* take(codeSubmitted);
    if ((yield* select(selectContinue)).phase !== 'checking') continue;
    // A new code replaces the former one.
    if (yield* select(selectIsNewCodeAsked)) yield* take([newCodeSent, newCodeRefused]);
    const outcome = yield* call(answer, meta.secret);
    if (outcome !== 'codeWrong') return outcome;
    yield* put(codeRejected());
    yield* call(showWrongCode, deps.clock, codeEntryRestarted);
  }
}

/** Sends another text message at each press of 'Resend', until the request is over. */
function* resend(deps: Deps, calls: CodeCalls): SagaGenerator<Outcome> {
  for (;;) {
    yield* take(newCodeRequested);
    if (!(yield* select(selectIsNewCodeAsked))) continue;
    const result = yield* call(calls.sendCode);
    if (!result.ok) {
      const outcome = calls.outcomeOf(result.error);
      if (outcome) return outcome;
      yield* put(newCodeRefused());
      yield* call(showFailure, result.error);
      continue;
    }
    if ('over' in result.value) return result.value;
    yield* put(newCodeSent());
    yield* call(untilNoticeEnds, deps.clock);
    yield* put(newCodeNoticeEnded());
  }
}

function* showFailure(error: ApiError): SagaGenerator<void> {
  const message = error.details.serverMessage ?? sessionMessages.fallback;
  yield* call(showAlert, { ...words.codeError, message, ...troubleOf(error) });
}
