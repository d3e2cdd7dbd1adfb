import type { Deps } from '@shared/deps';
import { onRoute } from '@shared/routing/onRoute.saga';
import { paths } from '@shared/routing/paths';
import { call } from '@shared/sagas/call';
import { put } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { challengeDropped } from './challenge.slice';

type ChallengeDeps = Pick<Deps, 'navigation' | 'vault'>;

/** The second step of a sign-in lives as long as its screen is shown. */
export function* challengeSaga(deps: ChallengeDeps): SagaGenerator<void> {
  yield* onRoute('twoAuth', challengeScreen, deps);
}

function* challengeScreen(deps: ChallengeDeps): SagaGenerator<void> {
  // Asked of the vault: after a reload the challenge is gone, whatever the address says.
  if (!deps.vault.get('challenge')) {
    yield* call(deps.navigation.replace, paths.login(deps.navigation.current().search));
    return;
  }
  try {
    // Until the route is left: the cancellation runs the `finally`.
    yield* call(() => new Promise<never>(() => undefined));
  } finally {
    yield* call(deps.vault.drop, 'challenge');
    yield* put(challengeDropped());
  }
}
