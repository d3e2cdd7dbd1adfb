import type { TokenAnswer } from '@shared/api/api';
import type { Deps } from '@shared/deps';
import { paths } from '@shared/routing/paths';
import type { RouteState } from '@shared/routing/room';
import { attempt, type Attempt } from '@shared/sagas/attempt.saga';
import { call } from '@shared/sagas/call.saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { authMessages } from '../auth.messages';
import type { AfterTokenDeps } from '../sign-in/afterToken.saga';
import type { Challenge } from './challenge.slice';

/** What the code screen needs of the outside. */
export type ChallengeDeps = AfterTokenDeps;

/** What tells the token calls of the second step apart (decisions §15). */
type Purpose = { readonly mfaCode: string; readonly trust?: true } | { readonly resend: true };

/**
 * Makes one token call of the second step, with what the vault holds of the challenge; never retried by itself.
 *
 * @returns what became of it; `null`: the second step is over, and `/login` has been gone to, with the message of a
 *   lockout (specification §4, MFA code screen)
 */
export function* challengeCall(
  deps: ChallengeDeps,
  { username, method }: Challenge,
  purpose: Purpose,
): SagaGenerator<Attempt<TokenAnswer> | null> {
  const held = deps.vault.get('challenge');
  if (!held) {
    yield* call(returnToLogin, deps);
    return null;
  }
  const answer = yield* attempt(deps.api.auth.token, { username, method, ...held, ...purpose });
  const message = answer.ok ? undefined : answer.error.details.serverMessage;
  if (!message?.includes(authMessages.challenge.lockoutMark)) return answer;
  yield* call(returnToLogin, deps, { lockoutMessage: message });
  return null;
}

/** Back to the first step, in the place of this one; the query goes along. Comes last: it ends the screen's work. */
export function* returnToLogin(
  { navigation }: Pick<Deps, 'navigation'>,
  state?: RouteState,
): SagaGenerator<void> {
  yield* call(navigation.replace, paths.login(navigation.current().search), state);
}
