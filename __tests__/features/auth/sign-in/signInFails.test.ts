/** @jest-environment node */
/** Tests writeVerifiedCookies.saga. */
import { passwordSubmitted, usernameChangeRequested } from '@features/auth/sign-in/signIn.slice';
import type { TokenResponse } from '@shared/api/decoders';
import { ApiError } from '@shared/api/apiError';
import { accessToken, answers, hosts } from '../../../support/builders';
import { enterUsername, pass, settle, signInWithPassword } from '../../../support/openApp';
import { later } from '../../../support/later';
import { basicDefault, blocked, fallback, openWith, sessionCookies } from './openWith';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));

const unreachable = { message: basicDefault, trouble: 'unreachable' };
const failing = { message: basicDefault, trouble: 'failing' };

describe('a failed sign-in', () => {
  it.each<readonly [string, TokenResponse | ApiError, string | object]>([
    [
      'a wrong password, with a message of the server',
      new ApiError('server', {
        status: 401,
        serverMessage: 'Too many failed login attempts. Try again at noon.',
      }),
      'Too many failed login attempts. Try again at noon.',
    ],
    ['a wrong password, without a message', new ApiError('server', { status: 401 }), basicDefault],
    ['no response', new ApiError('network'), unreachable],
    ['a timeout', new ApiError('timeout'), unreachable],
    ['a 5xx, without a message', new ApiError('server', { status: 502 }), failing],
    [
      'a 5xx, with a message',
      new ApiError('server', { status: 503, serverMessage: 'Busy.' }),
      { ...failing, message: 'Busy.' },
    ],
    ['an answer of another shape', new ApiError('unexpected', { status: 200 }), basicDefault],
    ['an empty answer', {}, basicDefault],
    ['a token that cannot be decoded', { token: 'nonsense', refresh: 'r' }, basicDefault],
    ['a token without its refresh', { token: accessToken() }, basicDefault],
    ['a setup token that cannot be decoded', { mfaJWT: 'nonsense' }, basicDefault],
    ['an account without personas', answers.session({ personas: {} }), 'create relation in db'],
    [
      'a challenge without its token',
      { mfaRequired: true, secondStep: 'text' },
      'Authentication error. Please try again.',
    ],
  ])('%s: a dialog with the reason, no cookie, and another try', async (_name, answer, shown) => {
    const app = openWith(answer);
    await signInWithPassword(app);
    expect(app.dialog()).toEqual({
      id: 'login-error',
      kind: 'alert',
      title: 'Login Error',
      confirmLabel: 'Ok',
      ...(typeof shown === 'string' ? { message: shown } : shown),
    });
    expect(app.signIn()).toMatchObject({ phase: 'choosing', username: 'ada@example.com', failures: 1 });
    expect(app.deps.cookies.contents()).toEqual({});
    expect(app.deps.parentFrame.messages).toEqual([]);
    expect([
      ...app.deps.navigation.leaves,
      ...app.deps.navigation.pushes,
      ...app.deps.navigation.replaces,
    ]).toEqual([]);
    expect(app.deps.api.auth.token).toHaveBeenCalledTimes(1);

    app.answerDialog(true);
    expect(app.dialog()).toBeUndefined();
    app.deps.api.auth.token.mockResolvedValue(answers.session());
    await app.send(passwordSubmitted('right this time'));
    expect(app.deps.navigation.leaves).toEqual([hosts.ledger]);
  });

  it('a challenge that does not name its second step leads back to the username, without a dialog', async () => {
    const app = openWith(
      { mfaRequired: true, authVerificationToken: 'vt' },
      { path: '/login?application=ledger' },
    );
    await signInWithPassword(app);
    expect([app.address(), app.dialog(), app.signIn().phase]).toEqual([
      '/login?application=ledger',
      undefined,
      'username',
    ]);
    expect(app.deps.vault.get('challenge')).toBeUndefined();
    expect(app.deps.cookies.contents()).toEqual({});
    app.deps.api.auth.token.mockResolvedValue(answers.session());
    await signInWithPassword(app);
    expect(app.deps.navigation.leaves).toEqual([hosts.ledger]);
  });

  it('an account without personas is logged as an error', async () => {
    const app = openWith(answers.session({ personas: {} }));
    await signInWithPassword(app);
    expect(app.deps.log.errors.map(({ error }) => String(error))).toEqual(['Error: create relation in db']);
  });

  it('the user can try again even while the dialog is open', async () => {
    const app = openWith(new ApiError('server', { status: 401 }));
    await signInWithPassword(app);
    app.deps.api.auth.token.mockResolvedValue(answers.session());
    await app.send(passwordSubmitted('right'));
    expect(app.deps.navigation.leaves).toEqual([hosts.ledger]);
  });

  it('an internal error shows the fallback message, and the rest of the application works', async () => {
    const app = openWith(answers.session());
    app.deps.api.auth.token.mockRejectedValue(new TypeError('a bug'));
    await signInWithPassword(app);
    expect(app.state().page.crash).toBe(true);
    expect(app.deps.log.errors).toHaveLength(1);
    app.deps.navigation.visit('/account-settings');
    expect(app.address()).toBe('/login');
  });
});

const names = ['payments-test-session', 'payments-test-session-refresh'];

