import { readTrustedToken } from '@features/session';
import { attempt } from '@shared/sagas/attempt.saga';
import { call } from '@shared/sagas/call.saga';
import { put } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { describeTokenError } from '../auth.errors';
import type { AfterTokenDeps } from './afterToken.saga';
import type { Person } from './person';
import { concludeAttempt } from './concludeAttempt.saga';
import { signInFailed } from './signIn.slice';

/** Signs in with the password (specification §4, login flow). One call for one submit; never retried by itself. */
export function* passwordSignIn(
  deps: AfterTokenDeps,
  { username, rememberMe }: Pick<Person, 'username' | 'rememberMe'>,
  password: string,
): SagaGenerator<void> {
  const trustedJWT = readTrustedToken(deps, username);
  const answer = yield* attempt(deps.api.auth.token, {
    username,
    method: 'basic',
    password,
    ...(trustedJWT === undefined ? {} : { trustedJWT }),
  });
  if (answer.ok) yield* call(concludeAttempt, deps, answer.value, { username, rememberMe, method: 'basic' });
  else yield* put(signInFailed(describeTokenError(answer.error, 'basic')));
}
