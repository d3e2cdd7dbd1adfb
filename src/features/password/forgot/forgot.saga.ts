import { isExpired, readSession, tokenNow } from '@features/session';
import type { Deps } from '@shared/deps';
import { attempt } from '@shared/sagas/attempt.saga';
import { put, take } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { forgotEntered, forgotSubmitted, resetLinkSent } from './forgot.slice';
import { isVerifyMode } from './verifyMode';

type ForgotDeps = Pick<Deps, 'api' | 'clock' | 'config' | 'cookies' | 'log' | 'navigation' | 'notes'>;

/** `/forgot-password`: asks for a reset link as often as it is sent (specification §2, §4). */
export function* forgot(deps: ForgotDeps): SagaGenerator<never> {
  yield* put(forgotEntered(knownEmail(deps)));
  for (;;) {
    const { payload: email } = yield* take(forgotSubmitted);
    const answer = yield* attempt(deps.api.password.forgot, email);
    // The screen says the same either way, so the log is where a failure can be seen.
    if (!answer.ok) deps.log.warn('forgot-password failed', { kind: answer.error.kind });
    yield* put(resetLinkSent());
  }
}

/** In verify mode the account's own e-mail (decisions §9), as long as its session lasts. */
function knownEmail(deps: ForgotDeps): string {
  const stored = isVerifyMode(deps.navigation.current().search) ? readSession(deps) : null;
  const isHere = stored?.kind === 'present' && !isExpired(stored.claims, tokenNow(deps));
  return isHere ? stored.claims.email : '';
}
