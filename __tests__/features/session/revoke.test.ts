/** @jest-environment node */
import { passwordSubmitted } from '@features/auth/sign-in/signIn.slice';
import { backRequested, logoutRequested } from '@features/session';
import { ApiError } from '@shared/api/apiError';
import { createApi } from '@shared/api/createApi';
import { accessToken, answers, methods, testConfig, tokenPair } from '../../support/builders';
import { fakeDeps, type FakeDeps, type TabOptions } from '../../support/fakeDeps';
import { enterUsername, openApp, pass, settle, type OpenApp } from '../../support/openApp';
import { blocked } from '../auth/sign-in/openWith';
import { openForm } from '../password/save/openForm';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));
afterEach(() => jest.useRealTimers());

const life = { kind: 'session' } as const;
const offered = { config: { extensions: ['revoke'] } } as const satisfies TabOptions;
const magicLink = (digit: string) => `payments-test-session-${digit.repeat(64)}`;

const leaveSession = ({ cookies }: FakeDeps, uid = 'u_1', refresh = 'r') => {
  const session = { authenticated: { token: accessToken({ uid }), refresh } };
  cookies.write('payments-test-session', JSON.stringify(session), life);
  cookies.write('payments-test-session-refresh', refresh, life);
};
const mfaToken = () => accessToken({ isMfaSetup: true });
const leaveSetup = ({ cookies }: FakeDeps) =>
  void cookies.write('payments-test-session-setup', JSON.stringify({ mfaToken: mfaToken() }), life);
const leaveMagicLink = ({ cookies }: FakeDeps, digit: string, uid = 'u_1') =>
  void cookies.write(
    magicLink(digit),
    JSON.stringify({ token: accessToken({ uid }), refreshToken: `magic-${digit}` }),
    life,
  );

/** Opens the account settings; calls that revoke are never answered. */
const open = (prepare: (deps: FakeDeps) => void, options: TabOptions = offered): OpenApp => {
  const deps = fakeDeps({ path: '/account-settings', ...options });
  deps.api.users.attributes.mockRejectedValue(new ApiError('network'));
  deps.api.auth.revoke.mockReturnValue(new Promise(() => undefined));
  prepare(deps);
  return openApp(deps);
};
const revoked = ({ deps }: Pick<OpenApp, 'deps'>) => deps.api.auth.revoke.mock.calls.map(([token]) => token);

