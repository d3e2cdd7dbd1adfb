import { createLocalJWKSet, decodeProtectedHeader, jwtVerify, SignJWT, type JSONWebKeySet } from 'jose';
import { loginOrigin, type TestService } from '../support/testService.ts';
import {
  Application,
  broughtBy,
  Browser,
  callback,
  createListener,
  reports,
  secret,
  sessionCookie,
  startProvider,
  tokensIn,
  type Response_,
} from './application.ts';
import { documentedResults, type Result } from './certificationPage.ts';

type Changes = Readonly<Record<string, string | undefined>>;

/** Certification asks for https. */
const issuer = 'https://api.payments.localhost';
const bye = 'https://reports.example.com/bye';

const listener = createListener();
let service: TestService;
let metadata: Readonly<Record<string, unknown>>;
let client: Application;
let client2: Application;
/** How far the clock is ahead, ms. */
let ahead = 0;

beforeAll(async () => {
  service = await startProvider(
    [
      { ...reports, backchannelLogoutUri: await listener.start() },
      { ...reports, id: 'client2', url: undefined },
    ],
    { issuer },
  );
  await service.write();
});
afterAll(async () => {
  await service.close();
  await listener.stop();
});
beforeEach(async () => {
  const now = Date.now.bind(Date);
  ahead = 0;
  jest.spyOn(Date, 'now').mockImplementation(() => now() + ahead);
  metadata = (await service.get('/.well-known/openid-configuration')).body;
  [client, client2] = [new Application(service), new Application(service, 'client2')];
});
afterEach(() => {
  jest.restoreAllMocks();
});

/** The browser of a user who does what our pages ask for. */
class User extends Browser {
  /** What was asked for. */
  readonly asked: string[] = [];

  async follow(response: Response_): Promise<Response_> {
    const { location } = response;
    if (location.startsWith(`${loginOrigin}/login?`)) {
      this.asked.push('sign-in');
      await this.signIn();
      return this.follow(await this.get(new URL(location).searchParams.get('url') ?? ''));
    }
    const [, id] = /\/continue\/([^/?]+)$/.exec(location) ?? [];
    if (id === undefined) return response;
    const { authenticated } = JSON.parse(decodeURIComponent(this.cookies.get(sessionCookie) ?? '')) as {
      authenticated: { token: string };
    };
    const bearer = authenticated.token;
    const { needs } = (await service.get(`/auth/v1/openid/requests/${id}`, { bearer })).body;
    this.asked.push(...(needs as string[]));
    const answer = { allow: true, authVerificationToken: await service.verified(bearer) };
    const { body } = await service.post(`/auth/v1/openid/requests/${id}`, answer, { bearer });
    return this.get(String(body['redirectUrl']));
  }
}

/** The checks of every module: the response, the tokens, the ID token, the claims. */
async function completeFlow(
  application: Application,
  user: User,
  response: Response_,
  changes: Changes = {},
) {
  const { code = '', ...rest } = broughtBy(response);
  expect(code).not.toBe('');
  expect(rest).toEqual({ iss: issuer, state: 'state-1' });
  const exchanged = await application.exchange(code);
  expect(exchanged.status).toBe(200);
  expect(exchanged.headers.get('cache-control')).toBe('no-store');
  expect(exchanged.body).toMatchObject({ token_type: 'Bearer', expires_in: 900 });
  const tokens = tokensIn(exchanged.body);
  const { payload: claims } = await jwtVerify(tokens.id, await keySet(), {
    issuer,
    audience: application.id,
    requiredClaims: ['sub', 'exp', 'iat', 'auth_time'],
  });
  expect(claims['nonce']).toBe('nonce' in changes ? changes['nonce'] : 'nonce-1');
  const userinfo = await application.userinfo(tokens.access);
  expect([userinfo.status, userinfo.body['sub']]).toEqual([200, claims.sub]);
  return { user, code, tokens, claims, userinfo: userinfo.body };
}

/** A whole sign-in, in a new browser unless one is given. */
async function signIn(changes: Changes = {}, user = new User(service), application = client) {
  const response = await user.follow(await user.get(application.address({ scope: 'openid', ...changes })));
  return completeFlow(application, user, response, changes);
}

