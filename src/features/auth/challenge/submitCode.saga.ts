import { leaveFor, whereTo, writeTrustedToken, type Claims } from '@features/session';
import { showAlert } from '@features/ui-dialogs';
import type { TokenAnswer } from '@shared/api/api';
import { call } from '@shared/sagas/call.saga';
import { waitUntil } from '@shared/sagas/waitUntil.saga';
import { fork, put, select, take } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { authMessages } from '../auth.messages';
import { afterToken } from '../sign-in/afterToken.saga';
import { showLoginError } from '../sign-in/showLoginError.saga';
import {
  codeEntryRestarted,
  codeRejected,
  newCodeRefused,
  newCodeSent,
  selectIsCheckingCode,
  selectIsNewCodeAsked,
  type Challenge,
  type codeSubmitted,
} from './challenge.slice';
import { challengeCall, returnToLogin, type ChallengeDeps } from './challengeCall.saga';

/** How long the boxes are red after a wrong code, ms (specification §9). */
const redForMs = 1500;

/** Signs in with the code (specification §4, MFA code screen). One call for one submit. */
export function* submitCode(
  deps: ChallengeDeps,
  challenge: Challenge,
  { payload: { trust }, meta: { secret: mfaCode } }: ReturnType<typeof codeSubmitted>,
): SagaGenerator<void> {
  if (!(yield* select(selectIsCheckingCode))) return;
  // A new code may bring another verification token, without which this one would be refused.
  if (yield* select(selectIsNewCodeAsked)) yield* take([newCodeSent, newCodeRefused]);
  const answer = yield* call(challengeCall, deps, challenge, { mfaCode, ...(trust ? { trust } : {}) });
  if (!answer) return;
  const failure = answer.ok ? yield* call(signIn, deps, challenge, answer.value) : null;
  if (failure === null) yield* call(tellWrongCode, deps);
  else yield* call(tellFailure, failure);
}

/** @returns why nobody was signed in; not at all otherwise: the button stays busy until the browser has left */
function* signIn(deps: ChallengeDeps, challenge: Challenge, answer: TokenAnswer): SagaGenerator<string> {
  // Asked for a second step by the second step, nobody would ever arrive.
  if (answer.mfaRequired) return authMessages.errors.challengeBroken;
  const { username, method } = challenge;
  const outcome = yield* call(afterToken, deps, answer, { username, method });
  if (outcome.kind === 'failed') return outcome.message;
  if (outcome.kind === 'signedIn') {
    keepTrust(deps, challenge, answer);
    yield* call(leave, deps, outcome.claims);
  }
  return yield* call(() => new Promise<never>(() => undefined));
}

/** Without it the code is asked for again next time: no reason to stop somebody who has signed in. */
function keepTrust(deps: ChallengeDeps, { username }: Challenge, { trustedToken }: TokenAnswer): void {
  if (trustedToken === undefined || writeTrustedToken(deps, username, trustedToken)) return;
  deps.log.warn('trusted token not kept');
}

/** In a parent's frame nothing is gone to, and `/login` says that one is signed in (decisions §6). */
function* leave(deps: ChallengeDeps, claims: Claims): SagaGenerator<void> {
  const destination = whereTo(deps, claims);
  if (destination.kind === 'stay') yield* call(returnToLogin, deps);
  else yield* call(leaveFor, deps, destination);
}

/** The code was right and is spent, but nobody is signed in. */
function* tellFailure(message: string): SagaGenerator<void> {
  // Before the dialog, which gives the focus back to where it was.
  yield* put(codeEntryRestarted());
  yield* call(showLoginError, message);
}

function* tellWrongCode(deps: ChallengeDeps): SagaGenerator<void> {
  const { title, message, ok } = authMessages.challenge.wrongCode;
  yield* put(codeRejected());
  const red = yield* fork(endRed, deps);
  yield* call(showAlert, { id: 'wrong-code', title, message, confirmLabel: ok });
  // While the dialog was open, nothing behind it could take the focus.
  if (!red.isRunning()) yield* put(codeEntryRestarted());
}

function* endRed({ clock }: ChallengeDeps): SagaGenerator<void> {
  yield* call(waitUntil, clock, clock.now() + redForMs);
  yield* put(codeEntryRestarted());
}
