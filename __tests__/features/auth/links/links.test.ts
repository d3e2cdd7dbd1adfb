/** @jest-environment node */
/** Tests apiInvite.saga, confirmOneTimeLink.saga, magicLink.saga, needsPress.saga and oneTimeLink.slice. */
import { linkOpened } from '@features/auth/links/oneTimeLink.slice';
import { newPasswordSubmitted } from '@features/password/save/newPassword.slice';
import { logoutRequested } from '@features/session';
import type { MagicLinkResponse } from '@shared/api/decoders';
import { ApiError } from '@shared/api/apiError';
import fc from 'fast-check';
import { createHash } from 'node:crypto';
import { anyLinkId } from '../../../support/anyLinkId';
import { accessToken, hosts, tokenPair } from '../../../support/builders';
import { fakeDeps, type FakeDeps, type TabOptions } from '../../../support/fakeDeps';
import { later } from '../../../support/later';
import { openApp, pass, settle } from '../../../support/openApp';
import { put } from '../../../support/sessionCookies';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const token = accessToken();
const intoLedger: MagicLinkResponse = {
  application: 'ledger',
  applicationUrl: hosts.ledger,
  redirectUrl: `${hosts.ledger}invoices?open=7`,
  token,
  refreshToken: 'ref',
};
const intoSignOn = (type?: string): MagicLinkResponse => ({
  applicationUrl: `${hosts.login}/anything`,
  ...(type === undefined ? {} : { type }),
  token: '',
  refreshToken: '',
});

const evil = 'https://evil.example/';

const openLink = async (
  answer: MagicLinkResponse | ApiError,
  path = '/redirect/id%2F1',
  tab: TabOptions = {},
) => {
  const deps = fakeDeps({ ...tab, path });
  if (answer instanceof ApiError) deps.api.auth.exchangeMagicLink.mockRejectedValue(answer);
  else deps.api.auth.exchangeMagicLink.mockResolvedValue(answer);
  const app = openApp(deps);
  await settle();
  return { ...app, address: () => deps.navigation.address() };
};

describe('a magic link', () => {
  it('to an application stores its tokens under the hashed id and adds the hash to the address', async () => {
    const app = await openLink(intoLedger);
    const hash = sha256('id/1');
    expect(app.deps.api.auth.exchangeMagicLink.mock.calls).toEqual([['id/1']]);
    expect(app.deps.cookies.contents()).toEqual({
      [`payments-test-session-${hash}`]: JSON.stringify({ token, refreshToken: 'ref' }),
    });
    expect(app.deps.navigation.leaves).toEqual([`${hosts.ledger}invoices?open=7&magiclink=${hash}`]);
  });

  it('without a redirect address leads to the application', async () => {
    const { redirectUrl: _none, ...plain } = intoLedger;
    const app = await openLink(plain);
    expect(app.deps.navigation.leaves).toEqual([`${hosts.ledger}?magiclink=${sha256('id/1')}`]);
  });

  it.each(['activate', 'reset-password', 'secret-key'])('to a form leads to its %s', async (type) => {
    const deps = fakeDeps({ path: '/redirect/id%2F1' });
    deps.api.auth.exchangeMagicLink.mockResolvedValue(intoSignOn(type));
    deps.api.users.apiInvite.mockReturnValue(new Promise(() => undefined));
    openApp(deps);
    await settle();
    expect(deps.navigation.address()).toBe(`/${type}/id%2F1`);
    expect(deps.cookies.contents()).toEqual({});
  });

  it.each<readonly [string, MagicLinkResponse | ApiError]>([
    ['an unknown type', intoSignOn('account-settings')],
    ['no type', intoSignOn()],
    ['a form at another port', { ...intoSignOn('activate'), applicationUrl: `${hosts.login}0/` }],
    ['a target that is not allowed', { ...intoLedger, applicationUrl: evil, redirectUrl: evil }],
    ['no target', { token, refreshToken: 'ref' }],
    ['a token that cannot be decoded', { ...intoLedger, token: 'tok' }],
    ['a token without an application', { ...intoLedger, token: accessToken({ personas: {} }) }],
    ['no tokens', { applicationUrl: hosts.ledger }],
    ['a rejection', new ApiError('server', { status: 410 })],
    ['no response', new ApiError('network')],
  ])('with the outcome %s leads to the page for invalid links, and stores nothing', async (_name, answer) => {
    const app = await openLink(answer);
    expect(app.address()).toBe('/unauthorized');
    expect(app.deps.navigation.leaves).toEqual([]);
    expect(app.deps.cookies.contents()).toEqual({});
  });

  it.each([evil, 'javascript:alert(1)', '//evil.example'])(
    'opens the application, not %s',
    async (redirectUrl) => {
      const app = await openLink({ ...intoLedger, redirectUrl });
      expect(app.deps.navigation.leaves).toEqual([`${hosts.ledger}?magiclink=${sha256('id/1')}`]);
    },
  );

  it('is followed when an old session has been checked: the response of its refresh would be lost', async () => {
    const deps = fakeDeps({ path: '/redirect/id-1' });
    deps.storage.browser.write('clock-skew', null);
    put(deps, tokenPair({ iat: 1_800_000_000 - 7200 }));
    const refresh = later(deps.api.auth.refresh);
    deps.api.auth.exchangeMagicLink.mockResolvedValue(intoLedger);
    openApp(deps);
    await settle();
    expect(deps.api.auth.refresh).toHaveBeenCalledTimes(1);
    expect(deps.navigation.leaves).toEqual([]);
    const renewed = tokenPair();
    await refresh.answer(renewed);
    await pass(5000);
    expect(deps.navigation.leaves).toHaveLength(1);
    expect(deps.cookies.readAll('payments-test-session-refresh')).toEqual([renewed.refresh]);
  });

  it('is not exchanged while the page is hidden', async () => {
    const deps = fakeDeps({ path: '/redirect/id-1' });
    deps.pageLife.emit('hidden');
    deps.api.auth.exchangeMagicLink.mockResolvedValue(intoLedger);
    openApp(deps);
    await settle();
    expect(deps.api.auth.exchangeMagicLink).not.toHaveBeenCalled();
    deps.pageLife.emit('shown');
    await settle();
    expect(deps.api.auth.exchangeMagicLink).toHaveBeenCalledTimes(1);
  });

  it('that leads to another one-time link asks for one click, not two', async () => {
    const deps = fakeDeps({ path: '/redirect/id-1', config: { oneTimeLinks: 'click' } });
    deps.api.auth.exchangeMagicLink.mockResolvedValue(intoSignOn('secret-key'));
    deps.api.users.apiInvite.mockResolvedValue({ apiKey: 'k', apiSecret: 's' });
    const app = openApp(deps);
    await settle();
    await app.send(linkOpened());
    expect(deps.navigation.address()).toBe('/secret-key/id-1');
    expect(app.state().auth.oneTimeLink).toEqual({ phase: 'shown', copied: null });
  });
});

