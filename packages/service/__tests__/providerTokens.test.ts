import type { ServiceContext } from '../src/core/context.ts';
import type { Tables } from '../src/core/database/tables.ts';
import { connect, type Database } from '../src/platform/database/connect.ts';
import { removeExpired } from '../src/core/database/removeExpired.ts';
import { defaultLockout, settingsFrom } from '../src/core/settings/options.ts';
import { exchangeCode } from '../src/identity/exchangeCode.ts';
import type { VerifiedProviderIdentity } from '../src/identity/verifiedProviderIdentity.ts';
import { createProviderCalls } from '../src/core/provider/providerCalls.ts';
import { newDatabase } from './support/postgres.ts';
import { recordingLogger } from './support/recordingLogger.ts';
import {
  random,
  scriptedIssuer,
  scriptedProvider,
  type Script,
  type ScriptedProvider,
} from './support/scriptedProvider.ts';
import { noAccess, outcome } from './support/secondStep.ts';
import { ada, issuer, loginOrigin, startTestService } from './support/testService.ts';

const unreachable = [
  502,
  { error: { message: 'The sign-in provider could not be reached. Please try again.', code: 'unavailable' } },
];
const notSetUp = [
  503,
  { error: { message: 'Signing in with this provider is not set up.', code: 'unavailable' } },
];
const seconds = (): number => Math.floor(Date.now() / 1000);
const error = (status: number, code: string) => (): Response => Response.json({ error: code }, { status });

/** A service whose only account signs in with a scripted provider. */
async function openWithProvider(issuer?: string) {
  const provider = await scriptedProvider(10, issuer);
  const service = await startTestService({ now: Date.now, providers: provider.options });
  await service.write({ methods: [{ method: 'google' }] });
  const signInWith = (script: Script) => {
    provider.play(script);
    const body = { username: ada, method: 'google', code: random(), codeVerifier: random() };
    return service.post('/auth/v1/token', body);
  };
  return { provider, service, signInWith };
}

