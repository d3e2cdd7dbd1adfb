import {
  clearSession,
  dropOldMagicLinks,
  mayRedirectAgain,
  readRememberedUsername,
  readSession,
  seemsExpired,
  sessionAbsent,
  sessionEnded,
  sessionMessages,
  sessionRestored,
  whereTo,
  type Claims,
} from '@features/session';
import { dialogAnswered, showAlert } from '@features/ui-dialogs';
import { isAnyOf } from '@reduxjs/toolkit';
import type { Deps } from '@shared/deps';
import { decodeRouteState } from '@shared/routing/routeState';
import { call } from '@shared/sagas/call.saga';
import { wayEnded } from '@shared/slots';
import { fork, put, select, take } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { parseJson } from '@vestibule/client/cookies';
import { authMessages } from '../auth.messages';
import { providerAbandoned, providerWindowBlocked } from '../provider/providerAttempt.slice';
import { leaveSignedIn } from '../token-response/leaveSignedIn.saga';
import {
  loginEntered,
  selectIsSigningIn,
  selectSignIn,
  signInStopped,
  usernameChangeRequested,
} from './signIn.slice';

/**
 * Prepares `/login`: on entering it, and again when the session ends, when the page is restored from the back/forward
 * cache, and when another tab signs in. See docs/behaviour.md#entering-the-login-page.
 */
export function* loginEntry(deps: Deps): SagaGenerator<void> {
  yield* fork(arriveAtLogin, deps);
  for (;;) {
    const event = yield* take(isAnyOf(sessionAbsent, sessionEnded, sessionRestored, mayEndAttempt));
    if (mayEndAttempt(event) && !(yield* call(hasMissedSignIn, deps))) continue;
    // Several tabs can sign in at once: an event of another tab must not end this tab's attempt. If the attempt fails,
    // the tab follows once its dialog is closed.
    const isOwn =
      sessionAbsent.match(event) || (sessionEnded.match(event) && event.payload.reason !== 'missing');
    if (isOwn || !(yield* select(selectIsSigningIn))) yield* fork(arriveAtLogin, deps);
  }
}

/** Whether the form is shown although another tab has signed in. */
function* hasMissedSignIn(deps: Deps): SagaGenerator<boolean> {
  const stored = readSession(deps);
  const isSignedIn = stored.kind === 'present' && !seemsExpired(deps, stored.claims);
  return isSignedIn && 'username' in (yield* select(selectSignIn));
}

const mayEndAttempt = isAnyOf(
  dialogAnswered,
  wayEnded,
  providerAbandoned,
  providerWindowBlocked,
  usernameChangeRequested,
);

function* arriveAtLogin(deps: Deps): SagaGenerator<void> {
  yield* call(dropOldMagicLinks, deps);
  const stored = readSession(deps);
  if (stored.kind !== 'none' && stored.kind !== 'present') {
    yield* call(clearSession, deps);
    yield* call(deps.parentFrame.notify, 'removed_tokens');
  }
  // This event ends an attempt in progress, because `signIn` starts over.
  yield* put(loginEntered(takeEntry(deps) ?? firstEntry(deps)));
  if (stored.kind === 'present' && !seemsExpired(deps, stored.claims)) {
    yield* call(redirectUnlessLoop, deps, stored.claims);
    return;
  }
  yield* call(showLockout, deps);
  if (keepsNoCookies(deps))
    yield* call(showAlert, { ...authMessages.loginError, message: sessionMessages.cookiesOff });
}

/** The remembered username, otherwise the one in the query, which is not to be remembered. */
function firstEntry(deps: Deps) {
  const remembered = readRememberedUsername(deps);
  const query = new URLSearchParams(deps.navigation.current().search);
  const hints = deps.features.map(({ usernameParameter: name }) => name && query.get(name)?.trim());
  return remembered === ''
    ? { rememberedUsername: hints.find(Boolean) ?? '', rememberMe: false }
    : { rememberedUsername: remembered };
}

const entryKey = 'entry';

/** Stores the username for the next page of this tab. `inlineLogin.ts` reads it as well. */
export function* keepEntry({ storage }: Deps): SagaGenerator<void> {
  const signIn = yield* select(selectSignIn);
  if (!('username' in signIn) || signIn.username === '') return;
  const { username: rememberedUsername, rememberMe } = signIn;
  storage.tab.write(entryKey, JSON.stringify({ rememberedUsername, rememberMe }));
}

function takeEntry({ storage }: Deps) {
  const kept = storage.tab.read(entryKey);
  if (kept === null) return undefined;
  storage.tab.write(entryKey, null);
  const { rememberedUsername, rememberMe } = parseJson(kept) ?? {};
  return typeof rememberedUsername === 'string' && typeof rememberMe === 'boolean'
    ? { rememberedUsername, rememberMe }
    : undefined;
}

/**
 * Whether the user has switched cookies off. This is checked only if there is no cookie at all, because the check writes one.
 * In a frame it is not checked, because there the user cannot change what the browser blocks.
 */
const keepsNoCookies = ({ cookies, parentFrame }: Deps): boolean =>
  !parentFrame.embedded && cookies.names().length === 0 && !cookies.enabled();

/** An application that refuses the session sends the user back here. See docs/behaviour.md#redirect-loops. */
function* redirectUnlessLoop(deps: Deps, claims: Claims): SagaGenerator<void> {
  const leaves = whereTo(deps, claims).kind === 'application';
  if (leaves && !mayRedirectAgain(deps)) yield* put(signInStopped());
  else yield* call(leaveSignedIn, deps, claims);
}

/** Shows a lockout message from the state of the history entry, and removes it, so that a reload does not show it again. */
function* showLockout({ navigation }: Deps): SagaGenerator<void> {
  const { pathname, search, state } = navigation.current();
  const { lockoutMessage } = decodeRouteState(state);
  if (lockoutMessage === undefined) return;
  yield* call(navigation.replace, pathname + search);
  yield* call(showAlert, { ...authMessages.loginError, message: lockoutMessage });
}
