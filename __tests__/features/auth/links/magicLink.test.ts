/** @jest-environment node */
import { linkOpened } from '@features/auth/links/oneTimeLink.slice';
import type { MagicLinkAnswer } from '@shared/api/api';
import { ApiError } from '@shared/api/apiError';
import { createHash } from 'node:crypto';
import { accessToken, hosts } from '../../../support/builders';
import { fakeDeps, type TabOptions } from '../../../support/fakeDeps';
import { openApp, settle } from '../../../support/openApp';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));
afterEach(() => jest.useRealTimers());

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const token = accessToken();
const intoLedger: MagicLinkAnswer = {
  application: 'ledger',
  applicationUrl: hosts.ledger,
  redirectUrl: `${hosts.ledger}invoices?open=7`,
  token,
  refreshToken: 'ref',
};
const intoSignOn = (type?: string): MagicLinkAnswer => ({
  applicationUrl: `${hosts.login}/anything`,
  ...(type === undefined ? {} : { type }),
  token: '',
  refreshToken: '',
});

const evil = 'https://evil.example/';

const openLink = async (
  answer: MagicLinkAnswer | ApiError,
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
  it('into an application leaves its tokens under the hashed id and takes the hash along', async () => {
    const app = await openLink(intoLedger);
    const hash = sha256('id/1');
    expect(app.deps.api.auth.exchangeMagicLink.mock.calls).toEqual([['id/1']]);
    expect(app.deps.cookies.contents()).toEqual({
      [`payments-test-session-${hash}`]: JSON.stringify({ token, refreshToken: 'ref' }),
    });
    expect(app.deps.navigation.leaves).toEqual([`${hosts.ledger}invoices?open=7&magiclink=${hash}`]);
  });

  it('without a redirect address leads to the application itself', async () => {
    const { redirectUrl: _none, ...plain } = intoLedger;
    const app = await openLink(plain);
    expect(app.deps.navigation.leaves).toEqual([`${hosts.ledger}?magiclink=${sha256('id/1')}`]);
  });

  it.each(['activate', 'reset-password', 'secret-key'])(
    'of the sign-on itself leads to its %s',
    async (type) => {
      const deps = fakeDeps({ path: '/redirect/id%2F1' });
      deps.api.auth.exchangeMagicLink.mockResolvedValue(intoSignOn(type));
      deps.api.users.apiInvite.mockReturnValue(new Promise(() => undefined));
      openApp(deps);
      await settle();
      expect(deps.navigation.address()).toBe(`/${type}/id%2F1`);
      expect(deps.cookies.contents()).toEqual({});
    },
  );

  it.each<readonly [string, MagicLinkAnswer | ApiError]>([
    ['a type that is none of ours', intoSignOn('account-settings')],
    ['no type', intoSignOn()],
    ['a target that is not allowed', { ...intoLedger, applicationUrl: evil, redirectUrl: evil }],
    ['no target', { token, refreshToken: 'ref' }],
    ['a token that cannot be decoded', { ...intoLedger, token: 'tok' }],
    ['a token without an application', { ...intoLedger, token: accessToken({ personas: {} }) }],
    ['no tokens', { applicationUrl: hosts.ledger }],
    ['a refusal', new ApiError('server', { status: 410 })],
    ['no answer', new ApiError('network')],
  ])('that comes to %s leads where every bad link leads, and leaves nothing', async (_name, answer) => {
    const app = await openLink(answer);
    expect(app.address()).toBe('/unauthorized');
    expect(app.deps.navigation.leaves).toEqual([]);
    expect(app.deps.cookies.contents()).toEqual({});
  });

  it.each([evil, 'javascript:alert(1)', '//evil.example'])(
    'with the redirect address %s, which is not allowed, leads to the application itself',
    async (redirectUrl) => {
      const app = await openLink({ ...intoLedger, redirectUrl });
      expect(app.deps.navigation.leaves).toEqual([`${hosts.ledger}?magiclink=${sha256('id/1')}`]);
    },
  );

  it('is not exchanged before somebody sees the page', async () => {
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

  it('waits for a press where the deployment asks for one', async () => {
    const app = await openLink(intoLedger, '/redirect/id-1', { config: { oneTimeLinks: 'click' } });
    expect(app.deps.api.auth.exchangeMagicLink).not.toHaveBeenCalled();
    expect(app.state().auth.oneTimeLink).toEqual({ phase: 'gate' });
    app.dispatch(linkOpened());
    app.dispatch(linkOpened());
    await settle();
    expect(app.deps.api.auth.exchangeMagicLink).toHaveBeenCalledTimes(1);
  });

  it('that leads to a link of our own asks for one press, not two', async () => {
    const deps = fakeDeps({ path: '/redirect/id-1', config: { oneTimeLinks: 'click' } });
    deps.api.auth.exchangeMagicLink.mockResolvedValue(intoSignOn('secret-key'));
    deps.api.users.apiInvite.mockResolvedValue({ apiKey: 'k', apiSecret: 's' });
    const app = openApp(deps);
    await settle();
    app.dispatch(linkOpened());
    await settle();
    expect(deps.navigation.address()).toBe('/secret-key/id-1');
    expect(app.state().auth.oneTimeLink).toEqual({ phase: 'shown', copied: null });
  });

  it('keeps its id out of the store', async () => {
    const app = await openLink(new ApiError('network'), '/redirect/very-secret', {
      config: { oneTimeLinks: 'click' },
    });
    expect(JSON.stringify(app.state())).not.toContain('very-secret');
  });
});
