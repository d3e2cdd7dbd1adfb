/** @jest-environment node */
import { passwordSubmitted, usernameChangeRequested } from '@features/auth/sign-in/signIn.slice';
import type { TokenAnswer } from '@shared/api/api';
import { ApiError } from '@shared/api/apiError';
import {
  accessToken,
  answers,
  hosts,
  methods,
  onePersona,
  severalPersonas,
  tokenPair,
  trustedToken,
} from '../../../support/builders';
import { fakeDeps, type TabOptions } from '../../../support/fakeDeps';
import { enterUsername, openApp, settle, signInWithPassword } from '../../../support/openApp';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));
afterEach(() => jest.useRealTimers());

const basicDefault =
  'We were unable to match the User ID and password you entered. Please check your entries and try again.';
const fallback = 'An unexpected error occurred. Please try again later. We apologize for the inconvenience.';

const openWith = (answer: TokenAnswer | ApiError, options: TabOptions = {}) => {
  const app = openApp(fakeDeps(options));
  app.deps.api.auth.methods.mockResolvedValue([methods.basic]);
  if (answer instanceof ApiError) app.deps.api.auth.token.mockRejectedValue(answer);
  else app.deps.api.auth.token.mockResolvedValue(answer);
  app.deps.api.users.attributes.mockRejectedValue(new ApiError('network'));
  return app;
};

const sessionCookies = (contents: Readonly<Record<string, string>>) => [
  contents['payments-test-session'],
  contents['payments-test-session-refresh'],
];

describe('the password is right', () => {
  it('for somebody with one persona: cookies are written to the letter, and the application is gone to', async () => {
    const tokens = tokenPair();
    const app = openWith(tokens);
    await signInWithPassword(app);
    expect(app.deps.cookies.contents()).toEqual({
      'payments-test-session': `{"authenticated":{"token":"${tokens.token}","refresh":"${tokens.refresh}"}}`,
      'payments-test-session-refresh': tokens.refresh,
    });
    expect(app.deps.cookies.expiryOf('payments-test-session')).toBeNull();
    expect(app.deps.cookies.expiryOf('payments-test-session-refresh')).toBeNull();
    expect(app.deps.navigation.leaves).toEqual([hosts.ledger]);
    expect(app.deps.navigation.address()).toBe('/login');
    // The pressed button stays busy until the browser has left.
    expect(app.signIn()).toMatchObject({ phase: 'submitting', method: 'basic' });
    expect(app.state().session.access).toMatchObject({ phase: 'active', claims: { uid: 'u_1' } });
    expect(app.dialog()).toBeUndefined();
  });

  it('for somebody with several personas: account settings', async () => {
    const app = openWith(answers.session({ personas: severalPersonas }));
    await signInWithPassword(app);
    expect(app.deps.navigation.leaves).toEqual([]);
    expect(app.deps.navigation.replaces).toEqual(['/account-settings']);
    expect(app.state().location.pathname).toBe('/account-settings');
  });

  it.each([
    ['one persona', onePersona],
    ['several personas', severalPersonas],
  ])('an allowed url in the query wins over %s', async (_name, personas) => {
    const url = `${hosts.hub}invoices?id=7#top`;
    const app = openWith(answers.session({ personas }), { path: `/login?url=${encodeURIComponent(url)}` });
    await signInWithPassword(app);
    expect(app.deps.navigation.leaves).toEqual([url]);
  });

  it.each([
    'https://evil.test/',
    '//evil.test/',
    '/\\evil.test',
    'javascript:alert(1)',
    'http://ledger.payments.localhost:4000@evil.test/',
  ])('a url that is refused is as none: %s', async (url) => {
    const path = `/login?url=${encodeURIComponent(url)}`;
    const one = openWith(answers.session(), { path });
    await signInWithPassword(one);
    expect(one.deps.navigation.leaves).toEqual([hosts.ledger]);

    const several = openWith(answers.session({ personas: severalPersonas }), { path });
    await signInWithPassword(several);
    expect(several.deps.navigation.leaves).toEqual([]);
    expect(several.deps.navigation.address()).toBe('/account-settings');
  });

  it('the token call is made once, with these keys and no others', async () => {
    const app = openWith(answers.session());
    await signInWithPassword(app, { username: 'ada', password: ' spaces are kept ' });
    expect(app.deps.api.auth.token.mock.calls).toEqual([
      [{ username: 'ada', method: 'basic', password: ' spaces are kept ' }],
    ]);
  });

  it('the trusted token of this username goes along, and nobody else’s', async () => {
    const app = openWith(answers.session());
    const trusted = trustedToken();
    app.deps.cookies.write('payments-test-session-trust-ada', trusted, { kind: 'session' });
    app.deps.cookies.write('payments-test-session-trust-bob', 'bobs', { kind: 'session' });
    await signInWithPassword(app, { username: 'ada', password: 'pw' });
    expect(app.deps.api.auth.token.mock.calls).toEqual([
      [{ username: 'ada', method: 'basic', password: 'pw', trustedJWT: trusted }],
    ]);
    expect(app.deps.cookies.readAll('payments-test-session-trust-ada')).toEqual([trusted]);
  });

  it('submitted twice, it is one call and one way out', async () => {
    const app = openWith(answers.session());
    await enterUsername(app);
    app.dispatch(passwordSubmitted('pw'));
    app.dispatch(passwordSubmitted('pw'));
    await settle();
    expect(app.deps.api.auth.token).toHaveBeenCalledTimes(1);
    expect(app.deps.navigation.leaves).toEqual([hosts.ledger]);
  });

  it('a setup-mode session from before is over', async () => {
    const app = openWith(answers.session());
    app.deps.cookies.write('payments-test-session-setup', '{"mfaToken":"old"}', { kind: 'session' });
    await signInWithPassword(app);
    expect(app.deps.cookies.readAll('payments-test-session-setup')).toEqual([]);
  });
});