describe('where the service offers to end sessions', () => {
  it('Logout has it do so, and waits for nothing', async () => {
    const app = open(leaveSession);
    app.dispatch(logoutRequested());
    expect(revoked(app)).toEqual([{ refresh: 'r' }]);
    await settle();
    expect(app.deps.navigation.address()).toBe('/login');
  });

  it.each([
    ['a session', leaveSession],
    ['setup mode', leaveSetup],
  ])(
    '%s has the transport at hand, because who signs out leaves the page in that turn',
    async (_what, leave) => {
      const app = open(leave, { ...offered, path: '/mfa-options' });
      await settle();
      expect(app.deps.api.warmUp).toHaveBeenCalledTimes(1);
      const without = open(leave, { path: '/mfa-options' });
      await settle();
      expect(without.deps.api.warmUp).not.toHaveBeenCalled();
    },
  );

  it.each([
    ['Logout', leaveSession, logoutRequested()],
    ['Logout in setup mode', leaveSetup, logoutRequested()],
    ['Back in setup mode', leaveSetup, backRequested()],
  ])('%s calls only when every cookie is gone, in the turn of the press', (_name, leave, action) => {
    const app = open((deps) => {
      leave(deps);
      leaveMagicLink(deps, 'a');
    });
    const cookiesThen: object[] = [];
    app.deps.api.auth.revoke.mockImplementation(() => {
      cookiesThen.push(app.deps.cookies.contents());
      return Promise.resolve();
    });
    app.dispatch(action);
    expect(cookiesThen).toEqual([{}, {}]);
  });

  it('Logout leaves no set-up token behind', async () => {
    const app = open((deps) => {
      leaveSession(deps);
      leaveSetup(deps);
    });
    app.dispatch(logoutRequested());
    await settle();
    expect(revoked(app)).toEqual([{ refresh: 'r' }, { mfaToken: mfaToken() }]);
    expect(app.deps.cookies.contents()).toEqual({});
  });

  it.each([
    ['refuses', new ApiError('server', { status: 500 })],
    ['is not reached', new ApiError('network')],
  ])('Logout works when the service %s', async (_what, error) => {
    const app = open(leaveSession);
    app.deps.api.auth.revoke.mockRejectedValue(error);
    app.dispatch(logoutRequested());
    await settle();
    expect(app.deps.cookies.contents()).toEqual({});
    expect(app.deps.navigation.address()).toBe('/login');
    expect(app.dialog()).toBeUndefined();
  });

  it('Logout works when the transport’s chunk does not load', async () => {
    const unhandled: unknown[] = [];
    const note = (error: unknown) => void unhandled.push(error);
    process.on('unhandledRejection', note);
    const app = open(leaveSession, { ...offered, embedding: 'trusted' });
    const lost = Object.assign(new Error('gone'), { name: 'ChunkLoadError' });
    const { auth } = createApi({
      serviceUrl: testConfig().serviceUrl,
      clock: app.deps.clock,
      isOnline: () => true,
      loadTransport: () => Promise.reject(lost),
    });
    app.deps.api.auth.revoke.mockImplementation(auth.revoke);
    app.dispatch(logoutRequested());
    await settle();
    process.off('unhandledRejection', note);
    expect(app.deps.api.auth.revoke).toHaveBeenCalledTimes(1);
    expect(unhandled).toEqual([]);
    expect(app.deps.cookies.contents()).toEqual({});
    expect(app.deps.parentFrame.told).toEqual(['removed_tokens']);
    expect(app.state().crash).toBe(false);
    expect(app.deps.navigation.reloads()).toBe(0);
  });

  it('Logout in a parent’s frame does the same', async () => {
    const app = open(leaveSession, { ...offered, embedding: 'trusted' });
    app.dispatch(logoutRequested());
    await settle();
    expect(revoked(app)).toEqual([{ refresh: 'r' }]);
    expect(app.deps.parentFrame.told).toContain('removed_tokens');
  });

  it.each([
    ['Logout', logoutRequested()],
    ['Back', backRequested()],
  ])('%s in setup mode makes the set-up token worthless', async (_name, action) => {
    const app = open(leaveSetup);
    app.dispatch(action);
    expect(app.deps.cookies.contents()).toEqual({});
    await settle();
    expect(revoked(app)).toEqual([{ mfaToken: mfaToken() }]);
  });

  it('a saved password ends the session that was there, whoever’s it was', async () => {
    const app = await openForm('/reset-password/h-1', { ...offered, signedIn: true });
    app.deps.api.auth.revoke.mockResolvedValue(undefined);
    leaveMagicLink(app.deps, 'a');
    await app.submit('Front-door7');
    expect(revoked(app)).toEqual([]);
    await pass(2500);
    expect(revoked(app)).toEqual([{ refresh: 'refresh-1' }, { refresh: 'magic-a' }]);
    expect(app.deps.cookies.contents()).toEqual({});
  });

  it('a session that runs out, or is taken away elsewhere, is not revoked: nobody signed out here', async () => {
    const app = open(leaveSession);
    app.deps.cookies.remove('payments-test-session');
    await pass(10_000);
    expect(app.state().session.access.phase).toBe('anonymous');

    const late = open(({ cookies }) => {
      const session = { authenticated: { token: accessToken({ lifeSeconds: -1 }), refresh: 'r' } };
      cookies.write('payments-test-session', JSON.stringify(session), life);
    });
    await settle();
    expect(late.deps.cookies.contents()).toEqual({});
    expect([...revoked(app), ...revoked(late)]).toEqual([]);
  });
});

describe('where it does not', () => {
  it('nothing is called, and everything else is as it is', async () => {
    const app = open(
      (deps) => {
        leaveSession(deps);
        leaveMagicLink(deps, 'a');
      },
      { config: { extensions: ['of-a-later-build'] } },
    );
    app.dispatch(logoutRequested());
    await settle();
    expect(revoked(app)).toEqual([]);
    expect(app.deps.cookies.contents()).toEqual({});
    expect(app.deps.navigation.address()).toBe('/login');
  });
});

describe('sessions that magic links opened', () => {
  it('end with Logout, all of them, and nothing else does', async () => {
    const app = open((deps) => {
      leaveSession(deps);
      leaveMagicLink(deps, 'a');
      leaveMagicLink(deps, 'b', 'u_2');
      deps.cookies.write(magicLink('c'), 'cut off', life);
      for (const name of [
        'payments-test-username',
        'payments-test-session-trust-ada',
        'other-session-'.concat('a'.repeat(64)),
        magicLink('A'),
        magicLink('a').slice(0, -1),
        `${magicLink('a')}0`,
      ])
        deps.cookies.write(name, 'stays', life);
    });
    app.dispatch(logoutRequested());
    await settle();
    expect(new Set(Object.values(app.deps.cookies.contents()))).toEqual(new Set(['stays']));
    expect(Object.keys(app.deps.cookies.contents())).toHaveLength(6);
    expect(revoked(app)).toEqual([{ refresh: 'r' }, { refresh: 'magic-a' }, { refresh: 'magic-b' }]);
  });

  it('end with Logout in setup mode', async () => {
    const app = open((deps) => {
      leaveSetup(deps);
      leaveMagicLink(deps, 'a');
    });
    app.dispatch(logoutRequested());
    await settle();
    expect(app.deps.cookies.contents()).toEqual({});
    expect(revoked(app)).toEqual([{ mfaToken: mfaToken() }, { refresh: 'magic-a' }]);
  });

  it('do not end with a session that runs out or is taken away elsewhere: an application is at work with them', async () => {
    const app = open((deps) => {
      leaveSession(deps);
      leaveMagicLink(deps, 'a');
    });
    app.deps.cookies.remove('payments-test-session');
    await pass(10_000);
    expect(Object.keys(app.deps.cookies.contents())).toContain(magicLink('a'));
  });
});

