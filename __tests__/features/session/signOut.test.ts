/** @jest-environment node */
/** Tests endSession.saga, session.saga and session.slice. */
import { backRequested, logoutRequested } from '@features/session';
import { ApiError } from '@shared/api/apiError';
import { accessToken, hosts, testConfig } from '../../support/builders';
import { fakeDeps, type FakeDeps, type TabOptions } from '../../support/fakeDeps';
import { openApp, type OpenApp } from '../../support/openApp';
import { put, session, start } from './refresh/openSignedIn';

beforeEach(() => jest.useFakeTimers({ now: start }));

const putSession = (deps: FakeDeps, uid = 'u_1', refresh = 'r') =>
  put(deps, { token: accessToken({ uid }), refresh });
const mfaToken = accessToken({ isMfaSetup: true, iat: start / 1000 });
const putSetup = ({ cookies }: FakeDeps) =>
  void cookies.write(`${session}-setup`, JSON.stringify({ mfaToken }));

/** Opens the account settings with these cookies. */
const open = (prepare: readonly ((deps: FakeDeps) => void)[], options: TabOptions = {}): OpenApp => {
  const deps = fakeDeps({ path: '/account-settings', embedding: 'trusted', ...options });
  deps.api.users.attributes.mockRejectedValue(new ApiError('network'));
  deps.vault.put('verification', { authVerificationToken: 'vt' });
  for (const step of prepare) step(deps);
  return openApp(deps);
};
it.each([
  ['alone', [putSession]],
  ['that replaced setup mode', [putSetup, putSession]],
])('Back, with a session %s, leads to the supplier site, and the session stays', (_name, prepare) => {
  const app = open(prepare, { embedding: 'none' });
  app.dispatch(backRequested());
  expect(app.deps.navigation.leaves).toEqual([testConfig().links.supplierSite]);
  expect(app.deps.cookies.readAll(session)).toHaveLength(1);
});

describe('Logout', () => {
  it('clears the session, notifies the parent, empties the vault and leads to /login', async () => {
    const app = open([putSession], { config: { extensions: ['of-a-later-build'] } });
    await app.send(logoutRequested());
    expect(app.deps.cookies.contents()).toEqual({});
    expect(app.deps.parentFrame.messages).toEqual(['removed_tokens']);
    expect(app.deps.vault.get('verification')).toBeUndefined();
    expect(app.state().session.access).toEqual({ phase: 'anonymous' });
    expect(app.state().page.location.pathname).toBe('/login');
    expect(app.deps.navigation.leaves).toEqual([]);
  });
});

it.each([
  ['Back', backRequested(), 'none', [`${hosts.login}/`]],
  ['Logout', logoutRequested(), 'none', [`${hosts.login}/`]],
  // Another document would not know its parent in a browser without `ancestorOrigins`.
  ['Logout in a frame', logoutRequested(), 'trusted', []],
] as const)('in setup mode %s clears its cookie and opens signOnUrl', (_name, action, embedding, leaves) => {
  const app = open([putSetup], { embedding });
  app.dispatch(action);
  expect(app.deps.cookies.contents()).toEqual({});
  expect(app.deps.navigation.leaves).toEqual(leaves);
  expect(app.address()).toBe('/login');
  expect(app.deps.vault.get('verification')).toBeUndefined();
});
