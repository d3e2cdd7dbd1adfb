/** @jest-environment node */
import { ApiError } from '@shared/api/apiError';
import { accessToken } from '../support/builders';
import { fakeDeps, type FakeDeps } from '../support/fakeDeps';
import { openApp, pass, settle } from '../support/openApp';
import { checkAccess } from '@app/checkAccess.saga';
import { rootReducer } from '@app/rootReducer';
import { expectSaga, type RunResult } from 'redux-saga-test-plan';
import { sessionCookie, putSetup } from '../support/sessionCookies';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));

const session = (deps: FakeDeps, token = accessToken()) =>
  void deps.cookies.write('payments-test-session', sessionCookie({ token, refresh: 'r' }));
const setup = (deps: FakeDeps, mfaToken = accessToken({ isMfaSetup: true })) => putSetup(deps, mfaToken);
const expired = () => accessToken({ iat: 1_700_000_000 });

/** Opens the address and returns the one that the screen is rendered from. */
const openAt = async (path: string, prepare: (deps: FakeDeps) => void = () => undefined) => {
  const deps = fakeDeps({ path });
  deps.api.users.attributes.mockRejectedValue(new ApiError('network'));
  prepare(deps);
  const app = openApp(deps);
  await settle();
  const { pathname, search } = app.state().page.location;
  expect(pathname + search).toBe(deps.navigation.address());
  return { app, deps, shown: pathname + search };
};

/** Checks access to the address once. */
const checkAt = async (path: string, prepare: (deps: FakeDeps) => void = () => undefined) => {
  const deps = fakeDeps({ path });
  prepare(deps);
  const result: RunResult = await expectSaga(checkAccess, deps).withReducer(rootReducer).run(false);
  return { entered: result.returnValue as boolean, shown: deps.navigation.address(), deps };
};

describe('a user without a session', () => {
  it.each([
    ['/', '/login'],
    ['/account-settings', '/login'],
    ['/account-settings?url=%2Fx&supplierHub', '/login?url=%2Fx&supplierHub'],
    ['/no/such/page?application=ledger', '/login?application=ledger'],
    ['/reset?hash=marked&application=ledger', '/login?hash=***&application=ledger'],
    ['/LOGIN', '/login'],
    ['//evil.test/', '/login'],
  ])('on %s is shown %s', async (path, shown) => {
    expect(await checkAt(path)).toMatchObject({ entered: false, shown });
  });

  it.each(['/login', '/login/', '/login?url=%2Fx', '/unauthorized'])('may stay on %s', async (path) => {
    const { entered, shown, deps } = await checkAt(path);
    expect([entered, shown]).toEqual([true, path]);
    expect(deps.navigation.replaces).toEqual([]);
  });

  it('is not redirected twice', async () => {
    expect((await openAt('/nowhere')).deps.navigation.replaces).toEqual(['/login']);
  });
});

describe('a user with a session', () => {
  it.each([
    ['/account-settings', '/account-settings'],
    ['/', '/account-settings'],
    ['/no/such/page?application=ledger', '/account-settings'],
    ['/unauthorized', '/unauthorized'],
  ])('on %s is shown %s', async (path, shown) => {
    expect(await checkAt(path, session)).toMatchObject({ entered: path === shown, shown });
  });

  it('is redirected at the next navigation if the cookie became invalid, before a poll detects it', async () => {
    const { deps, app } = await openAt('/unauthorized', session);
    session(deps, 'nonsense');
    deps.navigation.visit('/account-settings');
    await settle();
    expect(app.state().page.location.pathname).toBe('/login');
    expect(deps.cookies.contents()).toEqual({});
    expect(app.state().session.access).toEqual({ phase: 'anonymous' });
  });

  it('stays on a public screen when the session ends', async () => {
    const { deps, shown } = await openAt('/unauthorized', (open) => session(open, expired()));
    expect(shown).toBe('/unauthorized');
    expect(deps.cookies.contents()).toEqual({});
  });
});

describe('a user in setup mode', () => {
  it.each([
    ['/account-settings', '/account-settings'],
    ['/', '/account-settings'],
    ['/reset-password-manual', '/account-settings'],
    ['/login', '/login'],
  ])('on %s is shown %s', async (path, shown) => {
    expect(await checkAt(path, setup)).toMatchObject({ entered: path === shown, shown });
  });

  it.each<readonly [string, string, string, (deps: FakeDeps) => void]>([
    ['has no access with an expired token', '/login', 'anonymous', (deps) => setup(deps, expired())],
    ['has a session instead if there is one', '/account-settings', 'active', session],
    ['has no expired session', '/account-settings', 'setup', (deps) => session(deps, expired())],
  ])('%s', async (_what, path, phase, change) => {
    const { app, shown } = await openAt('/account-settings', (deps) => {
      setup(deps);
      change(deps);
    });
    expect([shown, app.state().session.access.phase]).toEqual([path, phase]);
  });
});

it('the settings load the account each time that they are entered, with the session’s token', async () => {
  const token = accessToken({ uid: 'u_7' });
  const { deps } = await openAt('/account-settings', (open) => session(open, token));
  deps.navigation.visit('/unauthorized');
  deps.navigation.visit('/account-settings');
  await pass(0);
  expect(deps.api.users.attributes.mock.calls).toEqual([
    [token, 'u_7'],
    [token, 'u_7'],
  ]);
});
