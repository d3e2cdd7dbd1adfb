/** @jest-environment node */
import { callsOf, features } from '@app/features';
import { passwordSubmitted } from '@features/auth/sign-in/signIn.slice';
import { backRequested, logoutRequested } from '@features/session';
import { ApiError } from '@shared/api/apiError';
import { createApi } from '@shared/api/api';
import { accessToken, answers, testConfig, tokenPair } from '../../support/builders';
import { fakeDeps, type FakeDeps, type TabOptions } from '../../support/fakeDeps';
import { enterUsername, openApp, pass, settle, type OpenApp } from '../../support/openApp';
import { blocked } from '../auth/sign-in/openWith';
import { openForm } from '../password/save/openForm';
import { put, session, start } from '../session/refresh/openSignedIn';
import { arrangeSignIn } from '../../support/usualResponses';

beforeEach(() => jest.useFakeTimers({ now: start }));

const offered = { config: { extensions: ['revoke'] } } as const satisfies TabOptions;
const magicLink = (digit: string) => `${session}-${digit.repeat(64)}`;

const putSession = (deps: FakeDeps, uid = 'u_1', refresh = 'r') =>
  put(deps, { token: accessToken({ uid }), refresh });
const mfaToken = accessToken({ isMfaSetup: true, iat: start / 1000 });
const putSetup = ({ cookies }: FakeDeps) =>
  void cookies.write(`${session}-setup`, JSON.stringify({ mfaToken }));
const putMagicLink = ({ cookies }: FakeDeps, digit: string, uid = 'u_1') =>
  void cookies.write(
    magicLink(digit),
    JSON.stringify({ token: accessToken({ uid }), refreshToken: `magic-${digit}` }),
  );

/** Opens the account settings with these cookies. Calls that revoke are never answered. */
const open = (prepare: readonly ((deps: FakeDeps) => void)[], options: TabOptions = offered): OpenApp => {
  const deps = fakeDeps({ path: '/account-settings', embedding: 'trusted', ...options });
  deps.api.users.attributes.mockRejectedValue(new ApiError('network'));
  deps.api.revoke.end.mockReturnValue(new Promise(() => undefined));
  deps.vault.put('verification', { authVerificationToken: 'vt' });
  for (const step of prepare) step(deps);
  return openApp(deps);
};
const withLink = (deps: FakeDeps) => putMagicLink(deps, 'a');
const revoked = ({ deps }: Pick<OpenApp, 'deps'>) => deps.api.revoke.end.mock.calls.map(([token]) => token);

it('without the extension Logout revokes nothing', async () => {
  const app = open([putSession], { config: { extensions: ['of-a-later-build'] } });
  await app.send(logoutRequested());
  expect(app.address()).toBe('/login');
  expect(revoked(app)).toEqual([]);
});

it('magic links that are removed when /login opens, because there are too many, are not revoked', async () => {
  const app = open(
    ['a', 'b', 'c', 'd', 'e'].map((digit) => (deps) => putMagicLink(deps, digit)),
    { ...offered, path: '/login' },
  );
  await pass(0);
  expect(Object.keys(app.deps.cookies.contents())).toHaveLength(4);
  expect(revoked(app)).toEqual([]);
});