async function keySet() {
  const { keys } = (await service.get('/.well-known/jwks.json')).body;
  return createLocalJWKSet({ keys } as JSONWebKeySet);
}

const expectUnauthorized = ({ status, location }: Response_): void => {
  expect([status, location]).toEqual([303, `${loginOrigin}/unauthorized`]);
};

/** A request that has to succeed, and nothing more. */
const succeeds = async (changes: Changes): Promise<Result> => {
  await signIn(changes);
  return 'passed';
};

/** Claims of scopes belong to userinfo where there is an access token (OpenID Connect Core §5.4); beside them the suite warns. */
async function claimsOf(scope: string, names: readonly string[]): Promise<Result> {
  const supported = metadata['scopes_supported'] as readonly string[];
  if (!scope.split(' ').every((one) => supported.includes(one))) return 'skipped';
  const { claims, userinfo } = await signIn({ scope });
  expect(Object.keys(userinfo).sort()).toEqual(['sub', ...names].sort());
  return names.some((name) => name in claims) ? 'warning' : 'passed';
}

const email = ['email', 'email_verified'];

/** Asked for the same user twice: no page, the same user, the same time of authentication. */
async function again(changes: (idToken: string) => Changes, first: Changes = {}): Promise<Result> {
  const { user, claims, tokens } = await signIn(first);
  ahead = 2000;
  const second = await signIn(changes(tokens.id), user);
  expect(user.asked).toEqual(['sign-in']);
  expect(second.claims).toMatchObject({ sub: claims.sub, auth_time: claims['auth_time'] });
  return 'passed';
}

/** Asked for another authentication: a page that somebody has to look at, and a later time. */
async function authenticatesAgain(changes: Changes): Promise<Result> {
  const { user, claims } = await signIn();
  ahead = 2500;
  const second = await signIn(changes, user);
  expect(user.asked).toEqual(['sign-in', 'identity']);
  expect(Number(second.claims['auth_time'])).toBeGreaterThan(Number(claims['auth_time']));
  return 'review';
}

/** Modules that register clients of their own. */
function withRegistration(): Promise<Result> {
  expect(metadata).not.toHaveProperty('registration_endpoint');
  return Promise.resolve('not applicable');
}

async function userinfoBy(send: (access: string) => Promise<Response>): Promise<Result> {
  const { tokens, claims } = await signIn();
  const response = await send(tokens.access);
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    'application/json; charset=utf-8',
  ]);
  expect(await response.json()).toMatchObject({ sub: claims.sub });
  return 'passed';
}

const userinfoUrl = (): string => `${service.url}/oidc/userinfo`;

async function codeAgain(seconds: number): Promise<Result> {
  const { code, tokens } = await signIn();
  ahead = seconds * 1000;
  const { status, body } = await client.exchange(code);
  expect([status, body['error']]).toEqual([400, 'invalid_grant']);
  return (await client.userinfo(tokens.access)).status === 401 ? 'passed' : 'warning';
}

