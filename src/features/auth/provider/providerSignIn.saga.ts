import { readTrustedToken } from '@features/session';
import type { LoginMethod } from '@shared/api/api';
import { attempt } from '@shared/sagas/attempt.saga';
import { call } from '@shared/sagas/call.saga';
import { put } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { describeTokenError } from '../auth.errors';
import type { AfterTokenDeps } from '../sign-in/afterToken.saga';
import type { Person } from '../sign-in/person';
import { concludeAttempt } from '../sign-in/concludeAttempt.saga';
import {
  providerBlocked,
  providerCodeReceived,
  providerEnded,
  providerMaybeClosed,
  signInFailed,
} from '../sign-in/signIn.slice';
import { loginHintOf } from './loginHint';
import { providerCode } from './providerCode.saga';
import type { ProviderDeps } from './providerFlow';

/** What signing in through a provider needs of the outside. */
export type ProviderSignInDeps = AfterTokenDeps & ProviderDeps;

const events = { blocked: providerBlocked, maybeClosed: providerMaybeClosed, failed: signInFailed };

/** A provider among the login methods. */
export type ProviderOffer = Exclude<LoginMethod, { method: 'basic' }>;

/** Signs in through a provider (specification §4, login flow 3). One exchange for one code; never retried by itself. */
export function* providerSignIn(
  deps: ProviderSignInDeps,
  { username, rememberMe }: Pick<Person, 'username' | 'rememberMe'>,
  offer: ProviderOffer,
): SagaGenerator<void> {
  const received = yield* call(
    providerCode,
    deps,
    { offer, loginHint: loginHintOf(username), forced: false },
    events,
  );
  if (!received) {
    yield* put(providerEnded());
    return;
  }
  yield* put(providerCodeReceived(offer.method));
  const trustedJWT = readTrustedToken(deps, username);
  const answer = yield* attempt(deps.api.auth.token, {
    username,
    ...received,
    ...(trustedJWT === undefined ? {} : { trustedJWT }),
  });
  if (answer.ok) yield* call(concludeAttempt, deps, answer.value, { username, rememberMe, ...received });
  else yield* put(signInFailed(describeTokenError(answer.error, offer.method)));
}
