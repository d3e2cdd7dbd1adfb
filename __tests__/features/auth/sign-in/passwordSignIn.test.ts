/** @jest-environment node */
/** Tests leaveSignedIn.saga, signIn.saga and signIn.slice. */
import { passwordSubmitted } from '@features/auth/sign-in/signIn.slice';
import { ApiError } from '@shared/api/apiError';
import { answers, hosts, severalPersonas, tokenPair, trustedToken } from '../../../support/builders';
import { fakeDeps } from '../../../support/fakeDeps';
import { enterUsername, openApp, pass, settle, signInWithPassword } from '../../../support/openApp';
import { put } from '../../session/refresh/openSignedIn';
import { openWith, sessionCookies } from './openWith';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));

describe('the password is right', () => {
  it('with one persona: the cookies have the exact specified values, and the browser goes to the application', async () => {
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
    expect(app.address()).toBe('/login');
    // If the browser does not get there, the screen offers a link.
    expect(app.signIn()).toEqual({ phase: 'leaving', target: app.deps.navigation.leaves[0] });
    expect(app.state().session.access).toMatchObject({ phase: 'active', claims: { uid: 'u_1' } });
    expect(app.dialog()).toBeUndefined();
  });

  it('with several personas: account settings', async () => {
    const app = openWith(answers.session({ personas: severalPersonas }));
    await signInWithPassword(app);
    expect(app.deps.navigation.leaves).toEqual([]);
    expect(app.deps.navigation.replaces).toEqual(['/account-settings']);
    expect(app.state().page.location.pathname).toBe('/account-settings');
  });

  it('the trusted token of this username is sent, and no other user’s', async () => {
    const app = openWith(answers.session());
    const trusted = trustedToken();
    app.deps.cookies.write('payments-test-session-trust-ada', trusted);
    app.deps.cookies.write('payments-test-session-trust-bob', 'bobs');
    await signInWithPassword(app, { username: 'ada', password: 'pw' });
    expect(app.deps.api.auth.token.mock.calls).toEqual([
      [{ username: 'ada', method: 'basic', password: 'pw', trustedJWT: trusted }],
    ]);
    expect(app.deps.cookies.readAll('payments-test-session-trust-ada')).toEqual([trusted]);
  });

  it('submitted twice, it is one call and one redirect', async () => {
    const app = openWith(answers.session());
    await enterUsername(app);
    app.dispatch(passwordSubmitted('pw'));
    await app.send(passwordSubmitted('pw'));
    expect(app.deps.api.auth.token).toHaveBeenCalledTimes(1);
    expect(app.deps.navigation.leaves).toEqual([hosts.ledger]);
  });
});

describe('in a parent’s frame', () => {
  it('the parent is notified, there is no redirect, and the screen says that the user is signed in', async () => {
    const app = openWith(answers.session(), { embedding: 'trusted', path: `/login?url=${hosts.hub}` });
    await signInWithPassword(app);
    expect(app.deps.parentFrame.messages).toEqual(['removed_tokens', 'new_tokens']);
    expect(app.signIn()).toEqual({ phase: 'signedIn' });
    expect(app.deps.navigation.leaves).toEqual([]);
    expect(app.address()).toContain('/login');
  });

  it('of an origin that is not listed nothing works', async () => {
    const app = openWith(answers.session(), { embedding: 'untrusted' });
    await signInWithPassword(app);
    expect(app.deps.api.auth.methods).not.toHaveBeenCalled();
    expect(app.state().session).toMatchObject({ access: { phase: 'unknown' }, embedding: 'untrusted' });
  });
});

