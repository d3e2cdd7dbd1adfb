import { readAsBearer, sessionRestored } from '@features/session';
import type { Deps } from '@shared/deps';
import { call } from '@shared/sagas/call.saga';
import { callApi } from '@shared/sagas/callApi.saga';
import { timeUntil } from '@shared/sagas/waitUntil.saga';
import { delay, fork, put, race, select, take, takeLeading } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { askForProof, conclude, tokenOf, type Proof } from './askForProof.saga';
import type { Confirmation } from './confirmations.calls';
import {
  confirmationClosed,
  confirmationEnded,
  identityRequested,
  selectPayment,
  timeCounted,
  type Ending,
  type Method,
  type Payment,
} from './confirmations.slice';
import { untilDue } from './methodsOf.saga';
import { askPaymentWindow } from './paymentWindow';
import {
  attemptEnded,
  codeRejected,
  passkeyRequested,
  paymentDeclined,
  selectProof,
  selectWork,
  textRequested,
} from './proof.slice';
import { verifyFirst } from './proofOfIdentity.saga';

/** What is read of an open payment. Times are ms since 1970, by the clock of the browser. */
interface OpenPayment {
  readonly id: string;
  readonly payment: Payment;
  readonly expiresAt: number;
  /** When methods that cannot be used now may become usable. */
  readonly changesAt: readonly number[];
}

/**
 * Asks the user for a proof, counts the time left, and waits for anything else that ends the payment.
 *
 * @returns how the confirmation has ended; `null` if it has to be read again
 */
export function* untilEnded(
  deps: Deps,
  open: OpenPayment,
  goesOnBy: Method | null,
): SagaGenerator<Ending | null> {
  const { ended, isOver } = yield* race({
    asking: call(ask, deps, open, goesOnBy),
    ended: take(confirmationEnded),
    closed: take(confirmationClosed),
    restored: take(sessionRestored),
    changed: call(untilChanged, deps, open.changesAt),
    isOver: call(untilExpired, deps, open.expiresAt),
  });
  if (isOver) yield* put(confirmationEnded({ status: 'expired' }));
  return ended ? ended.payload.status : isOver ? 'expired' : null;
}

/** Asks for a proof, or for identity first. It ends by being cancelled. */
function* ask(deps: Deps, { id, payment }: OpenPayment, goesOnBy: Method | null): SagaGenerator<void> {
  const { passkeyOptions, byPasskey, sendText, byCode } = deps.api.confirmations;
  const proof: Proof<Confirmation['state']> = {
    passkeyOptions: (bearer) => passkeyOptions(bearer, id),
    byPasskey: (bearer, given) => byPasskey(bearer, id, given),
    sendText: (bearer) => sendText(bearer, id),
    byCode: (bearer, code) => byCode(bearer, id, code),
    askFirst: (browser, request) => askPaymentWindow(deps, id, browser, { ...request, payment }),
    accepted: conclusion,
    refused: () => readAfterRefusal(deps, id),
    outdated: readAgain,
  };
  yield* fork(askForProof<Confirmation['state']>, deps, proof);
  yield* takeLeading(paymentDeclined, decline, deps, id, proof);
  yield* takeLeading(identityRequested, verifyFirst, deps);
  const { phase, ...state } = yield* select(selectPayment);
  // Otherwise a service that still requires a proof of identity would be asked in a loop.
  if (goesOnBy && phase === 'open' && 'needsIdentity' in state && !state.needsIdentity)
    yield* put(goesOnBy === 'passkey' ? passkeyRequested() : textRequested());
}

/** A confirmation that is still open after an accepted call is read again. */
function* conclusion(state: Confirmation['state']): SagaGenerator<void> {
  yield* state === 'open' ? call(readAgain) : put(confirmationEnded({ status: state }));
}

function* readAgain(): SagaGenerator<void> {
  yield* put(confirmationClosed());
}

function* decline(deps: Deps, id: string, proof: Proof<Confirmation['state']>): SagaGenerator<void> {
  if ((yield* select(selectWork)) !== 'decline') return;
  const result = yield* callApi(deps.api.confirmations.decline, tokenOf(deps), id);
  yield* call(conclude<Confirmation['state']>, proof, result);
}

/** The fifth failure ends a confirmation or blocks a method, which its response does not say. */
function* readAfterRefusal(deps: Deps, id: string): SagaGenerator<void> {
  const result = yield* readAsBearer(
    deps,
    async (token) => await deps.api.confirmations.confirmation(token, id),
  );
  if (!result?.ok) return;
  const { state, blockedUntil } = result.value;
  if (state !== 'open') yield* put(confirmationEnded({ status: state }));
  else if (blockedUntil !== null) yield* call(readAgain);
}

/** Returns when a method may have become usable, but not during an attempt by another one. */
function* untilChanged(deps: Deps, times: readonly number[]): SagaGenerator<true> {
  yield* call(untilDue, deps, times);
  while ((yield* select(selectProof)).phase !== 'asking') yield* take('*');
  return true;
}

function* untilExpired({ clock }: Deps, expiresAt: number): SagaGenerator<true> {
  const left = timeUntil(clock, expiresAt);
  for (let rest = left(); rest > 0; rest = left()) {
    const seconds = Math.ceil(rest / 1000);
    const state = yield* select(selectPayment);
    if ('secondsLeft' in state && state.secondsLeft !== seconds) yield* put(timeCounted(seconds));
    yield* delay(rest - (seconds - 1) * 1000);
  }
  // The proof may have reached the service in time, which its response says.
  if ((yield* select(selectProof)).phase === 'deciding') yield* take([attemptEnded, codeRejected]);
  return true;
}