describe('a sibling host’s HttpOnly cookie has the name of a session cookie', () => {
  it.each(names)('%s: the page’s host expires it, and the right password signs in', async (name) => {
    const app = openWith(answers.session());
    app.deps.cookies.refuse(name);
    app.deps.expireSessionCookies.mockImplementation(async () => {
      app.deps.cookies.acceptAgain();
      await Promise.resolve();
    });
    await signInWithPassword(app);
    expect(app.dialog()).toBeUndefined();
    expect(app.deps.navigation.leaves).toEqual([hosts.ledger]);
    expect(Object.keys(app.deps.cookies.contents())).toEqual(expect.arrayContaining(names));
    expect(app.deps.api.auth.token).toHaveBeenCalledTimes(1);
  });

  it('after going back, the host’s late answer does not sign in', async () => {
    const app = openWith(answers.session());
    app.deps.cookies.refuse('payments-test-session');
    const expiry = later(app.deps.expireSessionCookies);
    await signInWithPassword(app);
    app.dispatch(usernameChangeRequested());
    app.deps.cookies.acceptAgain();
    await expiry.answer();
    expect(app.deps.cookies.contents()).toEqual({});
    expect(app.state().session.access).toEqual({ phase: 'anonymous' });
  });

  it.each(names)('%s: if the host cannot expire it, the dialog has instructions', async (name) => {
    const app = openWith(answers.session());
    app.deps.cookies.refuse(name);
    await signInWithPassword(app);
    expect(app.dialog()).toMatchObject({ title: 'Login Error', message: blocked });
    expect(app.deps.expireSessionCookies).toHaveBeenCalledTimes(1);
    expect(app.deps.cookies.contents()).toEqual({});
    expect(app.deps.navigation.leaves).toEqual([]);
    expect(app.state().session.access).toEqual({ phase: 'anonymous' });
    expect(app.signIn()).toMatchObject({ phase: 'choosing' });
  });
});

it.each([
  ['within two minutes: the page’s host expires the cookies before they are written', 119_000, 1],
  ['later: the host is not asked', 121_000, 0],
])('the user signs in again, because a cookie was not kept, %s', async (_title, afterMs, times) => {
  const app = openWith(answers.session());
  const expire = app.deps.expireSessionCookies.mockImplementation(() => {
    for (const name of names) app.deps.cookies.remove(name);
    return Promise.resolve();
  });
  await signInWithPassword(app);
  expect(expire).not.toHaveBeenCalled();
  for (const name of names) app.deps.cookies.remove(name);
  await pass(afterMs);
  await signInWithPassword(app);
  expect(expire).toHaveBeenCalledTimes(times);
  expect(Object.keys(app.deps.cookies.contents())).toEqual(names);
  expect(app.deps.navigation.leaves).toEqual([hosts.ledger, hosts.ledger]);
});

describe('the browser refuses the cookie', () => {
  it('because cookies are switched off: the fallback message, and the host is not called', async () => {
    const app = openWith(answers.session());
    await enterUsername(app);
    app.deps.cookies.switchOff();
    await app.send(passwordSubmitted('pw'));
    expect(app.dialog()).toMatchObject({ title: 'Login Error', message: fallback });
    expect(app.deps.expireSessionCookies).not.toHaveBeenCalled();
  });

  it('because it is over 4,096 bytes: the same, and no older session remains', async () => {
    const app = openWith(answers.session({ firstName: 'A'.repeat(5000) }));
    await enterUsername(app);
    // Another tab signed in while this form was open.
    app.deps.cookies.write('payments-test-session', 'older');
    await app.send(passwordSubmitted('pw'));
    expect(app.dialog()).toMatchObject({ message: fallback });
    expect(sessionCookies(app.deps.cookies.contents())).toEqual([undefined, undefined]);
    expect(app.deps.expireSessionCookies).not.toHaveBeenCalled();
  });
});

describe('an attempt that is cancelled', () => {
  const late = () => {
    const app = openWith(answers.session());
    return { app, ...later(app.deps.api.auth.token) };
  };

  it('by going back to the username: its late answer does not sign in', async () => {
    const { app, answer } = late();
    await signInWithPassword(app);
    app.dispatch(usernameChangeRequested());
    await answer(answers.session());
    expect(app.deps.cookies.contents()).toEqual({});
    expect(app.deps.navigation.leaves).toEqual([]);
    expect(app.signIn()).toMatchObject({ phase: 'username', username: 'ada@example.com' });
  });

  it('by a restart of the screen: its late answer does not sign in, and the next user can', async () => {
    const { app, answer } = late();
    await signInWithPassword(app);
    app.deps.pageLife.emit('restored');
    await settle();
    app.deps.api.auth.token.mockResolvedValue(answers.session());
    await enterUsername(app, 'nora@example.com');
    await app.send(passwordSubmitted('s3cret-of-nora'));
    await answer(answers.session());
    expect(app.deps.api.auth.token.mock.calls.map(([{ username }]) => username)).toEqual([
      'ada@example.com',
      'nora@example.com',
    ]);
    expect(app.deps.navigation.leaves).toHaveLength(1);
  });

  it('by leaving /login: its late answer does not sign in and opens no dialog', async () => {
    const { app, answer } = late();
    await signInWithPassword(app);
    app.deps.navigation.visit('/unauthorized');
    await answer({});
    expect(app.dialog()).toBeUndefined();
    expect(app.deps.cookies.contents()).toEqual({});
  });

  it('an open dialog closes when /login is left', async () => {
    const app = openWith(new ApiError('server', { status: 401 }));
    await signInWithPassword(app);
    expect(app.dialog()).toBeDefined();
    app.deps.navigation.visit('/unauthorized');
    expect(app.dialog()).toBeUndefined();
  });
});

it('the transport is fetched with the first keystroke, once, after the letter is shown', async () => {
  const app = openWith(answers.session());
  expect(app.deps.api.warmUp).not.toHaveBeenCalled();
  app.dispatch({ type: 'signIn/usernameEditStarted' });
  app.dispatch({ type: 'signIn/usernameEditStarted' });
  expect(app.deps.api.warmUp).not.toHaveBeenCalled();
  await settle();
  expect(app.deps.api.warmUp).toHaveBeenCalledTimes(1);
});