describe('inside a parent’s frame', () => {
  it('the parent is told, nothing is gone to, and the screen says that one is signed in', async () => {
    const app = openWith(answers.session(), { embedding: 'trusted', path: `/login?url=${hosts.hub}` });
    await signInWithPassword(app);
    expect(app.deps.parentFrame.told).toEqual(['new_tokens']);
    expect(app.signIn()).toEqual({ phase: 'signedIn' });
    expect(app.deps.navigation.leaves).toEqual([]);
    expect(app.deps.navigation.address()).toContain('/login');
  });

  it('a failed sign-in tells the parent nothing', async () => {
    const app = openWith(new ApiError('server', { status: 401 }), { embedding: 'trusted' });
    await signInWithPassword(app);
    expect(app.deps.parentFrame.told).toEqual([]);
  });

  it('of a stranger nothing works at all', async () => {
    const app = openWith(answers.session(), { embedding: 'stranger' });
    await signInWithPassword(app);
    expect(app.deps.api.auth.methods).not.toHaveBeenCalled();
    expect(app.state().session).toEqual({ access: { phase: 'unknown' }, embedding: 'stranger' });
  });
});

describe('the remembered username', () => {
  const yearMs = 365 * 86_400_000;

  it.each([
    ['leaving to the application', answers.session()],
    ['landing on account settings', answers.session({ personas: severalPersonas })],
    ['setting up two-step verification', answers.mustSetUpMfa()],
  ])('is kept for 365 days with Remember Me: %s', async (_name, answer) => {
    const app = openWith(answer);
    await signInWithPassword(app, { username: 'Ada@Example.com', rememberMe: true });
    expect(app.deps.cookies.readAll('payments-test-username')).toEqual(['Ada@Example.com']);
    expect(app.deps.cookies.expiryOf('payments-test-username')).toBe(1_800_000_000_000 + yearMs);
  });

  it.each([
    ['leaving to the application', answers.session()],
    ['landing on account settings', answers.session({ personas: severalPersonas })],
  ])('is removed without Remember Me: %s', async (_name, answer) => {
    const app = openWith(answer);
    app.deps.cookies.write('payments-test-username', 'ada', { kind: 'days', days: 365 });
    await signInWithPassword(app, { username: 'ada', rememberMe: false });
    expect(app.deps.cookies.readAll('payments-test-username')).toEqual([]);
  });

  it('is not touched by a sign-in that failed', async () => {
    const app = openWith(new ApiError('server', { status: 401 }));
    app.deps.cookies.write('payments-test-username', 'ada', { kind: 'days', days: 365 });
    await signInWithPassword(app, { username: 'mistyped', rememberMe: true });
    expect(app.deps.cookies.readAll('payments-test-username')).toEqual(['ada']);
  });

  it('stands in the field when /login is opened', () => {
    const deps = fakeDeps();
    deps.cookies.write('payments-test-username', 'ada', { kind: 'days', days: 365 });
    expect(openApp(deps).signIn()).toEqual({ phase: 'username', username: 'ada', rememberMe: true });
    expect(openApp(fakeDeps()).signIn()).toEqual({ phase: 'username', username: '', rememberMe: false });
  });
});

