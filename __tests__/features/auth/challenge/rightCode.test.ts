/** @jest-environment node */
import { codeSubmitted } from '@features/auth/challenge/challenge.slice';
import { answers, hosts, methods, severalPersonas, trustedToken } from '../../../support/builders';
import { fakeDeps } from '../../../support/fakeDeps';
import { openApp, settle, signInWithPassword } from '../../../support/openApp';
import { openWithProviders } from '../provider/openWithProviders';
import { blocked, sessionCookies } from '../sign-in/openWith';
import { lateAnswer, openChallenge, submit } from './openChallenge';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));
afterEach(() => jest.useRealTimers());

const trust = 'payments-test-session-trust-';

describe('the code screen is entered', () => {
  it('and this device is trusted no longer for that username, however it is spelt, and for nobody else less', async () => {
    const app = await openChallenge({
      arrange: ({ cookies }) => {
        cookies.write(`${trust}ada`, trustedToken(), { kind: 'session' });
        cookies.write(`${trust}ADA`, trustedToken(), { kind: 'session' });
        cookies.write(`${trust}bob`, 'bobs', { kind: 'session' });
      },
    });
    expect(app.state().location.pathname).toBe('/two-auth');
    expect(app.deps.cookies.contents()).toEqual({ [`${trust}bob`]: 'bobs' });
  });

  it('and it waits for the code', async () => {
    const app = await openChallenge();
    expect(app.state().auth.challenge).toMatchObject({ phase: 'entering', attempt: 0, resend: 'ready' });
    expect(app.deps.api.auth.token).not.toHaveBeenCalled();
  });
});

