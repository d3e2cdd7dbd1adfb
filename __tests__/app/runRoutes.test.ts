/** @jest-environment node */
/** Tests location.slice. */
import { routes } from '@app/routes';
import type { Route } from '@shared/deps';
import { linkFollowed } from '@shared/routing/location.slice';
import { fakeDeps } from '../support/fakeDeps';
import { openApp, settle } from '../support/openApp';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));

const openAt = (path: string) => openApp(fakeDeps({ path }));

describe('the address in the store', () => {
  it('has no fragment, where some providers put a token', () => {
    const app = openAt('/login#access_token=s3cret');
    expect(JSON.stringify(app.state())).not.toContain('s3cret');
  });

  it('follows the application’s own links, which are written to the history', () => {
    const app = openAt('/login');
    app.dispatch(linkFollowed({ to: '/unauthorized?a=1' }));
    expect(app.deps.navigation.pushes).toEqual(['/unauthorized?a=1']);
    expect(app.state().page.location.pathname).toBe('/unauthorized');
  });

  it('follows links, Back, and the user’s own typing', () => {
    const app = openAt('/login');
    app.deps.navigation.push('/unauthorized');
    expect(app.state().page.location.pathname).toBe('/unauthorized');
    app.deps.navigation.back();
    expect(app.state().page.location.pathname).toBe('/login');
    app.deps.navigation.visit('/unauthorized?a=1');
    expect(app.state().page.location).toMatchObject({ pathname: '/unauthorized', search: '?a=1' });
  });

  it('is always that of the window, whichever subscriber navigates during an update', () => {
    const app = openAt('/unauthorized');
    // Each of these causes another navigation, in the same turn.
    for (const path of ['/account-settings', '/nowhere', '/two-auth?url=%2Fx']) {
      app.deps.navigation.visit(path);
      const { pathname, search } = app.state().page.location;
      expect(pathname + search).toBe(app.address());
    }
  });

  it('contains no secret: that is in the vault while the address is shown', () => {
    const app = openAt('/unauthorized?code=s3cret-code&state=s3cret-state');
    expect(JSON.stringify(app.state())).not.toContain('s3cret');
    expect(app.deps.vault.get('maskedLocation')).toEqual({ code: 's3cret-code', state: 's3cret-state' });
    app.deps.navigation.visit('/unauthorized');
    expect(app.deps.vault.get('maskedLocation')).toEqual({});
  });

  it('keeps the look across screens until another query changes it', () => {
    const app = openAt('/login?supplierHub&application=epay');
    app.deps.navigation.visit('/unauthorized');
    expect(app.state().page.brand).toMatchObject({ supplierHub: true, application: 'epay' });
    app.deps.navigation.visit('/login?supplierHub=false');
    expect(app.state().page.brand).toMatchObject({ supplierHub: false, application: 'epay' });
  });

  it('keeps the look in the tab: after a reload, and after the way over the sign-on address', () => {
    const { storage } = openAt('/login?application=epay').deps;
    const load = (path: string, tab = storage) =>
      openApp(fakeDeps({ path, overrides: { storage: tab } })).state().page.brand;
    expect(load('/')).toMatchObject({ supplierHub: false, application: 'epay' });
    expect(load('/login?supplierHub')).toMatchObject({ supplierHub: true, application: 'epay' });
    expect(load('/unauthorized')).toMatchObject({ supplierHub: true, application: 'epay' });
    expect(load('/login?application=&supplierHub=false')).toMatchObject({ application: null });
    expect(load('/')).toMatchObject({ supplierHub: false, application: null });
    const { storage: another } = fakeDeps();
    expect(load('/', another)).toMatchObject({ supplierHub: false, application: null });
  });

  it('records whether the host has the e-pay look', () => {
    expect(
      openApp(fakeDeps({ host: 'suppliers.payments.localhost:4000' })).state().page.brand.supplierHost,
    ).toBe(true);
    expect(openApp(fakeDeps()).state().page.brand.supplierHost).toBe(false);
  });
});

describe('the saga of a screen', () => {
  const magicLinkCalls = (app: ReturnType<typeof openAt>) =>
    app.deps.api.auth.exchangeMagicLink.mock.calls.length;

  it('starts when its address is entered, continues while it is the same, and restarts for another parameter', async () => {
    const app = openAt('/redirect/one');
    await settle();
    expect(magicLinkCalls(app)).toBe(1);
    await app.visit('/redirect/one?a=1');
    expect(magicLinkCalls(app)).toBe(1);
    await app.visit('/redirect/two');
    expect(magicLinkCalls(app)).toBe(2);
  });

  it('does not start if the user left before it was loaded', async () => {
    const app = openAt('/redirect/one');
    await app.visit('/unauthorized');
    expect(magicLinkCalls(app)).toBe(0);
    expect(app.address()).toBe('/unauthorized');
  });

  it('that cannot be loaded shows the fallback, and other screens work', async () => {
    const load = jest.spyOn((routes['forgotPassword'] as Extract<Route, { chunk: unknown }>).chunk, 'load');
    load.mockRejectedValueOnce(new Error('a bug'));
    const app = openAt('/forgot-password');
    await settle();
    expect(app.deps.log.errors.map(({ event }) => event)).toEqual(['saga crashed: forgotPassword']);
    expect(app.state().page.crash).toBe(true);
    await app.visit('/redirect/one');
    expect(magicLinkCalls(app)).toBe(1);
  });
});