describe('a sign-in', () => {
  const signInOver = async (prepare: (deps: FakeDeps) => void, answer = answers.session({ uid: 'u_1' })) => {
    const deps = fakeDeps({ ...offered, embedding: 'trusted' });
    deps.api.auth.methods.mockResolvedValue([methods.basic]);
    deps.api.auth.token.mockResolvedValue(answer);
    deps.api.auth.revoke.mockResolvedValue(undefined);
    deps.api.users.attributes.mockRejectedValue(new ApiError('network'));
    const app = openApp(deps);
    await enterUsername(app);
    // From another tab, or another application, while the password was being typed.
    prepare(deps);
    app.dispatch(passwordSubmitted('Corr3ct-horse'));
    await settle();
    return app;
  };

  it('of another person ends what the first one had, magic links too, and keeps their own', async () => {
    const app = await signInOver((deps) => {
      leaveSession(deps, 'u_2', 'second');
      leaveMagicLink(deps, 'a', 'u_2');
      leaveMagicLink(deps, 'b', 'u_1');
      deps.cookies.write(magicLink('c'), 'cut off', life);
    });
    expect(revoked(app)).toEqual([{ refresh: 'second' }, { refresh: 'magic-a' }]);
    expect(Object.keys(app.deps.cookies.contents())).toEqual([
      magicLink('b'),
      'payments-test-session',
      'payments-test-session-refresh',
    ]);
  });

  it('of the same person ends the session that it takes the place of, and no magic link of theirs', async () => {
    const app = await signInOver((deps) => {
      leaveSession(deps, 'u_1', 'first');
      leaveMagicLink(deps, 'a', 'u_1');
    });
    expect(revoked(app)).toEqual([{ refresh: 'first' }]);
    expect(Object.keys(app.deps.cookies.contents())).toContain(magicLink('a'));
  });

  it('ends nothing where the service gives the same refresh token again', async () => {
    const answer = tokenPair({ uid: 'u_1' });
    const app = await signInOver(({ cookies }) => {
      const session = { authenticated: { ...answer, token: accessToken({ lifeSeconds: 60 }) } };
      cookies.write('payments-test-session', JSON.stringify(session), life);
    }, answer);
    expect(revoked(app)).toEqual([]);
  });

  it('ends setup mode, whose token could still set up a second factor', async () => {
    const app = await signInOver(leaveSetup);
    expect(revoked(app)).toEqual([{ mfaToken: mfaToken() }]);
  });

  it('calls only when its own cookies are kept', async () => {
    const cookiesThen: (readonly string[])[] = [];
    const app = await signInOver(
      (deps) => {
        leaveSession(deps, 'u_2', 'second');
        deps.api.auth.revoke.mockImplementation(() => {
          cookiesThen.push(deps.cookies.readAll('payments-test-session-refresh'));
          return Promise.resolve();
        });
      },
      { token: accessToken({ uid: 'u_1' }), refresh: 'new' },
    );
    expect(revoked(app)).toEqual([{ refresh: 'second' }]);
    expect(cookiesThen).toEqual([['new']]);
  });

  it.each([
    ['a session', answers.session({ uid: 'u_1' }), 'payments-test-session-refresh'],
    ['setup mode', answers.mustSetUpMfa(), 'payments-test-session-setup'],
  ])('whose cookie the browser does not keep ends no session: %s', async (_what, answer, refused) => {
    const app = await signInOver((deps) => {
      leaveSession(deps, 'u_2', 'second');
      leaveMagicLink(deps, 'a', 'u_2');
      deps.cookies.refuse(refused);
    }, answer);
    expect(app.dialog()).toMatchObject({ message: blocked });
    expect(revoked(app)).toEqual([]);
    expect(Object.keys(app.deps.cookies.contents())).toContain(magicLink('a'));
  });

  it('that has to set up two-step verification ends the session that it takes the place of', async () => {
    const app = await signInOver((deps) => {
      leaveSession(deps, 'u_1', 'first');
      leaveMagicLink(deps, 'a', 'u_2');
    }, answers.mustSetUpMfa());
    expect(revoked(app)).toEqual([{ refresh: 'first' }, { refresh: 'magic-a' }]);
    expect(Object.keys(app.deps.cookies.contents())).toEqual(['payments-test-session-setup']);
  });

  it('to set-up mode ends that session also where the host had to expire its cookies first', async () => {
    const app = await signInOver((deps) => {
      leaveSession(deps, 'u_2', 'second');
      deps.cookies.refuse('payments-test-session-setup');
      deps.expireSessionCookies.mockImplementation(() => {
        deps.cookies.acceptAgain();
        for (const name of ['session', 'session-refresh', 'session-setup'])
          deps.cookies.remove(`payments-test-${name}`);
        return Promise.resolve();
      });
    }, answers.mustSetUpMfa());
    expect(revoked(app)).toEqual([{ refresh: 'second' }]);
    expect(Object.keys(app.deps.cookies.contents())).toEqual(['payments-test-session-setup']);
  });
});
