import { sessionMessages } from '@features/session';
import { showAlert } from '@features/ui-dialogs';
import { isAnyOf, type Action } from '@reduxjs/toolkit';
import type { LoginMethod } from '@shared/api/decoders';
import { isChunkLoadError, troubleOf } from '@shared/api/apiError';
import { createOptionalChunk } from '@shared/chunk';
import type { Deps, ScreenModule, Way } from '@shared/deps';
import { callApi } from '@shared/sagas/callApi.saga';
import { usernameEditStarted } from '@shared/slots';
import { call } from '@shared/sagas/call.saga';
import { all, fork, put, race, select, take, takeLatest } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { authMessages } from '../auth.messages';
import {
  providerAttemptFailed,
  providerCodeReceived,
  providerRequested,
} from '../provider/providerAttempt.slice';
import { loginEntry } from './loginEntry.saga';
import { methodStepChunk } from './methodStepChunk';
import {
  loginEntered,
  methodsUnavailable,
  selectSignIn,
  signInFailed,
  usernameChangeRequested,
  usernameSubmitted,
} from './signIn.slice';
import { Login } from './Login.container';

/** The saga of `/login`. Leaving the screen cancels it and any call in progress. */
function* signIn(deps: Deps): SagaGenerator<void> {
  yield* fork(prefetchChunks, deps);
  yield* takeLatest([isFailure, providerRequested, providerCodeReceived], showFailure);
  // Each `loginEntered` cancels the former attempt. `loginEntry` dispatches the first one.
  yield* takeLatest(loginEntered, usernameThenMethod, deps);
  for (const { way } of deps.features)
    if (way?.autoComplete !== undefined) yield* takeLatest(loginEntered, offerInField, deps, way);
  yield* call(loginEntry, deps);
}

const finishChunk = createOptionalChunk(
  () => import(/* webpackChunkName: "finish-sign-in" */ '../token-response/tokenResponse.saga'),
);

/**
 * Starts the list in the username field after the first step has been painted. What follows a sign-in is loaded before the list is
 * offered, because a chunk that is lost afterwards would lose the sign-in.
 */
function* offerInField(deps: Deps, { work }: Way): SagaGenerator<void> {
  yield* call(deps.clock.pause, 0);
  const [{ offerInField: offer }, { finishSignIn }] = yield* call(() =>
    Promise.all([work.load(), finishChunk.load()]),
  );
  if (offer && finishSignIn) yield* call(offer, deps, isUsernameStep, finishSignIn);
}

function* isUsernameStep(): SagaGenerator<boolean> {
  return (yield* select(selectSignIn)).phase === 'username';
}

function* usernameThenMethod(deps: Deps): SagaGenerator<void> {
  for (;;) {
    const { payload: user } = yield* take(usernameSubmitted);
    const methods = user.username === '' ? null : yield* call(loadMethods, deps, user.username);
    if (!methods) continue;
    const { chooseMethod } = methodStepChunk.loaded() ?? (yield* call(methodStepChunk.load));
    yield* race({
      chosen: call(chooseMethod, deps, user, methods),
      back: take(usernameChangeRequested),
    });
  }
}

/**
 * Loads the methods of a username, together with the chunk that shows them.
 *
 * @returns `null` if the call failed or returned no method; a dialog then says so
 * @throws when the host no longer has the chunk: the supervisor reloads the page
 */
function* loadMethods(
  { api, pageLife }: Deps,
  username: string,
): SagaGenerator<readonly LoginMethod[] | null> {
  const { result, hasScreen } = yield* all({
    result: callApi(api.auth.methods, username),
    hasScreen: call(isMethodStepLoadable, pageLife),
  });
  const hasMethods = result.ok && result.value.length > 0;
  if (hasMethods && hasScreen) return result.value;
  // A missing chunk is a fault of the application, so the dialog does not say that there are no methods.
  yield* put(
    methodsUnavailable({
      message: hasMethods ? sessionMessages.fallback : authMessages.errors.noMethods,
      ...(result.ok ? {} : troubleOf(result.error)),
    }),
  );
  return null;
}

async function isMethodStepLoadable({ isHostReachable }: Deps['pageLife']): Promise<boolean> {
  try {
    await methodStepChunk.load();
    return true;
  } catch (error) {
    if (isChunkLoadError(error) && (await isHostReachable())) throw error;
    return false;
  }
}

const isFailure = isAnyOf(methodsUnavailable, signInFailed, providerAttemptFailed);

/**
 * Shows the dialog of a failure. The next attempt does not wait for it: a new attempt or a late code of a provider closes the
 * dialog.
 */
function* showFailure(action: Action): SagaGenerator<void> {
  if (isFailure(action)) yield* call(showAlert, { ...authMessages.loginError, ...action.payload });
}

/**
 * The API client, the method step and the provider secrets are separate chunks. The first keystroke loads them, so
 * that nothing has to be loaded between a click and its pop-up; each in its own task, so that the character is painted first.
 */
function* prefetchChunks({ api, makeOauthSecrets, clock }: Deps): SagaGenerator<void> {
  yield* take(usernameEditStarted);
  for (const load of [api.warmUp, methodStepChunk.load, makeOauthSecrets]) {
    yield* call(clock.pause, 0);
    yield* fork(prefetch, load);
  }
}

/** A failed prefetch is retried, and reported, when the chunk is needed. */
async function prefetch(load: () => Promise<unknown>): Promise<void> {
  await load().catch(() => undefined);
}

/** `/login`. Its username step is in the first bundle. */
export const loginScreen: ScreenModule = { Screen: Login, saga: signIn };