const requestObject = (claims: object): string =>
  [{ alg: 'none' }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.') +
  '.';

const basic: Readonly<Record<string, () => Promise<Result>>> = {
  'oidcc-server': () => succeeds({}),
  'oidcc-response-type-missing': async () => {
    const response = await new User(service).get(client.address({ response_type: undefined }));
    expect(broughtBy(response)).toMatchObject({ error: 'invalid_request', state: 'state-1' });
    return 'passed';
  },
  'oidcc-idtoken-signature': withRegistration,
  'oidcc-idtoken-unsigned': withRegistration,
  'oidcc-userinfo-get': () =>
    userinfoBy((access) => fetch(userinfoUrl(), { headers: { Authorization: `Bearer ${access}` } })),
  'oidcc-userinfo-post-header': () =>
    userinfoBy((access) =>
      fetch(userinfoUrl(), { method: 'POST', headers: { Authorization: `Bearer ${access}` } }),
    ),
  'oidcc-userinfo-post-body': () =>
    userinfoBy((access) =>
      fetch(userinfoUrl(), { method: 'POST', body: new URLSearchParams({ access_token: access }) }),
    ),
  'oidcc-ensure-request-without-nonce-succeeds-for-code-flow': () => succeeds({ nonce: undefined }),
  'oidcc-scope-profile': () =>
    claimsOf('openid profile', ['name', 'given_name', 'preferred_username', 'locale']),
  'oidcc-scope-email': () => claimsOf('openid email', email),
  'oidcc-scope-address': () => claimsOf('openid address', ['address']),
  'oidcc-scope-phone': () => claimsOf('openid phone', ['phone_number', 'phone_number_verified']),
  'oidcc-scope-all': () => claimsOf('openid email phone address profile', []),
  'oidcc-alternate-happy-flow': async () => {
    const user = new User(service);
    const query = client.address({ scope: 'email openid' }).split('?')[1] ?? '';
    const response = await user.follow(await user.get(`/oidc/auth?${query.split('&').reverse().join('&')}`));
    const { claims, userinfo } = await completeFlow(client, user, response);
    expect(userinfo).toMatchObject({ email_verified: true });
    return 'email' in claims ? 'warning' : 'passed';
  },
  'oidcc-display-page': () => succeeds({ display: 'page' }),
  'oidcc-display-popup': () => succeeds({ display: 'popup' }),
  'oidcc-prompt-login': () => authenticatesAgain({ prompt: 'login' }),
  'oidcc-prompt-none-not-logged-in': async () => {
    const state = 's'.repeat(128);
    const response = await new User(service).get(client.address({ prompt: 'none', state }));
    expect(broughtBy(response)).toMatchObject({ error: 'login_required', state, iss: issuer });
    return 'passed';
  },
  'oidcc-prompt-none-logged-in': () => again(() => ({ prompt: 'none' })),
  'oidcc-max-age-1': () => authenticatesAgain({ max_age: '1' }),
  'oidcc-max-age-10000': () => again(() => ({ max_age: '10000' }), { max_age: '15000' }),
  'oidcc-ensure-request-with-unknown-parameter-succeeds': () => succeeds({ extra: 'foobar' }),
  'oidcc-id-token-hint': () => again((idToken) => ({ prompt: 'none', id_token_hint: idToken })),
  'oidcc-login-hint': () => succeeds({ login_hint: 'buffy@api.payments.localhost' }),
  'oidcc-ui-locales': () => succeeds({ ui_locales: 'se' }),
  'oidcc-claims-locales': () => succeeds({ claims_locales: 'se' }),
  'oidcc-ensure-request-with-acr-values-succeeds': async () => {
    const supported = metadata['acr_values_supported'] as readonly string[];
    const { claims } = await signIn({ acr_values: supported.join(' ') });
    return supported.includes(String(claims['acr'])) ? 'passed' : 'warning';
  },
  'oidcc-codereuse': () => codeAgain(0),
  'oidcc-codereuse-30seconds': () => codeAgain(30),
  'oidcc-ensure-registered-redirect-uri': async () => {
    const user = new User(service);
    await user.signIn();
    expectUnauthorized(await user.get(client.address({ redirect_uri: `${callback}/x` })));
    return 'review';
  },
  'oidcc-ensure-post-request-succeeds': async () => {
    const user = new User(service);
    const form = new URLSearchParams(client.address({ scope: 'openid' }).split('?')[1]);
    const response = await user.follow(await user.request('POST', '/oidc/auth', form));
    await completeFlow(client, user, response);
    return 'passed';
  },
  'oidcc-server-client-secret-post': async () => {
    const user = new User(service);
    const response = await user.follow(await user.get(client.address({ scope: 'openid' })));
    const posting = new Application(service, 'reports', null);
    const { code = '' } = broughtBy(response);
    const form = { client_secret: secret, code_verifier: client.verifier };
    const { status, body } = await posting.exchange(code, form);
    expect([status, body['token_type']]).toEqual([200, 'Bearer']);
    await jwtVerify(tokensIn(body).id, await keySet(), { issuer, audience: 'reports' });
    return 'passed';
  },
  'oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported': withRegistration,
  'oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported': async () => {
    const request = requestObject({ client_id: 'reports', nonce: 'n', scope: 'openid' });
    const { error } = broughtBy(await new User(service).get(client.address({ request })));
    expect(error).toBe('request_not_supported');
    return 'skipped';
  },
  'oidcc-claims-essential': async () => {
    const claims = JSON.stringify({ userinfo: { name: { essential: true } } });
    const { userinfo } = await signIn({ claims });
    return 'name' in userinfo ? 'passed' : 'warning';
  },
  'oidcc-ensure-request-object-with-redirect-uri': async () => {
    const request = requestObject({ client_id: 'reports', redirect_uri: callback, scope: 'openid' });
    const address = client.address({ request, redirect_uri: `${callback}/x` });
    expectUnauthorized(await new User(service).get(address));
    return 'review';
  },
  'oidcc-refresh-token': async () => {
    const renewedBy = async (application: Application): Promise<string> => {
      const asks = { scope: 'openid offline_access', prompt: 'consent' };
      const { tokens, claims } = await signIn(asks, new User(service), application);
      const { status, body } = await application.refresh(tokens.refresh);
      expect(status).toBe(200);
      const renewed = tokensIn(body);
      expect(renewed.access).not.toBe(tokens.access);
      const { iss, sub, aud, auth_time, sid } = claims;
      expect(renewed.claims).toMatchObject({ iss, sub, aud, auth_time, sid });
      expect((await application.userinfo(renewed.access)).status).toBe(200);
      return renewed.refresh;
    };
    await renewedBy(client);
    const { status, body } = await client.refresh(await renewedBy(client2));
    expect([status, body['error']]).toEqual([400, 'invalid_grant']);
    return 'passed';
  },
  'oidcc-ensure-request-with-valid-pkce-succeeds': () => succeeds({}),
};

const endpointsOf = (names: RegExp): readonly unknown[] =>
  Object.entries(metadata)
    .filter(([name]) => names.test(name))
    .map(([, value]) => value);

const listWith = (names: readonly string[]): unknown => expect.arrayContaining(names);

const config: typeof basic = {
  'oidcc-discovery-endpoint-verification': async () => {
    expect(metadata).toMatchObject({
      issuer,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: listWith(['RS256']),
      grant_types_supported: ['authorization_code', 'refresh_token'],
      scopes_supported: listWith(['openid']),
      claims_supported: listWith(['sub']),
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: listWith(['client_secret_basic', 'client_secret_post']),
      claims_parameter_supported: false,
      request_uri_parameter_supported: false,
    });
    for (const endpoint of endpointsOf(/_endpoint$|^jwks_uri$/)) expect(endpoint).toMatch(/^https:\/\//);
    const { keys } = (await service.get('/.well-known/jwks.json')).body;
    for (const key of keys as object[])
      for (const secretPart of ['d', 'p', 'q', 'k']) expect(key).not.toHaveProperty(secretPart);
    return 'passed';
  },
};

const logoutOf = (user: User, parameters: Changes): Promise<Response_> => {
  const given = Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return user.get(`/oidc/logout?${new URLSearchParams(given).toString()}`);
};

const expectSignedOut = async (user: User): Promise<void> => {
  expect(broughtBy(await user.get(client.address({ prompt: 'none' })))).toMatchObject({
    error: 'login_required',
  });
};

const expectSignedIn = async (user: User): Promise<void> => {
  expect(broughtBy(await user.get(client.address({ prompt: 'none' })))).toHaveProperty('code');
};

/** Ends with the application's page. */
async function signsOut(state: string | undefined): Promise<Result> {
  const { user, tokens } = await signIn();
  const { location } = await logoutOf(user, {
    id_token_hint: tokens.id,
    post_logout_redirect_uri: bye,
    state,
  });
  expect(location).toBe(state === undefined ? bye : `${bye}?state=${state}`);
  await expectSignedOut(user);
  return 'passed';
}

/** Ends with our question, which somebody has to look at, and without a sign-out. */
async function isRefused(changes: (idToken: string) => Changes | Promise<Changes>): Promise<Result> {
  const { user, tokens } = await signIn();
  const parameters = { id_token_hint: tokens.id, post_logout_redirect_uri: bye, state: 's' };
  const { status, text: page } = await logoutOf(user, { ...parameters, ...(await changes(tokens.id)) });
  expect([status, page.includes('Do you want to sign out?')]).toEqual([200, true]);
  await expectSignedIn(user);
  return 'review';
}

/** Ends at our page, which somebody has to look at, after a question where there is no hint. */
async function signsOutHere(parameters: (idToken: string) => Changes): Promise<Result> {
  const { user, tokens } = await signIn();
  let response = await logoutOf(user, parameters(tokens.id));
  const [, question] = /name="question" value="([^"]+)"/.exec(response.text) ?? [];
  if (question !== undefined)
    response = await user.request('POST', '/oidc/logout', new URLSearchParams({ question }));
  expect(response.location).toBe(`${loginOrigin}/login`);
  await expectSignedOut(user);
  return 'review';
}

