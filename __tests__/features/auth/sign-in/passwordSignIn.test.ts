/** @jest-environment node */
import { passwordSubmitted } from '@features/auth/sign-in/signIn.slice';
import { ApiError } from '@shared/api/apiError';
import {
  answers,
  hosts,
  onePersona,
  severalPersonas,
  tokenPair,
  trustedToken,
} from '../../../support/builders';
import { enterUsername, settle, signInWithPassword } from '../../../support/openApp';
import { openWith } from './openWith';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));
afterEach(() => jest.useRealTimers());

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
    // Should the browser not get there, the screen offers the way on.
    expect(app.signIn()).toEqual({ phase: 'leaving', target: app.deps.navigation.leaves[0] });
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

  it('the trusted token goes along however the username is spelt', async () => {
    const app = openWith(answers.session());
    const trusted = trustedToken();
    app.deps.cookies.write('payments-test-session-trust-ada', trusted, { kind: 'session' });
    await signInWithPassword(app, { username: 'ADA', password: 'pw' });
    expect(app.deps.api.auth.token.mock.calls[0]?.[0]).toMatchObject({
      username: 'ADA',
      trustedJWT: trusted,
    });
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
    expect(app.deps.parentFrame.told).toEqual(['removed_tokens', 'new_tokens']);
    expect(app.signIn()).toEqual({ phase: 'signedIn' });
    expect(app.deps.navigation.leaves).toEqual([]);
    expect(app.deps.navigation.address()).toContain('/login');
  });

  it('a failed sign-in tells the parent of no new tokens', async () => {
    const app = openWith(new ApiError('server', { status: 401 }), { embedding: 'trusted' });
    await signInWithPassword(app);
    expect(app.deps.parentFrame.told).toEqual(['removed_tokens']);
  });

  it('of a stranger nothing works at all', async () => {
    const app = openWith(answers.session(), { embedding: 'untrusted' });
    await signInWithPassword(app);
    expect(app.deps.api.auth.methods).not.toHaveBeenCalled();
    expect(app.state().session).toMatchObject({ access: { phase: 'unknown' }, embedding: 'untrusted' });
  });
});
