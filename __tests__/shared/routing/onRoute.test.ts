/** @jest-environment node */
import { locationChanged } from '@shared/routing/location.slice';
import { onRoute } from '@shared/routing/onRoute.saga';
import { runSaga, stdChannel, type Task } from 'redux-saga';
import { call, cancelled } from 'typed-redux-saga';

/** Counts how the work of `/login` begins and ends. */
const visit = (work?: () => never) => {
  const channel = stdChannel();
  const seen: string[] = [];
  const task: Task = runSaga({ channel, onError: () => undefined }, () =>
    onRoute(
      'login',
      function* (name: string) {
        seen.push(`begun by ${name}`);
        work?.();
        try {
          yield* call(() => new Promise<never>(() => undefined));
        } finally {
          seen.push((yield* cancelled()) ? 'cancelled' : 'ended');
        }
      },
      'ada',
    ),
  );
  let key = 0;
  return {
    seen,
    task,
    go: (pathname: string, search = '') => {
      key += 1;
      channel.put(locationChanged({ pathname, search, key: String(key) }));
    },
  };
};

describe('the work of a route', () => {
  it('begins when the route is entered', () => {
    const { seen, go } = visit();
    go('/unauthorized');
    expect(seen).toEqual([]);
    go('/login');
    expect(seen).toEqual(['begun by ada']);
  });

  it('goes on while the address changes within the route', () => {
    const { seen, go } = visit();
    go('/login');
    go('/login', '?url=%2Fx');
    go('/login/');
    expect(seen).toEqual(['begun by ada']);
  });

  it('is cancelled when the route is left, and begins anew when it is entered again', () => {
    const { seen, go } = visit();
    go('/login');
    go('/nowhere');
    go('/unauthorized');
    go('/login');
    expect(seen).toEqual(['begun by ada', 'cancelled', 'begun by ada']);
  });

  it('that fails takes its starter along, up to the supervisor', async () => {
    const { task, go } = visit(() => {
      throw new Error('a bug');
    });
    const outcome = task.toPromise();
    go('/login');
    await expect(outcome).rejects.toThrow('a bug');
  });
});