describe('the ID token of a provider', () => {
  let opened: Awaited<ReturnType<typeof openWithProvider>>;

  beforeAll(async () => {
    opened = await openWithProvider();
  });
  afterAll(() => opened.service.close());

  const signInWith = async (script: Script): Promise<unknown> => {
    const { status, body } = await opened.signInWith(script);
    return status === 200 ? [200] : [status, body];
  };

  it('opens the account when it is valid', async () => {
    expect(await signInWith({})).toEqual([200]);
    expect(await signInWith({ claims: { nonce: random() } })).toEqual([200]);
  });

  it.each<[string, Script]>([
    ['has another issuer', { claims: { iss: 'https://accounts.evil.test' } }],
    ['is issued for another application', { claims: { aud: 'client-2' } }],
    ['is issued for another application too', { claims: { aud: ['client-1', 'client-2'] } }],
    ['was forwarded by another application', { claims: { aud: ['client-1', 'client-2'], azp: 'client-2' } }],
    ['has expired', { claims: { exp: seconds() - 120 } }],
    ['is not valid yet', { claims: { nbf: seconds() + 600 } }],
    ['is signed with a key that the provider does not publish', { foreignKey: true }],
    ['is not signed', { unsigned: true }],
    ['has an unverified address', { claims: { email_verified: false } }],
    ['does not say whether the address is verified', { claims: { email_verified: undefined } }],
    ['has a text in place of the verified flag', { claims: { email_verified: 'true' } }],
    ['has the other provider’s verified flag', { claims: { email_verified: undefined, xms_edov: true } }],
    ['has no address', { claims: { email: undefined } }],
    ['has a list of addresses', { claims: { email: [ada] } }],
    ['has an address that looks like the account’s', { claims: { email: 'ａda@example.com' } }],
    [
      'has an address with a plus-suffix that the account’s lacks',
      { claims: { email: 'ada+x@example.com' } },
    ],
  ])('opens nothing when it %s', async (_what, script) => {
    expect(await signInWith(script)).toEqual([401, noAccess]);
  });

  it('opens nothing when its nonce was used before', async () => {
    const claims = { nonce: random() };
    expect(await signInWith({ claims })).toEqual([200]);
    expect(await signInWith({ claims })).toEqual([401, noAccess]);
  });

  it.each<[string, Script, readonly unknown[]]>([
    ['rejects the code', { tokenAnswer: error(400, 'invalid_grant') }, [401, noAccess]],
    ['does not know the service', { tokenAnswer: error(401, 'invalid_client') }, notSetUp],
    [
      'returns no ID token',
      { tokenAnswer: () => Response.json({ access_token: 'a', token_type: 'Bearer' }) },
      notSetUp,
    ],
    [
      'returns an invalid token',
      { tokenAnswer: () => Response.json({ access_token: 'a', token_type: 'Bearer', id_token: 'x.y' }) },
      [401, noAccess],
    ],
    [
      'answers with a page',
      { tokenAnswer: () => new Response('<h1>Gateway</h1>', { headers: { 'Content-Type': 'text/html' } }) },
      unreachable,
    ],
    [
      'redirects',
      { tokenAnswer: () => new Response(null, { status: 302, headers: { Location: 'https://evil.test/' } }) },
      unreachable,
    ],
    ['is overloaded', { tokenAnswer: error(429, 'slow_down') }, unreachable],
    ['fails', { tokenAnswer: () => new Response('', { status: 500 }) }, unreachable],
    [
      'drops the connection',
      {
        tokenAnswer: () => {
          throw new TypeError('fetch failed');
        },
      },
      unreachable,
    ],
  ])('of a provider that %s: the caller gets the matching error', async (_what, script, expected) => {
    expect(await signInWith(script)).toEqual(expected);
  });

  it('is requested once, with code, verifier, redirect URI and secret in the body', async () => {
    const { provider, service } = opened;
    const before = provider.tokenCalls().length;
    const codeVerifier = random();
    provider.play({});
    await service.post('/auth/v1/token', { username: ada, method: 'google', code: 'c-1', codeVerifier });
    expect(
      provider
        .tokenCalls()
        .slice(before)
        .map((body) => Object.fromEntries(body)),
    ).toEqual([
      {
        grant_type: 'authorization_code',
        code: 'c-1',
        code_verifier: codeVerifier,
        redirect_uri: 'https://login.example.com/oauth-redirect',
        client_id: 'client-1',
        client_secret: 'secret-1',
      },
    ]);
  });

  it.each<[string, Script, readonly unknown[]]>([
    ['names another issuer', { metadata: { issuer: 'https://accounts.evil.test' } }, unreachable],
    ['has no keys', { jwksAnswer: () => new Response('', { status: 500 }) }, unreachable],
    [
      'has its token endpoint on plain http',
      { metadata: { token_endpoint: 'http://accounts.provider.test/token' } },
      unreachable,
    ],
    [
      'sends an unsigned token',
      { unsigned: true, metadata: { id_token_signing_alg_values_supported: ['none', 'RS256'] } },
      [401, noAccess],
    ],
  ])('is not requested or accepted from a provider that %s', async (_what, script, expected) => {
    const { provider, service, signInWith: ask } = await openWithProvider();
    const response = await ask(script);
    await service.close();
    expect(outcome(response)).toEqual(expected);
    expect(provider.tokenCalls()).toHaveLength(
      script.metadata === undefined || script.unsigned === true ? 1 : 0,
    );
  });
});

describe('a provider on this machine', () => {
  it.each([
    ['gets', 'on this machine too', 'http://token.provider.localhost/token', [200, 1]],
    ['does not get', 'elsewhere', 'http://accounts.provider.test/token', [502, 0]],
  ])(
    '%s the code where its token endpoint is on plain http %s',
    async (_gets, _where, endpoint, expected) => {
      const { provider, service, signInWith } = await openWithProvider('http://accounts.provider.localhost');
      const { status } = await signInWith({ metadata: { token_endpoint: endpoint } });
      await service.close();
      expect([status, provider.tokenCalls().length]).toEqual(expected);
    },
  );
});