const signOut: typeof basic = {
  'oidcc-rp-initiated-logout-discovery-endpoint-verification': () => {
    expect(endpointsOf(/^end_session_endpoint$/)).toEqual([`${issuer}/oidc/logout`]);
    return Promise.resolve('passed');
  },
  'oidcc-rp-initiated-logout': () => signsOut('state-2'),
  'oidcc-rp-initiated-logout-bad-post-logout-redirect-uri': () =>
    isRefused(() => ({ post_logout_redirect_uri: `${bye}/x` })),
  'oidcc-rp-initiated-logout-modified-id-token-hint': () =>
    isRefused((idToken) => ({
      id_token_hint: [
        Buffer.from(JSON.stringify({ ...decodeProtectedHeader(idToken), alg: 'none' })).toString('base64url'),
        idToken.split('.')[1],
        '',
      ].join('.'),
    })),
  'oidcc-rp-initiated-logout-no-id-token-hint': () => isRefused(() => ({ id_token_hint: undefined })),
  'oidcc-rp-initiated-logout-no-params': () => signsOutHere(() => ({})),
  'oidcc-rp-initiated-logout-no-post-logout-redirect-uri': () =>
    signsOutHere((idToken) => ({ id_token_hint: idToken, state: 's' })),
  'oidcc-rp-initiated-logout-no-state': () => signsOut(undefined),
  'oidcc-rp-initiated-logout-only-state': () => signsOutHere(() => ({ state: 's' })),
  'oidcc-rp-initiated-logout-query-added-to-post-logout-redirect-uri': () =>
    isRefused(() => ({ post_logout_redirect_uri: `${bye}?extra=x` })),
  'oidcc-rp-initiated-logout-bad-id-token-hint': () =>
    isRefused(async () => ({
      id_token_hint: await new SignJWT({ sub: 'x' })
        .setProtectedHeader({ alg: 'HS256' })
        .setIssuer(issuer)
        .setAudience('reports')
        .setIssuedAt()
        .setExpirationTime('5m')
        .sign(Buffer.from(secret)),
    })),
};

