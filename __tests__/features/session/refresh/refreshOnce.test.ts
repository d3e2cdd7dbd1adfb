/** @jest-environment node */
import { rootReducer } from '@app/rootReducer';
import { refreshOnce } from '@features/session/refresh/refreshOnce.saga';
import { readSession } from '@features/session/sessionCookies';
import { ApiError } from '@shared/api/apiError';
import { expectSaga } from 'redux-saga-test-plan';
import { tokenPair } from '../../../support/builders';
import { fakeDeps, type FakeDeps } from '../../../support/fakeDeps';
import { put, session, start } from './openSignedIn';

beforeEach(() => jest.useFakeTimers({ now: start }));

/** One try with a session, and what other tabs do before this one has the lock. */
const tryOnce = (meanwhile: (deps: FakeDeps) => void = () => undefined) => {
  const deps: FakeDeps = fakeDeps({
    overrides: {
      locks: {
        tryRun: async (_lock, work) => {
          meanwhile(deps);
          return { held: true, value: await work() };
        },
      },
    },
  });
  put(deps, tokenPair());
  const seen = readSession(deps);
  if (seen.kind !== 'present') throw new Error('No session');
  return { deps, saga: expectSaga(refreshOnce, deps, seen).withReducer(rootReducer) };
};

const paused = `1 ${String(start)} ${String(start + 60_000)}`;

it.each<readonly [string, string, (deps: FakeDeps) => void]>([
  ['has refreshed the session', 'overtaken', (deps) => put(deps, tokenPair({ iat: start / 1000 + 450 }))],
  ['has signed out', 'overtaken', (deps) => deps.cookies.remove(session)],
  ['has failed just now', 'pausing', ({ storage }) => storage.browser.write('refresh-pause', paused)],
])('a try that waited for the lock makes no call if another tab %s: %s', async (_name, kind, meanwhile) => {
  const { deps, saga } = tryOnce(meanwhile);
  await saga.returns({ kind }).run(false);
  expect(deps.api.auth.refresh).not.toHaveBeenCalled();
});

it('a failure is logged, without a token', async () => {
  const { deps, saga } = tryOnce();
  deps.api.auth.refresh.mockRejectedValue(new ApiError('server', { status: 503, serverMessage: 'words' }));
  await saga.returns({ kind: 'failed' }).run(false);
  expect(deps.log.warnings).toEqual([
    { event: 'session refresh failed', facts: { kind: 'server', status: 503 } },
  ]);
});
