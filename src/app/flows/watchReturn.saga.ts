import { selectPhase, sessionAbsent, signInChosen } from '@features/session';
import type { Deps } from '@shared/deps';
import { selectLocation } from '@shared/routing/location.slice';
import { call } from '@shared/sagas/call.saga';
import { withChannel } from '@shared/sagas/withChannel.saga';
import { paths } from '@vestibule/contract/paths';
import { put, race, select, take } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { routes } from '../routes';
import { sayIfSlow } from '../wait.saga';

/** A page from the back/forward cache shows a session only after checking it again, which may take a refresh. */
export function* watchReturn(deps: Deps): SagaGenerator<void> {
  yield* withChannel(deps.pageLife.subscribe, function* (life) {
    for (;;) {
      if ((yield* take(life)) !== 'restored') continue;
      const { route } = yield* select(selectLocation);
      if (route === null || routes[route]?.access === 'public') continue;
      const { isLeft } = yield* call(() =>
        sayIfSlow('session', () => race({ known: call(untilKnown), isLeft: take(signInChosen) })),
      );
      if (!isLeft) continue;
      yield* put(sessionAbsent());
      yield* call(deps.navigation.replace, paths.login());
    }
  });
}

function* untilKnown(): SagaGenerator<void> {
  while ((yield* select(selectPhase)) === 'unknown') yield* take('*');
}
