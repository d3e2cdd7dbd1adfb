/** @jest-environment node */
/** Tests flows.slice. */
import type * as chunk from '@app/flows/runFlows.saga';
import { logoutRequested } from '@features/session';
import type { Deps } from '@shared/deps';
import { tokenPair, userAttributes } from '../../support/builders';
import { fakeDeps } from '../../support/fakeDeps';
import { openApp, settle } from '../../support/openApp';
import { put, putSetup } from '../../support/sessionCookies';

let mockIsLost = false;
const mockStarted = jest.fn();

jest.mock('@app/flows/runFlows.saga', () => {
  if (mockIsLost) throw Object.assign(new Error('gone'), { name: 'ChunkLoadError' });
  const { runFlows } = jest.requireActual<typeof chunk>('@app/flows/runFlows.saga');
  return {
    runFlows: (deps: Deps) => {
      mockStarted();
      return runFlows(deps);
    },
  };
});

beforeEach(() => {
  mockStarted.mockClear();
  jest.useFakeTimers({ now: 1_800_000_000_000 });
});

const openAt = (path: string, cookie: 'session' | 'setup' = 'session') => {
  const deps = fakeDeps({ path });
  if (cookie === 'session') put(deps, tokenPair());
  else putSetup(deps);
  deps.api.users.attributes.mockResolvedValue(userAttributes());
  const app = openApp(deps);
  return {
    app,
    visit: async (to: string) => {
      deps.navigation.visit(to);
      await settle();
    },
  };
};

describe('the flows of a signed-in user', () => {
  // The first test: a chunk stays loaded once it was loaded.
  it('run at the next screen if their chunk could not be fetched', async () => {
    mockIsLost = true;
    const { app, visit } = openAt('/account-settings');
    await settle();
    expect(app.deps.navigation.reloads()).toBe(1);
    expect(mockStarted).not.toHaveBeenCalled();
    mockIsLost = false;
    await visit('/mfa-options');
    await visit('/account-settings');
    expect(mockStarted).toHaveBeenCalledTimes(1);
    expect(app.state().session.profile.phase).toBe('loaded');
  });

  it('do not start for a screen that was left while they were loaded, but with the next one', async () => {
    const { app, visit } = openAt('/account-settings');
    await visit('/two-auth');
    expect(mockStarted).not.toHaveBeenCalled();
    await visit('/account-settings');
    expect(mockStarted).toHaveBeenCalledTimes(1);
    expect(app.state().session.profile.phase).toBe('loaded');
  });

  it('start once for a page, also after a sign-out and for another user', async () => {
    const { app, visit } = openAt('/account-settings');
    await settle();
    await app.send(logoutRequested());
    expect(app.address()).toBe('/login');
    const again = tokenPair({ uid: 'u_2' });
    put(app.deps, again);
    await visit('/account-settings');
    expect(mockStarted).toHaveBeenCalledTimes(1);
    expect(app.deps.api.users.attributes).toHaveBeenLastCalledWith(again.token, 'u_2');
  });

  it('start in setup mode, and for no screen of a sign-in', async () => {
    const { app, visit } = openAt('/two-auth', 'setup');
    await visit('/login');
    expect(mockStarted).not.toHaveBeenCalled();
    await visit('/account-settings');
    expect(app.state().session.profile.phase).toBe('loaded');
    expect(mockStarted).toHaveBeenCalledTimes(1);
  });
});
