/** @jest-environment node */
import { copyRequested } from '@features/auth/links/oneTimeLink.slice';
import { logoutRequested } from '@features/session';
import { ApiError } from '@shared/api/apiError';
import { accessToken } from '../../../support/builders';
import { fakeDeps } from '../../../support/fakeDeps';
import { openApp, pass, settle } from '../../../support/openApp';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));
afterEach(() => jest.useRealTimers());

const values = { apiKey: 'shown-key', apiSecret: 'shown-secret' };

const openInvite = async () => {
  const deps = fakeDeps({ path: '/secret-key/h%20x' });
  deps.api.users.apiInvite.mockResolvedValue(values);
  const app = openApp(deps);
  await settle();
  return { ...app, address: () => deps.navigation.address(), link: () => app.state().auth.oneTimeLink };
};

describe('an API invitation', () => {
  it('is opened once, and its values are in the vault alone', async () => {
    const app = await openInvite();
    expect(app.deps.api.users.apiInvite.mock.calls).toEqual([['h x']]);
    expect(app.link()).toEqual({ phase: 'shown', copied: null });
    expect(app.deps.vault.get('apiInvite')).toEqual(values);
    expect(JSON.stringify(app.state())).not.toMatch(/shown-key|shown-secret|h%20x|h x/);
  });

  it.each([
    ['apiKey', true, 'copied'],
    ['apiSecret', true, 'copied'],
    ['apiSecret', false, 'refused'],
  ] as const)('copies %s; allowed: %s', async (which, allowed, outcome) => {
    const app = await openInvite();
    if (!allowed) app.deps.clipboard.refuse();
    app.dispatch(copyRequested(which));
    await settle();
    expect(app.deps.clipboard.copied).toEqual(allowed ? [values[which]] : []);
    expect(app.link()).toEqual({ phase: 'shown', copied: { which, outcome, times: 1 } });
  });

  it('that was used or never was leads where every bad link leads', async () => {
    const deps = fakeDeps({ path: '/secret-key/h-1' });
    deps.api.users.apiInvite.mockRejectedValue(new ApiError('server', { status: 410 }));
    openApp(deps);
    await settle();
    expect(deps.navigation.address()).toBe('/unauthorized');
  });

  it('outlasts a session that ends meanwhile: its values are nobody else’s and cannot be had again', async () => {
    const app = await openInvite();
    app.dispatch(logoutRequested());
    await settle();
    expect(app.deps.vault.get('apiInvite')).toEqual(values);
    expect(app.link()).toEqual({ phase: 'shown', copied: null });
  });

  it('is not loaded anew when another person signs in elsewhere, before it is left', async () => {
    const signIn = (uid: string) => {
      const token = accessToken({ uid, lifeSeconds: 86_400 });
      const session = JSON.stringify({ authenticated: { token, refresh: uid } });
      deps.cookies.write('payments-test-session', session, { kind: 'session' });
    };
    const deps = fakeDeps({ path: '/secret-key/h-1' });
    deps.api.users.apiInvite.mockResolvedValue(values);
    signIn('u_ada');
    openApp(deps);
    await settle();
    signIn('u_bob');
    await pass(6000);
    expect(deps.navigation.reloads()).toBe(0);
    expect(deps.vault.get('apiInvite')).toEqual(values);
    deps.navigation.visit('/unauthorized');
    await settle();
    expect(deps.navigation.reloads()).toBe(1);
  });

  it('leaves memory with its screen', async () => {
    const app = await openInvite();
    app.deps.navigation.visit('/unauthorized');
    await settle();
    expect(app.deps.vault.get('apiInvite')).toBeUndefined();
  });

  it('has nothing left to show when the page comes back', async () => {
    const app = await openInvite();
    app.deps.pageLife.emit('left');
    app.deps.pageLife.emit('restored');
    await settle();
    expect(app.address()).toBe('/unauthorized');
    expect(app.deps.api.users.apiInvite).toHaveBeenCalledTimes(1);
  });
});
