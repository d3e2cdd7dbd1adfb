import { readTrustedToken } from '@features/session';
import type { LoginMethod } from '@shared/api/decoders';
import { callApi } from '@shared/sagas/callApi.saga';
import type { Deps } from '@shared/deps';
import { call } from '@shared/sagas/call.saga';
import { isAnyOf } from '@reduxjs/toolkit';
import { cancel, delay, fork, put, select, take } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { describeTokenError } from '../auth.errors';
import { loginHintOf } from '../provider/authorizationUrl';
import { wayEnded, wayRequested } from '@shared/slots';
import { loadWay } from '../loadWay';
import { providerRequested } from '../provider/providerAttempt.slice';
import {
  runProviderAttempts,
  type ProviderCode,
  type ProviderOffer,
} from '../provider/runProviderAttempts.saga';
import { finishSignIn, followTokenResponse } from '../token-response/tokenResponse.saga';
import {
  methodsLoaded,
  passwordSubmitted,
  selectSignIn,
  signInFailed,
  type SignInUser,
} from './signIn.slice';

/**
 * The second step of `/login`: a password, or provider attempts. Submitting a password and choosing another way close an open
 * provider window. A provider that is the only method starts automatically. See docs/behaviour.md#login-methods.
 */
export function* chooseMethod(
  deps: Deps,
  user: SignInUser,
  methods: readonly LoginMethod[],
): SagaGenerator<void> {
  const only = onlyProvider(methods);
  // WebKit opens no window in the turn of a response, but opens one in the turn of a timer up to 1 s after the press.
  if (only) yield* delay(0);
  yield* put(methodsLoaded(methods));
  let attempts = yield* fork(signInByProvider, deps, user, methods);
  if (only) yield* put(providerRequested(only.method));
  for (;;) {
    const action = yield* take(isAnyOf(passwordSubmitted, wayRequested));
    const signIn = yield* select(selectSignIn);
    const checked = signIn.phase === 'submitting' && signIn.method;
    // The reducer has ignored the action if no password is offered or a code is being exchanged.
    if (checked !== (passwordSubmitted.match(action) ? 'basic' : action.payload)) continue;
    yield* cancel(attempts);
    if (passwordSubmitted.match(action))
      yield* call(requestToken, deps, user, { method: 'basic', password: action.meta.secret });
    else {
      const { signIn: signInByWay } = yield* call(loadWay, deps, action.payload);
      if (signInByWay) yield* call(signInByWay, deps, user, finishSignIn);
      else yield* put(wayEnded());
    }
    attempts = yield* fork(signInByProvider, deps, user, methods);
  }
}

function* signInByProvider(
  deps: Deps,
  user: SignInUser,
  methods: readonly LoginMethod[],
): SagaGenerator<void> {
  const request = {
    offers: methods.filter((one) => one.method !== 'basic'),
    loginHint: loginHintOf(user.username),
    forced: false,
  };
  yield* call(runProviderAttempts, deps, request, (code) => requestToken(deps, user, code));
}

type Credentials = { readonly method: 'basic'; readonly password: string } | ProviderCode;

/**
 * Makes one token call for one submit or one code. The call is never retried automatically. See docs/behaviour.md#password.
 */
function* requestToken(
  deps: Deps,
  { username, rememberMe }: SignInUser,
  credentials: Credentials,
): SagaGenerator<void> {
  const trustedJWT = readTrustedToken(deps, username);
  const result = yield* callApi(deps.api.auth.token, {
    username,
    ...credentials,
    ...(trustedJWT === undefined ? {} : { trustedJWT }),
  });
  if (!result.ok) {
    yield* put(signInFailed(describeTokenError(result.error, credentials.method)));
    return;
  }
  const proof = credentials.method === 'basic' ? { method: credentials.method } : credentials;
  const failure = yield* call(followTokenResponse, deps, result.value, { username, rememberMe, ...proof });
  if (failure) yield* put(signInFailed(failure));
}

/** The provider that starts automatically, because it is the only method. */
function onlyProvider([only, ...others]: readonly LoginMethod[]): ProviderOffer | null {
  return only && only.method !== 'basic' && others.length === 0 ? only : null;
}
