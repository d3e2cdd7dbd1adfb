import {
  clearSession,
  isExpired,
  mayRedirectAgain,
  readRememberedUsername,
  readSession,
  sessionAbsent,
  sessionEnded,
  sessionMessages,
  sessionRestored,
  tokenNow,
  whereTo,
  type Claims,
} from '@features/session';
import { dialogAnswered } from '@features/ui-dialogs';
import { isAnyOf } from '@reduxjs/toolkit';
import type { Deps } from '@shared/deps';
import { decodeRouteState } from '@shared/routing/room';
import { call } from '@shared/sagas/call.saga';
import { fork, put, select, take } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { completeSignIn } from './completeSignIn.saga';
import { showLoginError } from './showLoginError.saga';
import { selectIsSigningIn } from './signIn.selectors';
import { loginEntered, signInStopped } from './signIn.slice';

type EntryDeps = Pick<Deps, 'clock' | 'config' | 'cookies' | 'navigation' | 'notes' | 'parentFrame'>;

/** What happens when `/login` is entered, and entered again (specification §4, login flow 7 and 8). */
export function* enterLogin(deps: EntryDeps): SagaGenerator<void> {
  yield* fork(arriveAtLogin, deps);
  let isPassedBy = false;
  for (;;) {
    // Back from the application, the page wakes up as it was left, busy; a sign-in in another tab takes it along; and
    // 'You are signed in', which a parent's frame shows here, is over with the session. The screen begins anew.
    const turn = yield* take(isAnyOf(sessionAbsent, sessionEnded, sessionRestored, dialogAnswered));
    if (dialogAnswered.match(turn) && !isPassedBy) continue;
    // Several tabs can sign in at once (decisions §7): one that is about to is not waiting, whatever the others do. It
    // goes along with them once its own attempt has failed and the person has read so.
    const isEnd = sessionEnded.match(turn);
    const isOwn = sessionAbsent.match(turn) || (isEnd && turn.payload.reason !== 'missing');
    const isBusy = !isOwn && (yield* select(selectIsSigningIn));
    isPassedBy = isBusy && !isEnd;
    if (!isBusy) yield* fork(arriveAtLogin, deps);
  }
}

function* arriveAtLogin(deps: EntryDeps): SagaGenerator<void> {
  const stored = readSession(deps);
  if (stored.kind !== 'none' && stored.kind !== 'present') {
    yield* call(clearSession, deps);
    yield* call(deps.parentFrame.tell, 'removed_tokens');
  }
  // Always the beginning: whatever attempt was under way is over with it.
  yield* put(loginEntered({ rememberedUsername: readRememberedUsername(deps) }));
  if (stored.kind === 'present' && !isExpired(stored.claims, tokenNow(deps))) {
    yield* call(goOn, deps, stored.claims);
    return;
  }
  yield* call(tellLockout, deps);
  if (keepsNoCookies(deps)) yield* call(showLoginError, sessionMessages.cookiesOff);
}

/**
 * Asked only where no cookie proves the opposite: asking writes one. In another site's frame it is the browser that keeps
 * none, and nothing to switch on.
 */
const keepsNoCookies = ({ cookies, parentFrame }: EntryDeps): boolean =>
  !parentFrame.embedded && cookies.names().length === 0 && !cookies.enabled();

/** An application that does not take the session sends the person back here, again and again. */
function* goOn(deps: EntryDeps, claims: Claims): SagaGenerator<void> {
  const leaves = whereTo(deps, claims).kind === 'application';
  if (leaves && !mayRedirectAgain(deps)) yield* put(signInStopped());
  else yield* call(completeSignIn, deps, claims);
}

/** A lockout message that another screen sent along; told once, not again after a reload. */
function* tellLockout({ navigation }: EntryDeps): SagaGenerator<void> {
  const { pathname, search, state } = navigation.current();
  const { lockoutMessage } = decodeRouteState(state);
  if (lockoutMessage === undefined) return;
  yield* call(navigation.replace, pathname + search);
  yield* call(showLoginError, lockoutMessage);
}
