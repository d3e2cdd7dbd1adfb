import type { Deps } from '@shared/deps';
import type { Passkeys } from '@shared/ports/ports';
import { askBrowser } from '@shared/sagas/askBrowser.saga';
import { runSaga } from 'redux-saga';

const never = () => new Promise<never>(() => undefined);
const withPort = (passkeys: Deps['passkeys']) => ({ passkeys }) as Deps;

it('a request for a passkey fails if the code for it cannot be loaded', async () => {
  const deps = withPort(() => Promise.reject(new Error('offline')));
  expect(await runSaga({}, askBrowser, deps, never).toPromise()).toEqual({ kind: 'failed' });
});

it('a request for a passkey is aborted when its screen is left', async () => {
  const deps = withPort(() => Promise.resolve({} as Passkeys));
  let asked: AbortSignal | undefined;
  const task = runSaga({}, askBrowser, deps, (_browser, signal) => {
    asked = signal;
    return never();
  });
  await Promise.resolve();
  expect(asked?.aborted).toBe(false);
  task.cancel();
  expect(asked?.aborted).toBe(true);
});
