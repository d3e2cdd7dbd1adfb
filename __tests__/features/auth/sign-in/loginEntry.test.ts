/** @jest-environment node */
import { accessToken, hosts, methods, tokenPair } from '../../../support/builders';
import { fakeDeps, type FakeDeps, type TabOptions } from '../../../support/fakeDeps';
import { enterUsername, openApp, settle, type OpenApp } from '../../../support/openApp';
import { sessionCookie } from '../../../support/sessionCookies';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));

const session = 'payments-test-session';
const put = (deps: FakeDeps, value: string) => void deps.cookies.write(session, value);
const open = (options: TabOptions, value?: string) => {
  const deps = fakeDeps(options);
  deps.api.users.attributes.mockReturnValue(new Promise(() => undefined));
  if (value !== undefined) put(deps, value);
  return openApp(deps);
};
const wrapped = (token: string) => sessionCookie({ token, refresh: 'r' });

describe('/login, opened with a valid session', () => {
  it('leads to the given url if it is allowed', () => {
    expect(open({ path: `/login?url=${hosts.hub}` }, wrapped(accessToken())).deps.navigation.leaves).toEqual([
      hosts.hub,
    ]);
    expect(open({ path: '/login?url=//evil.test' }, wrapped(accessToken())).deps.navigation.leaves).toEqual([
      hosts.ledger,
    ]);
  });

  it('stays and shows a message in a parent’s frame', () => {
    const app = open({ embedding: 'trusted' }, wrapped(accessToken()));
    expect(app.signIn()).toEqual({ phase: 'signedIn' });
    expect(app.deps.navigation.leaves).toEqual([]);
    expect(app.deps.parentFrame.messages).toEqual([]);
  });
});

describe('/login, opened with an invalid session cookie', () => {
  it.each([
    ['malformed', '{"authenticated":'],
    ['expired', wrapped(accessToken({ iat: 1_700_000_000 }))],
  ])('%s: both cookies are removed, the parent is notified, the form is shown', (_name, value) => {
    const deps = fakeDeps({ embedding: 'trusted' });
    put(deps, value);
    deps.cookies.write(`${session}-refresh`, 'r');
    const app = openApp(deps);
    expect(deps.cookies.contents()).toEqual({});
    expect(deps.parentFrame.messages).toEqual(['removed_tokens']);
    expect(app.signIn().phase).toBe('username');
    expect(app.dialog()).toBeUndefined();
  });
});

describe('a lockout message passed on by another screen', () => {
  const message = 'Too many failed login attempts. Please wait 15 minutes.';

  const arrive = (state: unknown) => {
    const app = open({ path: '/unauthorized' });
    app.deps.navigation.push('/login?url=%2Fx', state);
    return app;
  };

  it('is shown once in the error dialog, is removed from the history, and keeps the query', () => {
    const app = arrive({ lockoutMessage: message });
    expect(app.dialog()).toMatchObject({ title: 'Login Error', message, confirmLabel: 'Ok' });
    expect(app.deps.navigation.current().state).toBeNull();
    expect(app.address()).toBe('/login?url=%2Fx');
    app.answerDialog(true);
    app.deps.navigation.visit('/unauthorized');
    app.deps.navigation.back();
    expect(app.dialog()).toBeUndefined();
  });

  it.each([undefined, null, 'text', { lockoutMessage: 5 }, { other: message }])('is not in %j', (state) => {
    expect(arrive(state).dialog()).toBeUndefined();
  });
});

const comeBack = async (app: OpenApp, meanwhile: () => void = () => undefined) => {
  app.deps.pageLife.emit('left');
  meanwhile();
  app.deps.pageLife.emit('restored');
  await settle();
};

describe('/login, restored from the back/forward cache', () => {
  it('shows the form again when the session has ended', async () => {
    const app = open({}, wrapped(accessToken()));
    expect(app.signIn().phase).toBe('leaving');
    await comeBack(app, () => app.deps.cookies.remove(session));
    expect(app.signIn()).toMatchObject({ phase: 'username' });
  });

  it('redirects again when the session is still valid', async () => {
    const app = open({}, wrapped(accessToken()));
    await comeBack(app);
    expect(app.deps.navigation.leaves).toEqual([hosts.ledger, hosts.ledger]);
  });

  it('shows the empty form again without a session', async () => {
    const app = open({});
    app.deps.api.auth.methods.mockResolvedValue([methods.basic]);
    await enterUsername(app);
    expect(app.signIn().phase).toBe('choosing');
    await comeBack(app);
    expect(app.signIn()).toEqual({ phase: 'username', username: '', rememberMe: false });
  });

  it('does so also behind an open dialog', async () => {
    const app = open({ path: '/unauthorized' });
    app.deps.navigation.push('/login', { lockoutMessage: 'Too many failed login attempts' });
    await comeBack(app, () => put(app.deps, sessionCookie(tokenPair())));
    expect(app.deps.navigation.leaves).toEqual([hosts.ledger]);
  });

  it('does not redirect a user who has gone to another screen', async () => {
    const app = open({});
    app.deps.navigation.visit('/unauthorized');
    await comeBack(app, () => put(app.deps, wrapped(accessToken())));
    expect(app.deps.navigation.leaves).toEqual([]);
  });
});
