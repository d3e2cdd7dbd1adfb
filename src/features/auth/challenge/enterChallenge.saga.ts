import { dropTrustedToken } from '@features/session';
import type { Deps } from '@shared/deps';
import { onRoute } from '@shared/routing/onRoute.saga';
import { paths } from '@shared/routing/paths';
import { call } from '@shared/sagas/call';
import { put, takeEvery } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { challengeDropped, challengeIssued, type Challenge } from './challenge.slice';

/** Held here and not asked of the store: while DevTools shows the past, `select` answers from the past. */
interface Issued {
  latest: Challenge | null;
}

/** The second step of a sign-in lives as long as its screen is shown, whose work is fetched when it is entered. */
export function* challengeSaga(deps: Deps): SagaGenerator<void> {
  const issued: Issued = { latest: null };
  yield* takeEvery(challengeIssued, ({ payload }) => {
    issued.latest = payload;
  });
  yield* onRoute('twoAuth', challengeScreen, deps, issued);
}

function* challengeScreen(deps: Deps, { latest: challenge }: Issued): SagaGenerator<void> {
  // Asked of the vault: after a reload the challenge is gone, whatever the address says.
  if (!challenge || !deps.vault.get('challenge')) {
    yield* call(deps.navigation.replace, paths.login(deps.navigation.current().search));
    return;
  }
  try {
    yield* call(dropTrustedToken, deps, challenge.username);
    const { answerChallenge } = yield* call(() => import('./answerChallenge.saga'));
    yield* call(answerChallenge, deps, challenge);
  } finally {
    yield* call(deps.vault.drop, 'challenge');
    yield* put(challengeDropped());
  }
}
