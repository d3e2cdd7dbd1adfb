import { completeSignIn, loginEntered, showLoginError } from '@features/auth';
import {
  clearSession,
  isExpired,
  readRememberedUsername,
  readSession,
  sessionEnded,
} from '@features/session';
import type { Deps } from '@shared/deps';
import { onRoute } from '@shared/routing/onRoute.saga';
import { decodeRouteState } from '@shared/routing/routeState';
import { withChannel } from '@shared/sagas/withChannel.saga';
import { call } from '@shared/sagas/call';
import { fork, put, race, take } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';

type EntryDeps = Pick<Deps, 'clock' | 'config' | 'cookies' | 'navigation' | 'pageLife' | 'parentFrame'>;

/** What happens when `/login` is entered (specification §4, login flow 7 and 8). */
export function* loginEntry(deps: EntryDeps): SagaGenerator<void> {
  yield* onRoute('login', enterLogin, deps);
}

function* enterLogin(deps: EntryDeps): SagaGenerator<void> {
  yield* fork(arriveAtLogin, deps);
  yield* withChannel(deps.pageLife.subscribe, function* (events) {
    for (;;) {
      const { event, ended } = yield* race({ event: take(events), ended: take(sessionEnded) });
      // Back from the application, the page wakes up as it was left, busy. And 'You are signed in', which a parent's
      // frame shows here, is over with the session. Either way the screen begins anew.
      if (ended || event === 'restored') yield* fork(arriveAtLogin, deps);
    }
  });
}

function* arriveAtLogin(deps: EntryDeps): SagaGenerator<void> {
  const stored = readSession(deps);
  if (stored.kind === 'malformed') yield* call(clearSession, deps);
  // Always the beginning: whatever attempt was under way is over with it.
  yield* put(loginEntered({ rememberedUsername: readRememberedUsername(deps) }));
  if (stored.kind === 'present' && !isExpired(stored.claims, deps.clock.now())) {
    yield* call(completeSignIn, deps, stored.claims);
    return;
  }
  yield* call(tellLockout, deps);
}

/** A lockout message that another screen sent along; told once, not again after a reload. */
function* tellLockout({ navigation }: EntryDeps): SagaGenerator<void> {
  const { pathname, search, state } = navigation.current();
  const { lockoutMessage } = decodeRouteState(state);
  if (lockoutMessage === undefined) return;
  yield* call(navigation.replace, pathname + search);
  yield* call(showLoginError, lockoutMessage);
}
