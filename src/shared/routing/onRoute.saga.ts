import type { Task } from 'redux-saga';
import { cancel, fork, take } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { locationChanged } from './location.slice';
import { matchRoute } from './matchRoute';
import type { RouteName } from './paths';

/**
 * Runs `worker` while the person is on the route and cancels it when they leave. Hangs on the event, not on a mount:
 * a jump in DevTools mounts a screen again and must not start its work.
 */
export function* onRoute<Args extends unknown[]>(
  route: RouteName,
  worker: (...args: Args) => SagaGenerator<void>,
  ...args: Args
): SagaGenerator<void> {
  let running: Task | null = null;
  for (;;) {
    const { payload } = yield* take(locationChanged);
    const isHere = matchRoute(payload.pathname)?.name === route;
    if (isHere && !running) running = yield* fork(worker, ...args);
    if (!isHere && running) {
      yield* cancel(running);
      running = null;
    }
  }
}