describe('an account whose provider the service cannot call', () => {
  const tenantId = '4f6d1c9e-8a37-4b52-9c1d-2e7f5a60b813';
  const clientId = 'b27a9e54-13c8-4d0f-a6e2-90d4c8f7351b';
  const microsoft = {
    issuerTemplate: 'https://login.provider.test/{tenantId}/v2.0',
    clientId,
    clientSecret: 's',
  };

  it.each([
    ['nothing is configured', { tenantId, clientId }, undefined],
    [
      'the account names a shared tenant, which does not verify addresses',
      { tenantId: 'common', clientId },
      microsoft,
    ],
    ['the account names another client', { tenantId, clientId: tenantId }, microsoft],
  ])('gets the error ‘not configured’ when %s', async (_why, configuration, options) => {
    const reach = jest.fn<Promise<Response>, []>();
    const redirectUri = 'https://login.example.com/oauth-redirect';
    await using service = await startTestService({
      ...(options === undefined ? {} : { providers: { microsoft: options, redirectUri, fetch: reach } }),
    });
    await service.write({ methods: [{ method: 'microsoft', configuration }] });
    const body = { username: ada, method: 'microsoft', code: 'c', codeVerifier: random() };
    expect(outcome(await service.post('/auth/v1/token', body))).toEqual(notSetUp);
    expect(service.log.text()).toContain('provider is misconfigured');
    expect(reach).not.toHaveBeenCalled();
  });
});

describe('what a code exchange must prove', () => {
  let provider: ScriptedProvider;
  let database: Database<Tables>;

  beforeAll(async () => {
    provider = await scriptedProvider();
    database = await connect<Tables>({ url: await newDatabase() }, recordingLogger().logger);
  });
  afterAll(async () => {
    await database.close();
  });

  const person = { issuer: scriptedIssuer, subject: 'person-1', email: ada };
  const exchange = (
    claims: Readonly<Record<string, unknown>>,
    code = random(),
    authenticatedWithinSeconds?: number,
  ): Promise<VerifiedProviderIdentity> => {
    provider.play({ claims });
    const settings = settingsFrom({
      database: { folder: null },
      issuer,
      allowedOrigins: [loginOrigin],
      providers: provider.options,
    });
    const providers = createProviderCalls(settings);
    const context = { db: database.db, settings, providers } as ServiceContext;
    const demands = authenticatedWithinSeconds === undefined ? {} : { authenticatedWithinSeconds };
    return exchangeCode(context, { method: 'google' }, { code }, demands);
  };

  it('is stored for a day, so that a code or nonce is valid once', async () => {
    const code = random();
    await exchange({}, code);
    const afterHours = (hours: number) =>
      removeExpired(database.db, { now: () => Date.now() + hours * 3_600_000, lockout: defaultLockout });
    await afterHours(23);
    await expect(exchange({}, code)).rejects.toMatchObject({ status: 401, code: 'no_access' });
    await afterHours(25);
    expect(await exchange({}, code)).toEqual(person);
  });

  it('with forced re-authentication is accepted when the provider asked just now', async () => {
    expect(await exchange({ auth_time: seconds() - 20 }, random(), 300)).toEqual(person);
    expect(await exchange({ auth_time: seconds() - 310 }, random(), 300)).toEqual(person);
  });

  it.each([
    ['longer ago', { auth_time: seconds() - 400 }],
    ['in the future', { auth_time: seconds() + 400 }],
    ['at a time that the provider does not send', {}],
  ])('with forced re-authentication is rejected when the provider asked %s', async (_when, claims) => {
    await expect(exchange(claims, random(), 300)).rejects.toMatchObject({ status: 401, code: 'no_access' });
  });
});