const values = { apiKey: 'shown-key', apiSecret: 'shown-secret' };

const openInvite = async () => {
  const deps = fakeDeps({ path: '/secret-key/h%20x' });
  deps.api.users.apiInvite.mockResolvedValue(values);
  const app = openApp(deps);
  await settle();
  return { ...app, address: () => deps.navigation.address(), link: () => app.state().auth.oneTimeLink };
};

describe('an API invitation', () => {
  it('is opened once, and its values are kept in the vault only', async () => {
    const app = await openInvite();
    expect(app.deps.api.users.apiInvite.mock.calls).toEqual([['h x']]);
    expect(app.link()).toEqual({ phase: 'shown', copied: null });
    expect(app.deps.vault.get('apiInvite')).toEqual(values);
    expect(JSON.stringify(app.state())).not.toMatch(/shown-key|shown-secret|h%20x|h x/);
  });

  it('stays when a session ends: its values belong to no session and cannot be requested again', async () => {
    const app = await openInvite();
    await app.send(logoutRequested());
    expect(app.deps.vault.get('apiInvite')).toEqual(values);
    expect(app.link()).toEqual({ phase: 'shown', copied: null });
  });

  it('is not reloaded when another user signs in elsewhere, until the screen is left', async () => {
    const signIn = (uid: string) =>
      put(deps, { token: accessToken({ uid, lifeSeconds: 86_400 }), refresh: uid });
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

  it('is removed from memory when the screen is left', async () => {
    const app = await openInvite();
    await app.visit('/unauthorized');
    expect(app.deps.vault.get('apiInvite')).toBeUndefined();
  });
});

/** Opens an address as a signed-in user, and submits the form that appears. */
const follow = async (path: string): Promise<FakeDeps> => {
  const deps = fakeDeps({ path });
  put(deps, { token: accessToken({ lifeSeconds: 86_400 }), refresh: 'r' });
  const { api } = deps;
  const refused = new ApiError('server', { status: 410 });
  const calls = [api.users.apiInvite, api.auth.exchangeMagicLink, api.password.reset, api.password.activate];
  for (const call of calls) call.mockRejectedValue(refused);
  const app = openApp(deps);
  await settle();
  await app.send(newPasswordSubmitted({ password: 'Front-door7', confirm: 'Front-door7' }));
  return deps;
};

/** The ids that were sent to the service, by any call. */
const idsSent = ({ api }: FakeDeps): readonly string[] => [
  ...api.users.apiInvite.mock.calls.map(([hash]) => hash),
  ...api.auth.exchangeMagicLink.mock.calls.map(([id]) => id),
  ...[...api.password.reset.mock.calls, ...api.password.activate.mock.calls].map(([{ hash }]) => hash),
];

const addresses = {
  'a reset': (id: string) => `/reset-password/${id}`,
  'a reset by query': (id: string) => `/reset?hash=${id}`,
  'an activation': (id: string) => `/activate/${id}`,
  'an API invitation': (id: string) => `/secret-key/${id}`,
  'a magic link': (id: string) => `/redirect/${id}`,
} as const;

describe.each(Object.entries(addresses))('the id of %s', (_name, addressOf) => {
  it('reaches the service unchanged, once, with any characters', async () => {
    await fc.assert(
      fc.asyncProperty(anyLinkId, async (id) => {
        expect(idsSent(await follow(addressOf(encodeURIComponent(id))))).toEqual([id]);
      }),
      { numRuns: 25 },
    );
  }, 60_000);
});

describe.each(['/reset-password/', '/activate/', '/secret-key/', '/redirect/'])('behind %s', (route) => {
  const undecodable = ['%', '%2', 'a%zz', '%ff', '%c3', '%ed%a0%80', '%f8%88%80%80%80'];
  it.each(undecodable)('%s opens the page for invalid links, and is not sent', async (segment) => {
    const deps = await follow(route + segment);
    expect(idsSent(deps)).toEqual([]);
    expect(deps.navigation.address()).toBe('/unauthorized');
  });

  it.each(['', '.', '..', '%2E%2e', 'a/b', 'a%2Fb/c', '../../etc'])('%j is not sent', async (segments) => {
    expect(idsSent(await follow(route + segments))).toEqual([]);
  });
});