describe('the remembered username', () => {
  const yearMs = 365 * 86_400_000;

  it.each([
    ['going to the application', answers.session()],
    ['going to the account settings', answers.session({ personas: severalPersonas })],
    ['setting up two-step verification', answers.mustSetUpMfa()],
    ['requiring a second step', answers.textChallenge()],
  ])('is stored for 365 days with Remember Me: %s', async (_name, answer) => {
    const app = openWith(answer);
    await signInWithPassword(app, { username: 'Ada@Example.com', rememberMe: true });
    expect(app.deps.cookies.readAll('payments-test-username')).toEqual(['Ada@Example.com']);
    expect(app.deps.cookies.expiryOf('payments-test-username')).toBe(1_800_000_000_000 + yearMs);
  });

  it.each([
    ['going to the application', answers.session()],
    ['going to the account settings', answers.session({ personas: severalPersonas })],
    ['requiring a second step', answers.textChallenge()],
  ])('is removed without Remember Me: %s', async (_name, answer) => {
    const app = openWith(answer);
    app.deps.cookies.write('payments-test-username', 'ada', Date.now() + 86_400_000);
    await signInWithPassword(app, { username: 'ada', rememberMe: false });
    expect(app.deps.cookies.readAll('payments-test-username')).toEqual([]);
  });

  it('is not changed by a failed sign-in', async () => {
    const app = openWith(new ApiError('server', { status: 401 }));
    app.deps.cookies.write('payments-test-username', 'ada', Date.now() + 86_400_000);
    await signInWithPassword(app, { username: 'mistyped', rememberMe: true });
    expect(app.deps.cookies.readAll('payments-test-username')).toEqual(['ada']);
  });

  it('is filled in when /login is opened', () => {
    const deps = fakeDeps();
    deps.cookies.write('payments-test-username', 'ada', Date.now() + 86_400_000);
    expect(openApp(deps).signIn()).toEqual({ phase: 'username', username: 'ada', rememberMe: true });
    expect(openApp(fakeDeps()).signIn()).toEqual({ phase: 'username', username: '', rememberMe: false });
  });
});

describe('two-step verification must be set up first', () => {
  it('the setup cookie has the exact specified value, and account settings follow', async () => {
    const answer = answers.mustSetUpMfa();
    const app = openWith(answer);
    await signInWithPassword(app);
    expect(app.deps.cookies.contents()).toEqual({
      'payments-test-session-setup': `{"mfaToken":"${answer.mfaJWT ?? ''}"}`,
    });
    expect(app.address()).toBe('/account-settings');
    expect(app.state().session.access).toMatchObject({ phase: 'setup', claims: { isMfaSetup: true } });
    expect(app.deps.parentFrame.messages).toEqual([]);
  });

  it('a clock that is two days ahead is corrected by its token, which does not expire at once', async () => {
    const app = openWith(answers.mustSetUpMfa());
    app.deps.clock.set(Date.now() + 2 * 86_400_000);
    await signInWithPassword(app);
    await pass(10_000);
    expect(app.state().session.access.phase).toBe('setup');
    expect(app.address()).toBe('/account-settings');
  });

  it.each([
    ['a session that another tab started meanwhile ends, and the parent is notified', true],
    ['without a session the parent is not notified again', false],
  ])('%s', async (_name, isThere) => {
    const app = openWith(answers.mustSetUpMfa(), { embedding: 'trusted' });
    await enterUsername(app);
    app.deps.api.auth.token.mockImplementation(async () => {
      if (isThere) put(app.deps, tokenPair());
      await app.deps.clock.pause(6000);
      return answers.mustSetUpMfa();
    });
    app.dispatch(passwordSubmitted('Corr3ct-horse'));
    await pass(6000);
    expect(Object.keys(app.deps.cookies.contents())).toEqual(['payments-test-session-setup']);
    const ofAnother = ['new_tokens', 'removed_tokens'];
    expect(app.deps.parentFrame.messages).toEqual(['removed_tokens', ...(isThere ? ofAnother : [])]);
  });
});

describe('a second step is required', () => {
  it.each([
    ['text', answers.textChallenge(), { authyId: '52001', uid: 'u_1' }],
    ['app', answers.appChallenge(), { authyId: null, uid: 'u_1' }],
  ] as const)('%s: /two-auth with the challenge, and the query kept', async (secondStep, answer, ids) => {
    const app = openWith(answer, { path: `/login?url=${encodeURIComponent(hosts.hub)}&supplierHub` });
    await signInWithPassword(app, { username: 'ada' });
    expect(app.address()).toBe(`/two-auth?url=${encodeURIComponent(hosts.hub)}&supplierHub`);
    expect(app.state().auth.challenge).toEqual({
      phase: 'entering',
      challenge: { username: 'ada', method: 'basic', secondStep, ...ids },
      restarts: 0,
      keepsCode: false,
      by: null,
      resend: 'ready',
    });
    expect(app.deps.vault.get('challenge')).toEqual({ authVerificationToken: 'vt_1' });
    expect(sessionCookies(app.deps.cookies.contents())).toEqual([undefined, undefined]);
  });

  it('going back ends the challenge and drops its secrets', async () => {
    const app = openWith(answers.textChallenge());
    await signInWithPassword(app);
    app.deps.navigation.back();
    await settle();
    expect(app.address()).toBe('/login');
    expect(app.deps.vault.get('challenge')).toBeUndefined();
    expect(app.state().auth.challenge).toEqual({ phase: 'none' });
  });
});
