import { call } from '@shared/sagas/call.saga';
import { waitUntil } from '@shared/sagas/waitUntil.saga';
import { put, select } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { describeTokenError } from '../auth.errors';
import { showLoginError } from '../sign-in/showLoginError.saga';
import {
  newCodeNoticeEnded,
  newCodeRefused,
  newCodeSent,
  selectIsNewCodeAsked,
  type Challenge,
} from './challenge.slice';
import { challengeCall, type ChallengeDeps } from './challengeCall.saga';

/** How long it is said that a new code was sent, and no other can be asked for, ms (specification §9). */
const saidForMs = 5000;

/**
 * Asks for another text message (specification §4, MFA code screen; decisions §15). Whatever is answered, nobody is
 * signed in by it.
 */
export function* resendCode(deps: ChallengeDeps, challenge: Challenge): SagaGenerator<void> {
  if (!(yield* select(selectIsNewCodeAsked))) return;
  const answer = yield* call(challengeCall, deps, challenge, { resend: true });
  if (!answer) return;
  if (!answer.ok) {
    yield* put(newCodeRefused());
    yield* call(showLoginError, describeTokenError(answer.error, challenge.method));
    return;
  }
  yield* call(holdToken, deps, answer.value.authVerificationToken);
  yield* put(newCodeSent());
  yield* call(waitUntil, deps.clock, deps.clock.now() + saidForMs);
  yield* put(newCodeNoticeEnded());
}

/** The new text message may belong to a verification token of its own. */
function* holdToken(
  { vault }: Pick<ChallengeDeps, 'vault'>,
  authVerificationToken: string | undefined,
): SagaGenerator<void> {
  const held = vault.get('challenge');
  if (!held || authVerificationToken === undefined) return;
  yield* call(vault.put<'challenge'>, 'challenge', { ...held, authVerificationToken });
}
