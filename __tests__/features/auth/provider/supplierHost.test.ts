/** @jest-environment node */
import { stateOn, supplierReturnUrl } from '@features/auth/provider/supplierReturn';
import { hosts, testConfig } from '../../../support/builders';
import { fakeBrowser } from '../../../support/fakeDeps';
import { pass, settle } from '../../../support/openApp';
import { openReturn } from './openReturn';
import { openWithProviders } from './openWithProviders';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));

const supplier = 'suppliers.payments.localhost:4000';
const login = new URL(hosts.login).host;
const state = `state-1.${supplier}`;

describe('a flow that started on a supplier host', () => {
  it.each(['google', 'microsoft'] as const)('returns from %s through the login host', async (provider) => {
    // Stored states and channels belong to a host: a second browser represents the other host.
    const onSupplier = fakeBrowser();
    const onLogin = fakeBrowser();
    const app = await openWithProviders({ browser: onSupplier, host: supplier });
    const window = await app.choose(provider);
    const asked = new URL(window.visited[0] ?? '').searchParams;
    expect([asked.get('redirect_uri'), asked.get('state')]).toEqual([`${hosts.login}/oauth-redirect`, state]);
    expect([...onSupplier.oauthStates.stored]).toEqual([[state, provider]]);

    const between = openReturn(`?code=code-1&state=${encodeURIComponent(state)}`, { browser: onLogin });
    await pass(11_000);
    const address = `http://${supplier}/oauth-redirect?code=code-1&state=${encodeURIComponent(state)}`;
    expect(between.deps.navigation.leaves).toEqual([address]);
    expect(between.deps.navigation.address()).toBe('/oauth-redirect');
    expect(between.order).toEqual(['navigation.replace']);
    expect(between.deps.popup.closedSelf()).toBe(false);
    expect(JSON.stringify(between.state())).not.toContain('code-1');

    const back = openReturn(new URL(address).search, { browser: onSupplier, host: supplier });
    await settle();
    expect(back.deps.navigation.leaves).toEqual([]);
    expect(app.deps.api.auth.token).toHaveBeenCalledWith(
      expect.objectContaining({ method: provider, code: 'code-1' }),
    );
    expect(back.deps.popup.closedSelf()).toBe(true);
    expect(app.traces()).toMatchObject({ states: [], listeners: 0 });
  });

  it('also receives an error', async () => {
    const answer = `?error=access_denied&state=${encodeURIComponent(state)}`;
    const between = openReturn(answer, { browser: fakeBrowser() });
    await settle();
    expect(between.deps.navigation.leaves).toEqual([
      `http://${supplier}/oauth-redirect?state=${encodeURIComponent(state)}&error=access_denied`,
    ]);
  });

  it('is forwarded once: the supplier host forwards nothing', async () => {
    const page = openReturn(`?code=code-1&state=${encodeURIComponent(state)}`, {
      browser: fakeBrowser(),
      host: supplier,
    });
    await settle();
    expect(page.deps.navigation.leaves).toEqual([]);
    expect(page.deps.popup.closedSelf()).toBe(true);
  });
});

describe('the host to which an answer is forwarded', () => {
  const { signOnUrl } = testConfig();
  const listed = [supplier, 'b.example', 'b.example:8443', '[::1]:4000', login];
  const target = (text: string, from = login, base = signOnUrl) =>
    supplierReturnUrl({ code: 'c', state: text, error: undefined, issuer: undefined }, from, {
      signOnUrl: base,
      supplierHosts: listed,
    });

  it.each(listed.filter((host) => host !== login))('the listed host %s', (host) => {
    const named = stateOn(host, 'r', { signOnUrl });
    expect(target(named)).toBe(`http://${host}/oauth-redirect?code=c&state=r.${encodeURIComponent(host)}`);
  });

  it('has the protocol of the login host', () => {
    expect(target('r.b.example', 'login.example', 'https://login.example')).toMatch(
      /^https:\/\/b\.example\//,
    );
  });

  it.each([
    ...'r r. .b.example b.example r.evil.example r.c.b.example r.b.example. r.B.example r.*'.split(' '),
    ...'r.b.example:80 r.b.example:443 r.b.example:8444 r.b.example/ r.b.example? r.b.example#'.split(' '),
    ...'r.b.example@evil.example r.evil.example/b.example r.//b.example r.http://b.example'.split(' '),
    ...['', 'r. b.example', 'r.b.example\n', 'r.b.example\\', 'r.suppliers.payments.localhost', `r.${login}`],
    ...['r.constructor', 'r.r.b.example'],
  ])('is none for the state %j', (text) => {
    expect(target(text)).toBeNull();
  });

  it.each([supplier, 'b.example', 'go.payments.localhost:4000'])('is none for a page on %s', (from) => {
    expect(target('r.b.example:8443', from)).toBeNull();
  });
});