describe('Logout', () => {
  it('ends the sessions of all magic links, and keeps all other cookies', async () => {
    const app = open([putSession, withLink, (deps) => putMagicLink(deps, 'b', 'u_2')]);
    app.deps.cookies.write(magicLink('c'), 'cut off');
    const kept = {
      'payments-test-session-trust-ada': 'trusted',
      'payments-test-username': 'ada',
      ['other-session-'.concat('a'.repeat(64))]: 'other prefix',
      [magicLink('A')]: 'upper case',
      [magicLink('a').slice(0, -1)]: 'short',
      [`${magicLink('a')}0`]: 'long',
    };
    for (const [name, value] of Object.entries(kept)) app.deps.cookies.write(name, value);
    await app.send(logoutRequested());
    expect(app.deps.cookies.contents()).toEqual(kept);
    expect(app.signIn()).toEqual({ phase: 'username', username: 'ada', rememberMe: true });
    expect(revoked(app)).toEqual([{ refresh: 'r' }, { refresh: 'magic-a' }, { refresh: 'magic-b' }]);
  });

  it.each([
    ['refuses', new ApiError('server', { status: 500 })],
    ['is not reached', new ApiError('network')],
  ])('works when the service %s', async (_what, error) => {
    const app = open([putSession]);
    app.deps.api.revoke.end.mockRejectedValue(error);
    await app.send(logoutRequested());
    expect(app.deps.cookies.contents()).toEqual({});
    expect(app.address()).toBe('/login');
    expect(app.dialog()).toBeUndefined();
  });

  it('works when the transport’s chunk does not load', async () => {
    const unhandled: unknown[] = [];
    const note = (error: unknown) => void unhandled.push(error);
    process.on('unhandledRejection', note);
    const app = open([putSession]);
    const { revoke } = createApi({
      calls: callsOf(features),
      serviceUrl: testConfig().serviceUrl,
      clock: app.deps.clock,
      isHostReachable: () => Promise.resolve(true),
      loadTransport: () => Promise.reject(Object.assign(new Error('gone'), { name: 'ChunkLoadError' })),
    });
    app.deps.api.revoke.end.mockImplementation(revoke.end);
    await app.send(logoutRequested());
    process.off('unhandledRejection', note);
    expect(app.deps.api.revoke.end).toHaveBeenCalledTimes(1);
    expect(unhandled).toEqual([]);
    expect(app.deps.cookies.contents()).toEqual({});
    expect(app.deps.parentFrame.messages).toEqual(['removed_tokens']);
    expect(app.state().page.crash).toBe(false);
    expect(app.deps.navigation.reloads()).toBe(0);
  });
});

describe('with the extension that revokes sessions', () => {
  it.each([
    ['Logout', [putSession], logoutRequested(), { refresh: 'r' }],
    ['Logout in setup mode', [putSetup], logoutRequested(), { mfaToken }],
    ['Back in setup mode', [putSetup], backRequested(), { mfaToken }],
    ['Logout with a leftover setup token', [putSession, putSetup], logoutRequested(), { refresh: 'r' }],
  ])('%s calls synchronously with the press, after removing cookies', (_name, prepare, action, first) => {
    const app = open([...prepare, withLink]);
    const cookiesThen: object[] = [];
    app.deps.api.revoke.end.mockImplementation(() => {
      cookiesThen.push(app.deps.cookies.contents());
      return Promise.resolve();
    });
    app.dispatch(action);
    const leftover = prepare.length > 1 ? [{ mfaToken }] : [];
    expect(revoked(app)).toEqual([first, ...leftover, { refresh: 'magic-a' }]);
    expect(cookiesThen).toEqual(revoked(app).map(() => ({})));
  });

  it.each([
    ['a session', putSession],
    ['setup mode', putSetup],
  ])('%s loads the transport early, for a sign-out leaves the page at once', async (_what, step) => {
    // A public screen: the others load the transport for their first call.
    const app = open([step], { ...offered, path: '/forgot-password' });
    await settle();
    expect(app.deps.api.warmUp).toHaveBeenCalledTimes(1);
    const without = open([step], { path: '/forgot-password' });
    await settle();
    expect(without.deps.api.warmUp).not.toHaveBeenCalled();
  });

  it('a saved password ends the existing session of any user', async () => {
    const app = await openForm('/reset-password/h-1', { ...offered, signedIn: true });
    app.deps.api.revoke.end.mockResolvedValue(undefined);
    withLink(app.deps);
    await app.submit('Front-door7');
    expect(revoked(app)).toEqual([]);
    await pass(2500);
    expect(revoked(app)).toEqual([{ refresh: 'refresh-1' }, { refresh: 'magic-a' }]);
    expect(app.deps.cookies.contents()).toEqual({});
  });

  it('a session that expires or is removed elsewhere is not revoked, and magic-link cookies stay', async () => {
    const app = open([putSession, withLink]);
    app.deps.cookies.remove(session);
    await pass(10_000);
    expect(app.state().session.access.phase).toBe('anonymous');
    const expired = open([
      (deps) => put(deps, { token: accessToken({ lifeSeconds: -1 }), refresh: 'r' }),
      withLink,
    ]);
    await settle();
    for (const { deps } of [app, expired])
      expect(Object.keys(deps.cookies.contents())).toEqual([magicLink('a')]);
    expect([...revoked(app), ...revoked(expired)]).toEqual([]);
  });
});

