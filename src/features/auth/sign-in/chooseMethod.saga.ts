import { readTrustedToken } from '@features/session';
import { isAnyOf } from '@reduxjs/toolkit';
import type { LoginMethod } from '@shared/api/decoders';
import { attempt } from '@shared/sagas/attempt.saga';
import { call } from '@shared/sagas/call.saga';
import type { Task } from 'redux-saga';
import { cancel, delay, fork, put, take } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { describeTokenError } from '../auth.errors';
import { loginHintOf } from '../provider/authorizationUrl';
import type { ProviderDeps } from '../provider/receiveCode.saga';
import {
  runProviderAttempt,
  type ProviderCode,
  type ProviderOffer,
} from '../provider/runProviderAttempt.saga';
import { followTokenResponse, type SignInDeps } from '../token-response/tokenResponse.saga';
import {
  methodsLoaded,
  passwordSubmitted,
  providerAbandoned,
  providerBlocked,
  providerChosen,
  providerCodeReceived,
  providerEnded,
  providerMaybeClosed,
  signInFailed,
  type SignInUser,
} from './signIn.slice';

type MethodDeps = SignInDeps & ProviderDeps;

const nextEvent = isAnyOf(passwordSubmitted, providerChosen, providerAbandoned, providerCodeReceived);

/**
 * The second step of `/login`. A provider that is the only method starts by itself. One attempt at a time: a new
 * attempt, or Cancel, closes a provider's window that is still open; while a password is checked or a code exchanged,
 * everything else is ignored. See docs/behaviour.md#login-methods.
 */
export function* chooseMethod(
  deps: MethodDeps,
  user: SignInUser,
  methods: readonly LoginMethod[],
): SagaGenerator<void> {
  const only = onlyProvider(methods);
  // WebKit opens no window in the turn of an answer, but in that of a timer up to 1 s after the press (see also `http.ts`).
  if (only) yield* delay(0);
  yield* put(methodsLoaded(methods));
  if (only) yield* put(providerChosen(only.method));
  let running: Task | null = only ? yield* fork(signInByProvider, deps, user, only) : null;
  for (;;) {
    const action = yield* take(nextEvent);
    if (providerCodeReceived.match(action)) {
      yield* take(signInFailed);
      continue;
    }
    const offer = providerChosen.match(action) ? offerOf(methods, action.payload) : null;
    if (providerChosen.match(action) && !offer) continue;
    if (passwordSubmitted.match(action) && !hasPassword(methods)) continue;
    if (running) yield* cancel(running);
    // No effect that waits before this fork: browsers open a window only in the turn of the click.
    running = offer ? yield* fork(signInByProvider, deps, user, offer) : null;
    if (passwordSubmitted.match(action))
      yield* call(requestToken, deps, user, { method: 'basic', password: action.meta.secret });
  }
}

function* signInByProvider(deps: MethodDeps, user: SignInUser, offer: ProviderOffer): SagaGenerator<void> {
  const request = { offer, loginHint: loginHintOf(user.username), forced: false };
  yield* call(runProviderAttempt, deps, request, providerEvents, (code) => requestToken(deps, user, code));
}

const providerEvents = {
  blocked: providerBlocked,
  maybeClosed: providerMaybeClosed,
  failed: signInFailed,
  ended: providerEnded,
  codeReceived: providerCodeReceived,
};

type Credentials = { readonly method: 'basic'; readonly password: string } | ProviderCode;

/** One token call for one submit or one code; never retried by itself. See docs/behaviour.md#password. */
function* requestToken(
  deps: SignInDeps,
  { username, rememberMe }: SignInUser,
  credentials: Credentials,
): SagaGenerator<void> {
  const trustedJWT = readTrustedToken(deps, username);
  const answer = yield* attempt(deps.api.auth.token, {
    username,
    ...credentials,
    ...(trustedJWT === undefined ? {} : { trustedJWT }),
  });
  if (!answer.ok) {
    yield* put(signInFailed(describeTokenError(answer.error, credentials.method)));
    return;
  }
  const proof = credentials.method === 'basic' ? { method: credentials.method } : credentials;
  const failure = yield* call(followTokenResponse, deps, answer.value, { username, rememberMe, ...proof });
  if (failure) yield* put(signInFailed(failure));
}

/** The provider that starts by itself: the only method there is. */
function onlyProvider([only, ...others]: readonly LoginMethod[]): ProviderOffer | null {
  return only && only.method !== 'basic' && others.length === 0 ? only : null;
}

const hasPassword = (methods: readonly LoginMethod[]): boolean =>
  methods.some(({ method }) => method === 'basic');

function offerOf(methods: readonly LoginMethod[], wanted: ProviderOffer['method']): ProviderOffer | null {
  return methods.find((offer): offer is ProviderOffer => offer.method === wanted) ?? null;
}