describe('the sign-in fails', () => {
  it.each<readonly [string, TokenAnswer | ApiError, string]>([
    [
      'a wrong password, with words of the server',
      new ApiError('server', {
        status: 401,
        serverMessage: 'Too many failed login attempts. Try again at noon.',
      }),
      'Too many failed login attempts. Try again at noon.',
    ],
    ['a wrong password, without words', new ApiError('server', { status: 401 }), basicDefault],
    ['no answer', new ApiError('network', { networkMessage: 'Network Error' }), basicDefault],
    ['an answer that never came', new ApiError('timeout'), basicDefault],
    ['an answer of another shape', new ApiError('unexpected', { status: 200 }), basicDefault],
    ['an answer with nothing in it', {}, basicDefault],
    ['a token that cannot be decoded', { token: 'nonsense', refresh: 'r' }, basicDefault],
    ['a token without its refresh', { token: accessToken() }, basicDefault],
    ['a setup token that cannot be decoded', { mfaJWT: 'nonsense' }, basicDefault],
    ['an account without personas', answers.session({ personas: {} }), 'create relation in db'],
    [
      'a challenge without its token',
      { mfaRequired: true, mfaType: 'authy' },
      'Authentication error. Please try again.',
    ],
  ])('%s: the dialog says why, no cookie is kept, and one may try again', async (_name, answer, message) => {
    const app = openWith(answer);
    await signInWithPassword(app);
    expect(app.dialog()).toEqual({
      id: 'login-error',
      kind: 'alert',
      title: 'Login Error',
      message,
      confirmLabel: 'Ok',
    });
    expect(app.signIn()).toMatchObject({ phase: 'choosing', username: 'ada@example.com', failures: 1 });
    expect(app.deps.cookies.contents()).toEqual({});
    expect(app.deps.parentFrame.told).toEqual([]);
    expect([
      ...app.deps.navigation.leaves,
      ...app.deps.navigation.pushes,
      ...app.deps.navigation.replaces,
    ]).toEqual([]);
    expect(app.deps.api.auth.token).toHaveBeenCalledTimes(1);

    app.answerDialog(true);
    expect(app.dialog()).toBeUndefined();
    app.deps.api.auth.token.mockResolvedValue(answers.session());
    app.dispatch(passwordSubmitted('right this time'));
    await settle();
    expect(app.deps.navigation.leaves).toEqual([hosts.ledger]);
  });

  it('an account without personas is an error in the log too', async () => {
    const app = openWith(answers.session({ personas: {} }));
    await signInWithPassword(app);
    expect(app.deps.log.errors.map(({ error }) => String(error))).toEqual(['Error: create relation in db']);
  });

  it('one may try again even while the dialog is still open', async () => {
    const app = openWith(new ApiError('server', { status: 401 }));
    await signInWithPassword(app);
    app.deps.api.auth.token.mockResolvedValue(answers.session());
    app.dispatch(passwordSubmitted('right'));
    await settle();
    expect(app.deps.navigation.leaves).toEqual([hosts.ledger]);
  });

  it('a fault of ours shows the app-level fallback message, and the rest of the application lives on', async () => {
    const app = openWith(answers.session());
    app.deps.api.auth.token.mockRejectedValue(new TypeError('a bug'));
    await signInWithPassword(app);
    expect(app.state().crashed).toBe(true);
    expect(app.deps.log.errors).toHaveLength(1);
    app.deps.navigation.visit('/account-settings');
    expect(app.deps.navigation.address()).toBe('/login');
  });
});

describe('the browser refuses the cookie', () => {
  it.each(['payments-test-session', 'payments-test-session-refresh'])(
    '%s: the dialog shows the fallback message, and neither cookie is left',
    async (name) => {
      const app = openWith(answers.session());
      app.deps.cookies.refuse(name);
      await signInWithPassword(app);
      expect(app.dialog()).toMatchObject({ title: 'Login Error', message: fallback });
      expect(sessionCookies(app.deps.cookies.contents())).toEqual([undefined, undefined]);
      expect(app.deps.navigation.leaves).toEqual([]);
      expect(app.state().session.access).toEqual({ phase: 'anonymous' });
      expect(app.signIn()).toMatchObject({ phase: 'choosing' });
    },
  );

  it('because it is over 4,096 bytes: the same, and an older session is not left behind', async () => {
    const app = openWith(answers.session({ firstName: 'A'.repeat(5000) }));
    await enterUsername(app);
    // Another tab signed in while this form stood open.
    app.deps.cookies.write('payments-test-session', 'older', { kind: 'session' });
    app.dispatch(passwordSubmitted('pw'));
    await settle();
    expect(app.dialog()).toMatchObject({ message: fallback });
    expect(sessionCookies(app.deps.cookies.contents())).toEqual([undefined, undefined]);
  });

  it('the setup cookie: the same', async () => {
    const app = openWith(answers.mustSetUpMfa());
    app.deps.cookies.refuse('payments-test-session-setup');
    await signInWithPassword(app);
    expect(app.dialog()).toMatchObject({ message: fallback });
    expect(app.deps.navigation.address()).toBe('/login');
  });
});