describe('a sign-in', () => {
  /** Another tab or application sets the cookies while the password is being typed. */
  const signInOver = async (
    prepare: readonly ((deps: FakeDeps) => void)[],
    answer = answers.session({ uid: 'u_1' }),
  ) => {
    const deps = fakeDeps({ ...offered, embedding: 'trusted' });
    arrangeSignIn(deps.api, answer);
    deps.api.revoke.end.mockResolvedValue(undefined);
    deps.api.users.attributes.mockRejectedValue(new ApiError('network'));
    const app = openApp(deps);
    await enterUsername(app);
    for (const step of prepare) step(deps);
    await app.send(passwordSubmitted('Corr3ct-horse'));
    return { app, names: Object.keys(deps.cookies.contents()).filter((name) => name.startsWith(session)) };
  };
  const first = (deps: FakeDeps) => putSession(deps, 'u_1', 'first');
  const second = (deps: FakeDeps) => putSession(deps, 'u_2', 'second');
  const linkOfSecond = (deps: FakeDeps) => putMagicLink(deps, 'b', 'u_2');
  const cutOff = ({ cookies }: FakeDeps) => void cookies.write(magicLink('c'), 'cut off');
  const own = [session, `${session}-refresh`];
  const setUp = answers.mustSetUpMfa();

  it.each([
    [
      'ends another user’s session and magic links, not its own user’s',
      [second, withLink, linkOfSecond, cutOff],
      undefined,
      [{ refresh: 'second' }, { refresh: 'magic-b' }],
      [magicLink('a'), ...own],
    ],
    [
      'ends the session of the same user that it replaces, and no magic link',
      [first, withLink],
      undefined,
      [{ refresh: 'first' }],
      [...own, magicLink('a')],
    ],
    ['ends setup mode', [putSetup], undefined, [{ mfaToken }], own],
    [
      'that must set up two-step verification ends the session that it replaces',
      [first, linkOfSecond],
      setUp,
      [{ refresh: 'first' }, { refresh: 'magic-b' }],
      [`${session}-setup`],
    ],
  ])('%s', async (_name, prepare, answer, tokens, names) => {
    const result = await signInOver(prepare, answer);
    expect(revoked(result.app)).toEqual(tokens);
    expect([...result.names].sort()).toEqual([...names].sort());
  });

  it('ends nothing if the service issues the same refresh token again', async () => {
    const answer = tokenPair({ uid: 'u_1' });
    const { app } = await signInOver(
      [(deps) => put(deps, { ...answer, token: accessToken({ lifeSeconds: 60 }) })],
      answer,
    );
    expect(revoked(app)).toEqual([]);
  });

  it('calls only after its own cookies were stored', async () => {
    const cookiesThen: (readonly string[])[] = [];
    const watch = (deps: FakeDeps) =>
      deps.api.revoke.end.mockImplementation(() => {
        cookiesThen.push(deps.cookies.readAll(`${session}-refresh`));
        return Promise.resolve();
      });
    await signInOver([second, watch], { token: accessToken({ uid: 'u_1' }), refresh: 'new' });
    expect(cookiesThen).toEqual([['new']]);
  });

  it.each([
    ['a session', answers.session({ uid: 'u_1' }), `${session}-refresh`],
    ['setup mode', setUp, `${session}-setup`],
  ])('whose cookie the browser refuses ends no session: %s', async (_what, answer, refused) => {
    const { app, names } = await signInOver(
      [second, linkOfSecond, ({ cookies }) => cookies.refuse(refused)],
      answer,
    );
    expect(app.dialog()).toMatchObject({ message: blocked });
    expect(revoked(app)).toEqual([]);
    expect(names).toContain(magicLink('b'));
  });

  it('to setup mode also ends that session if the host had to expire its cookies first', async () => {
    const block = (deps: FakeDeps) => {
      deps.cookies.refuse(`${session}-setup`);
      deps.expireSessionCookies.mockImplementation(() => {
        deps.cookies.acceptAgain();
        for (const name of [...own, `${session}-setup`]) deps.cookies.remove(name);
        return Promise.resolve();
      });
    };
    const { app, names } = await signInOver([second, block], setUp);
    expect(revoked(app)).toEqual([{ refresh: 'second' }]);
    expect(names).toEqual([`${session}-setup`]);
  });
});
