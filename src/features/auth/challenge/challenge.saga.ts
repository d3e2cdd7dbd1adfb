import { dropTrustedToken } from '@features/session';
import { componentIn } from '@shared/chunk';
import type { Deps, ScreenModule } from '@shared/deps';
import { paths } from '@vestibule/contract/paths';
import { call } from '@shared/sagas/call.saga';
import { put, select } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { challengeDropped, selectChallenge } from './challenge.slice';
import { challengeChunk } from './challengeChunk';

/**
 * `/two-auth`: a challenge lasts as long as its screen. This saga is in the first bundle, so that a challenge ends even if
 * its chunk fails to load. See docs/behaviour.md#challenge.
 */
function* challenge(deps: Deps): SagaGenerator<void> {
  const state = yield* select(selectChallenge);
  // The vault is empty after a reload.
  if (state.phase === 'none' || !deps.vault.get('challenge')) {
    yield* call(deps.navigation.replace, paths.login(deps.navigation.current().search));
    return;
  }
  try {
    yield* call(dropTrustedToken, deps, state.challenge.username);
    const { enterCode } = yield* call(challengeChunk.load);
    yield* call(enterCode, deps, state.challenge);
  } finally {
    yield* call(deps.vault.drop, 'challenge');
    yield* put(challengeDropped());
  }
}

/** `/two-auth`. */
export const challengeScreen: ScreenModule = {
  Screen: componentIn(challengeChunk, ({ EnterCode }) => EnterCode),
  saga: challenge,
};
