import { selectPhase, sessionAbsent, signInChosen } from '@features/session';
import type { Deps } from '@shared/deps';
import { selectLocation } from '@shared/routing/location.slice';
import { call } from '@shared/sagas/call.saga';
import { waitUntil } from '@shared/sagas/waitUntil.saga';
import { withChannel } from '@shared/sagas/withChannel.saga';
import { paths } from '@vestibule/contract/paths';
import { cancel, fork, put, race, select, take } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { routes } from './routes';
import { selectWait, waitEnded, waitNoticed, type WaitState } from './wait.slice';

/** How long a page shows only its header, ms. */
const silentMs = 1000;

/**
 * Does some work without which there is no screen. The page says so if it takes longer than a second. To be called and not delegated
 * to (`yield*`), because its last steps at a cancellation would let the delegating saga go on.
 */
export function* sayIfSlow<Result>(
  { clock }: Pick<Deps, 'clock'>,
  phase: WaitState['phase'],
  work: () => SagaGenerator<Result>,
): SagaGenerator<Result> {
  const notice = yield* fork(function* () {
    yield* call(waitUntil, clock, clock.now() + silentMs);
    yield* put(waitNoticed({ phase }));
  });
  try {
    return (yield* call(work));
  } finally {
    yield* cancel(notice);
    if ((yield* select(selectWait)) !== 'none') yield* put(waitEnded());
  }
}

/** A page from the back/forward cache shows nothing of a session that has not been checked again, which may take a refresh. */
export function* watchReturn(deps: Pick<Deps, 'clock' | 'navigation' | 'pageLife'>): SagaGenerator<void> {
  yield* withChannel(deps.pageLife.subscribe, function* (life) {
    for (;;) {
      if ((yield* take(life)) !== 'restored') continue;
      const { route } = yield* select(selectLocation);
      if (route === null || routes[route].access === 'public') continue;
      const { isLeft } = yield* call(() =>
        sayIfSlow(deps, 'session', () => race({ known: call(untilKnown), isLeft: take(signInChosen) })),
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
