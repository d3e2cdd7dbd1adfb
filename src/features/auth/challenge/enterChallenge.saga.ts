import { dropTrustedToken } from '@features/session';
import type { Deps } from '@shared/deps';
import { paths } from '@shared/routing/paths';
import { call } from '@shared/sagas/call.saga';
import { put, select } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { challengeDropped, selectChallenge } from './challenge.slice';

/** The second step of a sign-in lives as long as its screen is shown, whose work is fetched when it is entered. */
export function* enterChallenge(deps: Deps): SagaGenerator<void> {
  const state = yield* select(selectChallenge);
  // Asked of the vault as well: after a reload the challenge is gone, whatever the address says.
  if (state.phase === 'none' || !deps.vault.get('challenge')) {
    yield* call(deps.navigation.replace, paths.login(deps.navigation.current().search));
    return;
  }
  const { challenge } = state;
  try {
    yield* call(dropTrustedToken, deps, challenge.username);
    const { answerChallenge } = yield* call(() => import('./answerChallenge.saga'));
    yield* call(answerChallenge, deps, challenge);
  } finally {
    yield* call(deps.vault.drop, 'challenge');
    yield* put(challengeDropped());
  }
}
