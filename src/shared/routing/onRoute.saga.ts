import type { Task } from 'redux-saga';
import { cancel, fork, take } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { locationChanged } from './location.slice';
import { matchRoute } from './matchRoute';
import type { RouteName } from './paths';

/**
 * Runs `worker` while the person is on the route and cancels it when they leave; another parameter of the pattern is
 * another visit. Hangs on the event, not on a mount: a jump in DevTools mounts a screen again and must not start its
 * work.
 */
export function* onRoute<Args extends unknown[]>(
  route: RouteName,
  worker: (...args: Args) => SagaGenerator<void>,
  ...args: Args
): SagaGenerator<void> {
  let visit: { readonly task: Task; readonly of: string } | null = null;
  for (;;) {
    const { payload } = yield* take(locationChanged);
    const match = matchRoute(payload.pathname);
    const here = match?.name === route ? JSON.stringify(match.params) : null;
    if (visit && visit.of !== here) {
      yield* cancel(visit.task);
      visit = null;
    }
    if (here !== null) visit ??= { task: yield* fork(worker, ...args), of: here };
  }
}
