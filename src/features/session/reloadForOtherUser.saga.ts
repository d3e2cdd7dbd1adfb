import type { Deps } from '@shared/deps';
import { locationChanged, selectLocation } from '@shared/routing/location.slice';
import { linkRoutes } from '@shared/routing/paths';
import { call } from '@shared/sagas/call.saga';
import { select, take } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { endSession } from './endSession.saga';
import { mayRedirectAgain } from './redirectLoop';
import { clearSetup, readSession } from './sessionCookies';

type AnewDeps = Pick<Deps, 'clock' | 'config' | 'cookies' | 'navigation' | 'notes' | 'parentFrame' | 'vault'>;

/**
 * Another person signed in elsewhere: a page loaded anew holds nothing of the first one (decisions §8). Not while a
 * one-time link is open: it shows nothing of either, and loading it anew would lose what can be had once only.
 * A fourth time within 30 s no person changes: a sibling host does, and whoever is here by then is signed out.
 */
export function* reloadForOtherUser(deps: AnewDeps): SagaGenerator<void> {
  const { vault, navigation } = deps;
  yield* call(vault.dropOfSession);
  while (yield* select(isAtLink)) yield* take(locationChanged);
  if (mayRedirectAgain(deps)) {
    // The page that is loaded tells of a session that is gone, but not of one that it finds.
    if (readSession(deps).kind === 'present') yield* call(deps.parentFrame.tell, 'new_tokens');
    yield* call(navigation.reload);
    return;
  }
  yield* call(clearSetup, deps);
  yield* call(endSession, deps, 'malformed');
}

const isAtLink = (state: Parameters<typeof selectLocation>[0]): boolean =>
  linkRoutes.some((route) => route === selectLocation(state).route);
