/** @jest-environment node */
import { googleAuthorizationUrl, microsoftAuthorizationUrl } from '@features/auth/provider/authorizationUrl';
import { methods, testConfig } from '../../../support/builders';

const secrets = { state: 'state-1', nonce: 'nonce-1', challenge: 'challenge-1' };
const { configuration } = methods.microsoft;
const ada = { loginHint: 'ada@example.com', forced: false };

/** Address without its query, and the query as sorted pairs: one that is there twice is seen. */
const parts = (href: string | null) => {
  const url = new URL(href ?? 'none:');
  return { page: url.origin + url.pathname + url.hash, parameters: [...url.searchParams].sort() };
};

describe('the Google-type provider is asked for exactly', () => {
  const always = {
    client_id: 'google-client',
    redirect_uri: 'http://login.payments.localhost:4000/oauth-redirect',
    response_type: 'code',
    scope: 'profile email openid',
    state: 'state-1',
  };

  it.each([
    ['consent, ordinarily', ada, { login_hint: 'ada@example.com', prompt: 'consent' }],
    [
      'the credentials again, when forced',
      { ...ada, forced: true },
      { login_hint: 'ada@example.com', prompt: 'login' },
    ],
    ['no hint where no e-mail is known', { loginHint: null, forced: false }, { prompt: 'consent' }],
  ])('%s', (_name, request, further) => {
    expect(parts(googleAuthorizationUrl(testConfig(), secrets, request))).toEqual({
      page: 'http://google.payments.localhost:4000/o/oauth2/v2/auth',
      parameters: Object.entries({ ...always, ...further }).sort(),
    });
  });
});

describe('the Microsoft-type provider is asked for exactly', () => {
  const always = {
    client_id: '0a1b2c3d-4e5f-4061-8273-8495a6b7c8d9',
    code_challenge: 'challenge-1',
    code_challenge_method: 'S256',
    nonce: 'nonce-1',
    redirect_uri: 'http://login.payments.localhost:4000/oauth-redirect',
    response_type: 'code',
    scope: 'offline_access user.read',
    state: 'state-1',
  };

  it.each([
    ['no prompt, ordinarily', ada, { login_hint: 'ada@example.com' }],
    [
      'the credentials again, when forced',
      { ...ada, forced: true },
      { login_hint: 'ada@example.com', prompt: 'login' },
    ],
    ['no hint where no e-mail is known', { loginHint: null, forced: false }, {}],
  ])('%s', (_name, request, further) => {
    expect(parts(microsoftAuthorizationUrl(testConfig(), configuration, secrets, request))).toEqual({
      page: 'http://microsoft.payments.localhost:4000/6b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d/oauth2/v2.0/authorize',
      parameters: Object.entries({ ...always, ...further }).sort(),
    });
  });
});

describe('an address of a provider', () => {
  it('keeps what the deployment wrote into it, and lets nothing be said twice', () => {
    const google = {
      clientId: 'google-client',
      authorizationUrl: 'https://accounts.example/auth?hd=example.com&state=fixed',
    };
    const url = googleAuthorizationUrl(testConfig({ google }), secrets, ada);
    expect(parts(url).parameters).toContainEqual(['hd', 'example.com']);
    expect(new URL(url ?? '').searchParams.getAll('state')).toEqual(['state-1']);
  });

  it('cannot be broken out of by a hint', () => {
    const loginHint = 'a&prompt=none&state=x#y@example.com';
    const { searchParams, hash } = new URL(
      googleAuthorizationUrl(testConfig(), secrets, { loginHint, forced: false }) ?? '',
    );
    expect(searchParams.get('login_hint')).toBe(loginHint);
    expect([searchParams.getAll('prompt'), searchParams.getAll('state'), hash]).toEqual([
      ['consent'],
      ['state-1'],
      '',
    ]);
  });

  it('is none where the deployment names no web page', () => {
    const google = { clientId: 'google-client', authorizationUrl: 'javascript:alert(1)' };
    expect(googleAuthorizationUrl(testConfig({ google }), secrets, ada)).toBeNull();
  });

  it.each([
    ['Google', (flow: typeof secrets) => googleAuthorizationUrl(testConfig(), flow, ada)],
    [
      'Microsoft',
      (flow: typeof secrets) => microsoftAuthorizationUrl(testConfig(), configuration, flow, ada),
    ],
  ])('never carries the code verifier: %s', (_name, urlOf) => {
    const flow = { ...secrets, verifier: 'marked-verifier' };
    expect(urlOf(flow)).not.toContain('marked-verifier');
  });
});
