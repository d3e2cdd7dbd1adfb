/** @jest-environment node */
/** Tests enterCode.saga and showWrongCode.saga. */
import { codeSubmitted } from '@features/auth/challenge/challenge.slice';
import { ApiError } from '@shared/api/apiError';
import { answers, hosts, methods, severalPersonas, tokenPair, trustedToken } from '../../../support/builders';
import { fakeDeps } from '../../../support/fakeDeps';
import { openApp, pass, settle, signInWithPassword } from '../../../support/openApp';
import { openWithProviders } from '../provider/openWithProviders';
import { sessionCookies } from '../sign-in/openWith';
import { later } from '../../../support/later';
import { lockout, openChallenge, submit, wrongCode } from './openChallenge';
import { sessionCookie } from '../../../support/sessionCookies';
import { arrangeSignIn } from '../../../support/usualResponses';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));

describe('/two-auth', () => {
  it.each(['/two-auth', '/two-auth?url=%2Fx'])('without a challenge leads to /login: %s', async (path) => {
    const app = openApp(fakeDeps({ path }));
    await settle();
    expect(app.address()).toBe(path.replace('two-auth', 'login'));
    expect(app.state().page.location.pathname).toBe('/login');
    expect(app.signIn().phase).toBe('username');
  });
});

const trust = 'payments-test-session-trust-';

it('on entering the code screen the trust cookie of this username is removed in every spelling, and no other user’s', async () => {
  const app = await openChallenge({
    arrange: ({ cookies }) => {
      cookies.write(`${trust}ada`, trustedToken());
      cookies.write(`${trust}ADA`, trustedToken());
      cookies.write(`${trust}bob`, 'bobs');
    },
  });
  expect(app.state().page.location.pathname).toBe('/two-auth');
  expect(app.deps.cookies.contents()).toEqual({ [`${trust}bob`]: 'bobs' });
});

describe('the code is right', () => {
  it('the url to return to is kept through the second step', async () => {
    const url = `${hosts.hub}invoices?id=7`;
    const app = await openChallenge({ path: `/login?url=${encodeURIComponent(url)}` });
    app.deps.api.auth.token.mockResolvedValue(answers.session({ personas: severalPersonas }));
    await submit(app);
    expect(app.deps.navigation.leaves).toEqual([url]);
  });

  it.each([
    ['a text message', answers.textChallenge()],
    ['the app', answers.appChallenge()],
  ])('of %s: one call with these keys and no others, cookies, the application', async (_by, challenge) => {
    const app = await openChallenge({ challenge });
    const tokens = tokenPair();
    app.deps.api.auth.token.mockResolvedValue(tokens);
    await submit(app, '012345');
    expect(app.deps.api.auth.token.mock.calls).toEqual([
      [{ username: 'ada', method: 'basic', authVerificationToken: 'vt_1', mfaCode: '012345' }],
    ]);
    expect(sessionCookies(app.deps.cookies.contents())).toEqual([sessionCookie(tokens), tokens.refresh]);
    expect(app.deps.navigation.leaves).toEqual([hosts.ledger]);
    expect(app.state().session.access).toMatchObject({ phase: 'active', claims: { uid: 'u_1' } });
    expect(app.dialog()).toBeUndefined();
  });

  it('the button stays busy until the browser has left, and a second press makes no second call', async () => {
    const app = await openChallenge();
    app.deps.api.auth.token.mockResolvedValue(answers.session());
    app.dispatch(codeSubmitted({ code: '123456', trust: false }));
    await submit(app);
    await submit(app);
    expect(app.deps.api.auth.token).toHaveBeenCalledTimes(1);
    expect(app.deps.navigation.leaves).toHaveLength(1);
    expect(app.state().auth.challenge.phase).toBe('checking');
  });

  it('in a parent’s frame the parent is notified, and /login says that the user is signed in', async () => {
    const app = await openChallenge({ embedding: 'trusted', path: '/login?application=ledger' });
    app.deps.api.auth.token.mockResolvedValue(answers.session());
    await submit(app);
    expect(app.deps.parentFrame.messages).toEqual(['removed_tokens', 'new_tokens']);
    expect(app.deps.navigation.replaces).toEqual(['/login?application=ledger']);
    expect(app.signIn()).toEqual({ phase: 'signedIn' });
    expect(app.deps.navigation.leaves).toEqual([]);
  });

  it('a provider’s code and verifier are sent with it', async () => {
    const app = await openWithProviders({ offered: [methods.microsoft] });
    app.deps.api.auth.token.mockResolvedValue(answers.appChallenge());
    app.window().say({ type: 'oauth/code', code: 'code-1' });
    await settle();
    app.deps.api.auth.token.mockReset().mockResolvedValue(answers.session());
    await submit(app, '654321', true);
    expect(app.deps.api.auth.token.mock.calls).toEqual([
      [
        {
          username: 'ada@example.com',
          method: 'microsoft',
          authVerificationToken: 'vt_1',
          mfaCode: '654321',
          trust: true,
          code: 'code-1',
          codeVerifier: 'verifier-1',
        },
      ],
    ]);
  });

  it('the remembered username stays as the first step set it', async () => {
    const deps = fakeDeps();
    arrangeSignIn(deps.api, answers.textChallenge());
    const app = openApp(deps);
    await signInWithPassword(app, { username: 'ada', rememberMe: true });
    deps.api.auth.token.mockResolvedValue(answers.session());
    await submit(app);
    expect(deps.cookies.contents()['payments-test-username']).toBe('ada');
  });
});