describe('two-step verification has to be set up first', () => {
  it('the setup cookie is written to the letter, and account settings are gone to', async () => {
    const answer = answers.mustSetUpMfa();
    const app = openWith(answer);
    await signInWithPassword(app);
    expect(app.deps.cookies.contents()).toEqual({
      'payments-test-session-setup': `{"mfaToken":"${answer.mfaJWT ?? ''}"}`,
    });
    expect(app.deps.navigation.address()).toBe('/account-settings');
    expect(app.state().session.access).toMatchObject({ phase: 'setup', claims: { isMfaSetup: true } });
    expect(app.deps.parentFrame.told).toEqual([]);
  });
});

describe('a second step is asked for', () => {
  it.each([
    ['authy', answers.smsChallenge(), { mfaType: 'authy', authyId: '52001', uid: 'u_1' }],
    ['mfa', answers.appChallenge(), { mfaType: 'mfa', authyId: null, uid: 'u_1' }],
  ] as const)('%s: /two-auth with the challenge, and the query kept', async (_type, answer, facts) => {
    const app = openWith(answer, { path: `/login?url=${encodeURIComponent(hosts.hub)}&supplierHub` });
    await signInWithPassword(app, { username: 'ada' });
    expect(app.deps.navigation.address()).toBe(`/two-auth?url=${encodeURIComponent(hosts.hub)}&supplierHub`);
    expect(app.state().auth.challenge).toEqual({
      phase: 'issued',
      challenge: { username: 'ada', method: 'basic', ...facts },
    });
    expect(app.deps.vault.get('challenge')).toEqual({ authVerificationToken: 'vt_1' });
    expect(sessionCookies(app.deps.cookies.contents())).toEqual([undefined, undefined]);
  });

  it('the verification token is in no state', async () => {
    const app = openWith(answers.smsChallenge({ authVerificationToken: 'marked-secret' }));
    await signInWithPassword(app);
    expect(JSON.stringify(app.state())).not.toContain('marked-secret');
  });

  it('going back drops the challenge and its secrets', async () => {
    const app = openWith(answers.smsChallenge());
    await signInWithPassword(app);
    app.deps.navigation.back();
    await settle();
    expect(app.deps.navigation.address()).toBe('/login');
    expect(app.deps.vault.get('challenge')).toBeUndefined();
    expect(app.state().auth.challenge).toEqual({ phase: 'none' });
  });
});

describe('an attempt that is given up', () => {
  const late = () => {
    let answer: (answer: TokenAnswer) => void = () => undefined;
    const app = openWith(answers.session());
    app.deps.api.auth.token.mockReturnValue(new Promise((resolve) => (answer = resolve)));
    return { app, answer: (tokens: TokenAnswer) => answer(tokens) };
  };

  it('by going back to the username: its late answer signs nobody in', async () => {
    const { app, answer } = late();
    await signInWithPassword(app);
    app.dispatch(usernameChangeRequested());
    answer(answers.session());
    await settle();
    expect(app.deps.cookies.contents()).toEqual({});
    expect(app.deps.navigation.leaves).toEqual([]);
    expect(app.signIn()).toMatchObject({ phase: 'username', username: 'ada@example.com' });
  });

  it('by leaving /login: its late answer signs nobody in and opens no dialog', async () => {
    const { app, answer } = late();
    await signInWithPassword(app);
    app.deps.navigation.visit('/unauthorized');
    answer({});
    await settle();
    expect(app.dialog()).toBeUndefined();
    expect(app.deps.cookies.contents()).toEqual({});
  });

  it('does not stop the next one', async () => {
    const { app, answer } = late();
    await signInWithPassword(app, { username: 'ada' });
    app.dispatch(usernameChangeRequested());
    app.deps.api.auth.token.mockResolvedValue(answers.session({ uid: 'u_bob' }));
    await signInWithPassword(app, { username: 'bob' });
    answer(answers.session({ uid: 'u_ada' }));
    await settle();
    expect(app.deps.api.auth.token).toHaveBeenCalledTimes(2);
    expect(app.state().session.access).toMatchObject({ phase: 'active', claims: { uid: 'u_bob' } });
  });

  it('an open dialog closes when /login is left', async () => {
    const app = openWith(new ApiError('server', { status: 401 }));
    await signInWithPassword(app);
    expect(app.dialog()).toBeDefined();
    app.deps.navigation.visit('/unauthorized');
    expect(app.dialog()).toBeUndefined();
  });
});

describe('the transport', () => {
  it('is fetched with the first keystroke, once', () => {
    const app = openWith(answers.session());
    expect(app.deps.api.warmUp).not.toHaveBeenCalled();
    app.dispatch({ type: 'auth/usernameEditStarted' });
    app.dispatch({ type: 'auth/usernameEditStarted' });
    expect(app.deps.api.warmUp).toHaveBeenCalledTimes(1);
  });
});