describe('the code is right', () => {
  it.each([
    ['a text message', answers.smsChallenge()],
    ['the app', answers.appChallenge()],
  ])(
    'of %s: one call with these keys and no others, cookies, and the application',
    async (_by, challenge) => {
      const app = await openChallenge({ challenge });
      const tokens = answers.session();
      app.deps.api.auth.token.mockResolvedValue(tokens);
      await submit(app, '012345');
      expect(app.deps.api.auth.token.mock.calls).toEqual([
        [{ username: 'ada', method: 'basic', authVerificationToken: 'vt_1', mfaCode: '012345' }],
      ]);
      const { token, refresh } = tokens;
      expect(sessionCookies(app.deps.cookies.contents())).toEqual([
        JSON.stringify({ authenticated: { token, refresh } }),
        refresh,
      ]);
      expect(app.deps.navigation.leaves).toEqual([hosts.ledger]);
      expect(app.state().session.access).toMatchObject({ phase: 'active', claims: { uid: 'u_1' } });
      expect(app.dialog()).toBeUndefined();
    },
  );

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

  it('with several personas account settings are gone to, in the place of the code screen', async () => {
    const app = await openChallenge();
    app.deps.api.auth.token.mockResolvedValue(answers.session({ personas: severalPersonas }));
    await submit(app);
    expect(app.deps.navigation.replaces).toEqual(['/account-settings']);
    expect(app.deps.vault.get('challenge')).toBeUndefined();
    expect(app.state().auth.challenge).toEqual({ phase: 'none' });
  });

  it('an address to return to survives the second step', async () => {
    const url = `${hosts.hub}invoices?id=7`;
    const app = await openChallenge({ path: `/login?url=${encodeURIComponent(url)}` });
    app.deps.api.auth.token.mockResolvedValue(answers.session({ personas: severalPersonas }));
    await submit(app);
    expect(app.deps.navigation.leaves).toEqual([url]);
  });

  it('inside a parent’s frame the parent is told, and /login says that one is signed in', async () => {
    const app = await openChallenge({ embedding: 'trusted', path: '/login?application=ledger' });
    app.deps.api.auth.token.mockResolvedValue(answers.session());
    await submit(app);
    expect(app.deps.parentFrame.told).toEqual(['removed_tokens', 'new_tokens']);
    expect(app.deps.navigation.replaces).toEqual(['/login?application=ledger']);
    expect(app.signIn()).toEqual({ phase: 'signedIn' });
    expect(app.deps.navigation.leaves).toEqual([]);
  });

  it('a provider’s code and verifier go along', async () => {
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

  it('the remembered username stays as the first step left it', async () => {
    const deps = fakeDeps();
    deps.api.auth.methods.mockResolvedValue([methods.basic]);
    deps.api.auth.token.mockResolvedValue(answers.smsChallenge());
    const app = openApp(deps);
    await signInWithPassword(app, { username: 'ada', rememberMe: true });
    deps.api.auth.token.mockResolvedValue(answers.session());
    await submit(app);
    expect(deps.cookies.contents()['payments-test-username']).toBe('ada');
  });
});

describe('‘Trust this device’', () => {
  it('is sent only when it is ticked, and the trusted token is kept until its own exp', async () => {
    const app = await openChallenge();
    const exp = 1_800_000_000 + 86_400;
    app.deps.api.auth.token.mockResolvedValue({ ...answers.session(), trustedToken: trustedToken(exp) });
    await submit(app, '123456', true);
    expect(app.deps.api.auth.token.mock.calls[0]?.[0]).toMatchObject({ trust: true });
    expect(app.deps.cookies.contents()[`${trust}ada`]).toBe(trustedToken(exp));
    expect(app.deps.cookies.expiryOf(`${trust}ada`)).toBe(exp * 1000);
  });

  it.each(['not a token', 'refused'])(
    'a trusted token that cannot be kept stops nobody: %s',
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

describe('the code is right, but nobody can be signed in', () => {
  it.each([
    ['no personas', answers.session({ personas: {} }), 'create relation in db'],
    ['no tokens', {}, /^We were unable to match the User ID/],
    ['the same question again', answers.appChallenge(), 'Authentication error. Please try again.'],
  ])('%s: the ‘Login Error’ dialog, and the boxes are empty', async (_why, answer, message) => {
    const app = await openChallenge();
    app.deps.api.auth.token.mockResolvedValue({ trustedToken: trustedToken(), ...answer });
    await submit(app);
    expect(app.dialog()).toMatchObject({
      title: 'Login Error',
      message: expect.stringMatching(message) as string,
    });
    expect(app.state().auth.challenge).toMatchObject({ phase: 'entering', attempt: 1 });
    expect(app.deps.cookies.contents()).toEqual({});
    // The next try works.
    app.answerDialog(true);
    await settle();
    app.deps.api.auth.token.mockResolvedValue(answers.session());
    await submit(app);
    expect(app.deps.navigation.leaves).toEqual([hosts.ledger]);
  });

  it('a session cookie that the browser does not take: a message, no loop', async () => {
    const app = await openChallenge();
    app.deps.cookies.refuse('payments-test-session');
    app.deps.api.auth.token.mockResolvedValue(answers.session());
    await submit(app);
    expect(app.dialog()).toMatchObject({ title: 'Login Error', message: blocked });
    expect(app.deps.navigation.leaves).toEqual([]);
    expect(app.state().location.pathname).toBe('/two-auth');
  });
});

describe('an answer that comes after the screen was left', () => {
  it.each(['/login', '/unauthorized'])('signs nobody in: %s', async (path) => {
    const app = await openChallenge();
    const late = lateAnswer(app);
    await submit(app);
    app.deps.navigation.visit(path);
    await late.answer({ ...answers.session(), trustedToken: trustedToken() });
    expect(app.deps.cookies.contents()).toEqual({});
    expect(app.deps.navigation.leaves).toEqual([]);
    expect(app.dialog()).toBeUndefined();
  });
});

describe('secrets', () => {
  it('neither the code nor the verification token is in the store or in the log', async () => {
    const app = await openChallenge({
      challenge: answers.smsChallenge({ authVerificationToken: 'marked-token' }),
    });
    const late = lateAnswer(app);
    await submit(app, '918273');
    expect(JSON.stringify(app.state())).not.toMatch(/918273|marked-token/);
    await late.answer({});
    expect(JSON.stringify([app.state(), app.deps.log])).not.toMatch(/918273|marked-token/);
  });
});
