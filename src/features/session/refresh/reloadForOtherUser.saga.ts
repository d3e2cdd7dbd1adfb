import type { Deps } from '@shared/deps';
import { locationChanged, selectIsAtLink } from '@shared/routing/location.slice';
import { call } from '@shared/sagas/call.saga';
import { select, take } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { endSession } from '../endSession.saga';
import { mayRedirectAgain } from '../redirect/redirectLoop';
import { clearSetup, readSession } from '../sessionCookies';

/**
 * Reloads the page after another user has signed in elsewhere, so that the page contains nothing of the former user
 * (docs/behaviour.md#several-tabs). It waits while a one-time link is open, because its content is available only once. A
 * fourth reload within 30 s would mean that a sibling host rewrites the cookies, so the cookies are cleared instead.
 */
export function* reloadForOtherUser(deps: Deps): SagaGenerator<void> {
  const { vault, navigation } = deps;
  yield* call(vault.dropOfSession);
  while (yield* select(selectIsAtLink)) yield* take(locationChanged);
  if (mayRedirectAgain(deps)) {
    // The reloaded page tells the parent about a missing session, but not about one that it finds.
    if (readSession(deps).kind === 'present') yield* call(deps.parentFrame.notify, 'new_tokens');
    yield* call(navigation.reload);
    return;
  }
  yield* call(clearSetup, deps);
  yield* call(endSession, deps, 'malformed');
}