describe('‘Trust this device’', () => {
  it('is sent only when ticked, and the trusted token is kept until its own exp', async () => {
    const app = await openChallenge();
    const exp = 1_800_000_000 + 86_400;
    app.deps.api.auth.token.mockResolvedValue({ ...answers.session(), trustedToken: trustedToken(exp) });
    await submit(app, '123456', true);
    expect(app.deps.api.auth.token.mock.calls[0]?.[0]).toMatchObject({ trust: true });
    expect(app.deps.cookies.contents()[`${trust}ada`]).toBe(trustedToken(exp));
    expect(app.deps.cookies.expiryOf(`${trust}ada`)).toBe(exp * 1000);
  });

  it.each(['not a token', 'refused'])(
    'a trusted token that is not stored prevents nothing: %s',
    async (kind) => {
      const app = await openChallenge();
      if (kind === 'refused') app.deps.cookies.refuse(`${trust}ada`);
      const given = kind === 'refused' ? trustedToken() : kind;
      app.deps.api.auth.token.mockResolvedValue({ ...answers.session(), trustedToken: given });
      await submit(app, '123456', true);
      expect(app.deps.navigation.leaves).toEqual([hosts.ledger]);
      expect(app.deps.log.warnings).toEqual([expect.objectContaining({ event: 'trusted token not kept' })]);
      expect(JSON.stringify(app.deps.log.warnings)).not.toContain(given === kind ? kind : given);
    },
  );
});

it.each([
  ['no personas', answers.session({ personas: {} }), 'create relation in db'],
  ['no tokens', {}, /^We were unable to match the User ID/],
  ['another challenge', answers.appChallenge(), 'Authentication error. Please try again.'],
])('a right code without a session (%s): a dialog, and empty boxes', async (_why, answer, message) => {
  const app = await openChallenge();
  app.deps.api.auth.token.mockResolvedValue({ trustedToken: trustedToken(), ...answer });
  await submit(app);
  expect(app.dialog()).toMatchObject({
    title: 'Login Error',
    message: expect.stringMatching(message) as string,
  });
  expect(app.state().auth.challenge).toMatchObject({ phase: 'entering', restarts: 1 });
  expect(app.deps.cookies.contents()).toEqual({});
  // The next attempt works.
  app.answerDialog(true);
  await settle();
  app.deps.api.auth.token.mockResolvedValue(answers.session());
  await submit(app);
  expect(app.deps.navigation.leaves).toEqual([hosts.ledger]);
});

it.each(['/login', '/unauthorized'])(
  'an answer after leaving the screen does not sign in: %s',
  async (path) => {
    const app = await openChallenge();
    const late = later(app.deps.api.auth.token);
    await submit(app);
    app.deps.navigation.visit(path);
    await late.answer({ ...answers.session(), trustedToken: trustedToken() });
    expect(app.deps.cookies.contents()).toEqual({});
    expect(app.deps.navigation.leaves).toEqual([]);
    expect(app.dialog()).toBeUndefined();
  },
);

const openWithWrongCode = async (error = wrongCode) => {
  const app = await openChallenge();
  app.deps.api.auth.token.mockRejectedValueOnce(error);
  await submit(app);
  return app;
};

describe('the code is wrong', () => {
  it.each([
    ['a wrong code is removed', wrongCode, false],
    ['a code that could not be checked stays', new ApiError('network'), true],
  ])('when the red is over, %s', async (_what, error, keepsCode) => {
    const app = await openWithWrongCode(error);
    app.answerDialog(true);
    await pass(1500);
    expect(app.state().auth.challenge).toMatchObject({ phase: 'entering', restarts: 1, keepsCode });
    // Whatever follows a right code empties the boxes.
    app.deps.api.auth.token.mockResolvedValueOnce({});
    await submit(app);
    expect(app.state().auth.challenge).toMatchObject({ phase: 'entering', restarts: 2, keepsCode: false });
  });

  it('the dialog closes with the screen', async () => {
    const app = await openWithWrongCode();
    app.deps.navigation.visit('/login');
    expect(app.dialog()).toBeUndefined();
    await pass(2000);
    expect(app.state().auth.challenge).toEqual({ phase: 'none' });
  });
});

it('too many wrong codes lead back to /login with the service’s message; the query is kept, the challenge is not', async () => {
  const app = await openChallenge({ path: '/login?supplierHub' });
  app.deps.api.auth.token.mockRejectedValue(lockout);
  await submit(app);
  expect(app.address()).toBe('/login?supplierHub');
  expect(app.deps.navigation.replaces[0]).toBe('/login?supplierHub');
  expect(app.dialog()).toMatchObject({
    title: 'Login Error',
    message: lockout.details.serverMessage,
  });
  expect(app.deps.vault.get('challenge')).toBeUndefined();
  expect(app.state().auth.challenge).toEqual({ phase: 'none' });
});

describe('the challenge has ended', () => {
  it('when the page went into the back/forward cache: on return it is at /login, and nothing is sent', async () => {
    const app = await openChallenge({ path: '/login?url=x' });
    app.deps.pageLife.emit('left');
    app.deps.pageLife.emit('restored');
    await settle();
    expect(app.address()).toBe('/login?url=x');
    expect(app.deps.api.auth.token).not.toHaveBeenCalled();
  });

  it('a code that is submitted anyway is not sent', async () => {
    const app = await openChallenge();
    app.deps.vault.dropAll();
    await submit(app);
    expect(app.deps.api.auth.token).not.toHaveBeenCalled();
    expect(app.address()).toBe('/login');
  });
});