const backChannel: typeof basic = {
  'oidcc-backchannel-logout-discovery-endpoint-verification': () => {
    expect(metadata).toMatchObject({
      backchannel_logout_supported: true,
      backchannel_logout_session_supported: true,
      end_session_endpoint: `${issuer}/oidc/logout`,
    });
    return Promise.resolve('passed');
  },
  'oidcc-backchannel-rp-initiated-logout': async () => {
    const { user, tokens, claims } = await signIn();
    listener.tokens.length = 0;
    const { location } = await logoutOf(user, {
      id_token_hint: tokens.id,
      post_logout_redirect_uri: bye,
      state: 's',
    });
    expect(location).toBe(`${bye}?state=s`);
    await listener.until(1);
    const { payload, protectedHeader } = await jwtVerify(listener.tokens[0] ?? '', await keySet(), {
      issuer,
      audience: 'reports',
      requiredClaims: ['iat', 'exp', 'jti'],
    });
    expect(protectedHeader.typ).toBe('logout+jwt');
    expect(payload).toMatchObject({ sub: claims.sub, sid: claims['sid'] });
    expect(payload['events']).toEqual({ 'http://schemas.openid.net/event/backchannel-logout': {} });
    expect(payload).not.toHaveProperty('nonce');
    await expectSignedOut(user);
    return 'passed';
  },
};

const profiles = {
  'Basic OP': basic,
  'Config OP': config,
  'RP-Initiated OP': signOut,
  'Back-Channel OP': backChannel,
};

describe.each(Object.entries(profiles))('%s', (profile, modules) => {
  const documented = documentedResults(profile);

  test('the page names its modules', () => {
    expect(Object.keys(documented).sort()).toEqual(Object.keys(modules).sort());
  });

  it.each(Object.entries(modules))('%s', async (module, run) => {
    expect(await run()).toBe(documented[module]);
  });
});
