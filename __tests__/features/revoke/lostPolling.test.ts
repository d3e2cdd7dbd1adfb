/** @jest-environment node */
import { logoutRequested } from '@features/session';
import { tokenPair } from '../../support/builders';
import { fakeDeps } from '../../support/fakeDeps';
import { openApp, pass } from '../../support/openApp';
import { put, start } from '../session/refresh/openSignedIn';

jest.mock('@features/session/refresh/polling', () => {
  throw Object.assign(new Error('gone'), { name: 'ChunkLoadError' });
});

beforeEach(() => jest.useFakeTimers({ now: start }));

it('Logout ends the session at the service also without the chunk that watches the session', async () => {
  const deps = fakeDeps({ path: '/account-settings', config: { extensions: ['revoke'] } });
  const tokens = tokenPair();
  put(deps, tokens);
  deps.api.revoke.end.mockResolvedValue(undefined);
  const app = openApp(deps);
  await pass(6000);
  app.dispatch(logoutRequested());
  expect(deps.api.revoke.end.mock.calls).toEqual([[{ refresh: tokens.refresh }]]);
  expect(deps.cookies.contents()).toEqual({});
});
