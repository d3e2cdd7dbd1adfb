/** @jest-environment node */
import { backRequested, logoutRequested } from '@features/session';
import { ApiError } from '@shared/api/apiError';
import { accessToken, hosts, testConfig } from '../../support/builders';
import { fakeDeps, type FakeDeps, type TabOptions } from '../../support/fakeDeps';
import { openApp, settle } from '../../support/openApp';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));
afterEach(() => jest.useRealTimers());

const life = { kind: 'session' } as const;
const session = (deps: FakeDeps) =>
  void deps.cookies.write(
    'payments-test-session',
    JSON.stringify({ authenticated: { token: accessToken(), refresh: 'r' } }),
    life,
  );
const setup = (deps: FakeDeps) =>
  void deps.cookies.write(
    'payments-test-session-setup',
    JSON.stringify({ mfaToken: accessToken({ isMfaSetup: true }) }),
    life,
  );
const open = (prepare: (deps: FakeDeps) => void, options: TabOptions = {}) => {
  const deps = fakeDeps({ path: '/account-settings', ...options });
  deps.api.users.attributes.mockRejectedValue(new ApiError('network'));
  deps.vault.put('verification', { authVerificationToken: 'vt' });
  prepare(deps);
  return openApp(deps);
};

describe('with a session', () => {
  it('Back leads to the supplier site, and the session stays', () => {
    const app = open(session);
    app.dispatch(backRequested());
    expect(app.deps.navigation.leaves).toEqual([testConfig().links.supplierSite]);
    expect(app.deps.cookies.readAll('payments-test-session')).toHaveLength(1);
  });

  it('Logout clears the session cookies, tells the parent, empties the vault and leads to /login', async () => {
    const app = open(session, { embedding: 'trusted' });
    app.deps.cookies.write('payments-test-session-refresh', 'r', life);
    app.dispatch(logoutRequested());
    await settle();
    expect(app.deps.cookies.contents()).toEqual({});
    expect(app.deps.parentFrame.told).toEqual(['removed_tokens']);
    expect(app.deps.vault.get('verification')).toBeUndefined();
    expect(app.state().session.access).toEqual({ phase: 'anonymous' });
    expect(app.state().profile).toEqual({ phase: 'absent' });
    expect(app.state().location.pathname).toBe('/login');
    expect(app.deps.navigation.leaves).toEqual([]);
  });

  it('Logout keeps the trust cookies and the remembered username', async () => {
    const app = open(session);
    app.deps.cookies.write('payments-test-session-trust-ada', 'trusted', life);
    app.deps.cookies.write('payments-test-username', 'ada', life);
    app.dispatch(logoutRequested());
    await settle();
    expect(app.deps.cookies.contents()).toEqual({
      'payments-test-session-trust-ada': 'trusted',
      'payments-test-username': 'ada',
    });
    expect(app.signIn()).toEqual({ phase: 'username', username: 'ada', rememberMe: true });
  });
});

describe('in setup mode', () => {
  it.each([
    ['Back', backRequested()],
    ['Logout', logoutRequested()],
  ])('%s clears the setup cookie and goes to the sign-on address', (_name, action) => {
    const app = open(setup);
    app.dispatch(action);
    expect(app.deps.cookies.contents()).toEqual({});
    expect(app.deps.navigation.leaves).toEqual([`${hosts.login}/`]);
    expect(app.deps.vault.get('verification')).toBeUndefined();
  });

  it('that a session has taken over, Back is the ordinary one', () => {
    const app = open((deps) => {
      setup(deps);
      session(deps);
    });
    app.dispatch(backRequested());
    expect(app.deps.navigation.leaves).toEqual([testConfig().links.supplierSite]);
  });
});
