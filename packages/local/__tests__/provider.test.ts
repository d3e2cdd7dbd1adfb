/** @jest-environment node */
import fc from 'fast-check';
import { decodeJwt } from 'jose';
import { microsoftClientId, microsoftTenantId } from '../src/registration.ts';
import { type ProviderBrowser, queryOf } from './support/providerBrowser.ts';
import { authorizationRequest, browserOn, codeFor, random, signInAt } from './support/providerFlow.ts';
import { type RunningProviders, startProviders } from './support/startProviders.ts';
import { examples } from '@vestibule/contract/testing/examples';
import { bothDatabases } from '@vestibule/service/testing/bothDatabases';
import { aString, aStringLike } from '@vestibule/service/testing/matchers';
import { app, codeOfApp, identityRefused, outcome, sms } from '@vestibule/service/testing/secondStep';
import {
  account,
  type TestResponse,
  startTestService,
  type TestService,
  text,
} from '@vestibule/service/testing/testService';
import { anyCharacter } from '@vestibule/contract/testing/anyCharacter';

jest.setTimeout(180_000);

describe('provider', () => {
  const user = 'ada@payments.example';
  const otherUser = 'several@payments.example';
  const configuration = { tenantId: microsoftTenantId, clientId: microsoftClientId };
  const bothMethods = [{ method: 'google' }, { method: 'microsoft', configuration }] as const;
  const person = (email: string, changes: Parameters<typeof account>[0] = {}) =>
    account({ username: email, email, password: null, methods: bothMethods, ...changes });

  const noAccess = [401, { error: { message: 'Your account has no access', code: 'no_access' } }];

  describe.each(bothDatabases)('signing in with a provider, on $name', ({ open }) => {
    let providers: RunningProviders;
    let environment: TestService;

    beforeAll(async () => {
      providers = await startProviders();
      environment = await startTestService({
        database: await open(),
        now: Date.now,
        providers: providers.options,
      });
    });
    afterAll(async () => {
      await environment.close();
      await providers.close();
    });
    beforeEach(async () => {
      providers.behaviours.reset();
      await environment.service.directory.resetAll();
      await environment.service.directory.upsertAccount(person(user));
      await environment.service.directory.upsertAccount(person(otherUser));
    });

    type Method = 'google' | 'microsoft';
    const exchange = (
      method: Method,
      { code, codeVerifier }: { code: string; codeVerifier: string },
      { username = user, ...more }: { username?: string; trustedJWT?: string } = {},
    ): Promise<TestResponse> =>
      environment.post('/auth/v1/token', {
        username,
        method,
        code,
        ...(method === 'microsoft' ? { codeVerifier } : {}),
        ...more,
      });
    const outcome = async (response: Promise<TestResponse>): Promise<unknown> => {
      const { status, body } = await response;
      return [status, body];
    };

    it.each<Method>(['google', 'microsoft'])('%s: starts a session of the account', async (method) => {
      const response = await exchange(method, await codeFor(method, providers.port, user));
      expect([response.status, Object.keys(response.body).sort()]).toEqual([200, ['refresh', 'token']]);
      expect(decodeJwt(text(response, 'token'))).toMatchObject({
        username: user,
        email: user,
        method: 'other',
      });
      const refreshed = await environment.post('/auth/v1/refresh', { refresh: text(response, 'refresh') });
      expect(decodeJwt(text(refreshed, 'token'))).toMatchObject({ method: 'other' });
    });

    it('accepts an identity of another provider after the signed-in owner verified with it', async () => {
      const atMicrosoft = () => codeFor('microsoft', providers.port, user, { prompt: 'login' });
      const session = await exchange('google', await codeFor('google', providers.port, user));
      expect(await outcome(exchange('microsoft', await atMicrosoft()))).toEqual(noAccess);
      expect(environment.log.text()).toContain('bound to an identity of another provider');
      const bearer = text(session, 'token');
      expect(
        (await environment.post('/auth/v1/validate-password', await atMicrosoft(), { bearer })).status,
      ).toBe(200);
      expect((await exchange('microsoft', await atMicrosoft())).status).toBe(200);
    });

    describe('rejects, with the same text,', () => {
      it.each<Method>(['google', 'microsoft'])('%s: an unverified e-mail address', async (method) => {
        const unverified = 'unverified@payments.example';
        await environment.service.directory.upsertAccount(person(unverified));
        const code = await codeFor(method, providers.port, unverified);
        expect(await outcome(exchange(method, code, { username: unverified }))).toEqual(noAccess);
      });

      it('a user without an account', async () => {
        const username = 'without-account@elsewhere.example';
        const code = await codeFor('google', providers.port, username);
        expect(await outcome(exchange('google', code, { username }))).toEqual(noAccess);
      });

      it('a provider that the account does not offer, without calling it', async () => {
        await environment.service.directory.upsertAccount(person(user, { methods: [{ method: 'google' }] }));
        providers.behaviours.change({ provider: 'microsoft', trouble: 'down' });
        const code = { code: 'c', codeVerifier: random() };
        expect(await outcome(exchange('microsoft', code))).toEqual(noAccess);
      });

      it('the verifier of another flow, and after that the right one too', async () => {
        const { code, codeVerifier } = await codeFor('microsoft', providers.port, user);
        expect(await outcome(exchange('microsoft', { code, codeVerifier: random() }))).toEqual(noAccess);
        expect(await outcome(exchange('microsoft', { code, codeVerifier }))).toEqual(noAccess);
      });

      it('a code of the other provider', async () => {
        const code = await codeFor('google', providers.port, user);
        expect(await outcome(exchange('microsoft', code))).toEqual(noAccess);
      });

      it('a nonce from an earlier flow, and a Microsoft-type flow without one', async () => {
        const nonce = random();
        const flow = (value: string | null) => codeFor('microsoft', providers.port, user, { nonce: value });
        expect((await exchange('microsoft', await flow(nonce))).status).toBe(200);
        expect(await outcome(exchange('microsoft', await flow(nonce)))).toEqual(noAccess);
        expect(await outcome(exchange('microsoft', await flow(null)))).toEqual(noAccess);
        expect(await outcome(exchange('microsoft', await flow('short')))).toEqual(noAccess);
      });
    });

    it('requires the contract’s verifier for a Microsoft-type sign-in', async () => {
      const { code } = await codeFor('microsoft', providers.port, user);
      const response = await environment.post('/auth/v1/token', {
        username: user,
        method: 'microsoft',
        code,
      });
      expect([response.status, response.body]).toMatchObject([400, { error: { code: 'invalid_request' } }]);
      expect(environment.log.entries()).toContainEqual({
        level: 'info',
        event: 'request refused',
        fields: { call: 'POST /auth/v1/token', status: 400, reason: aStringLike(/codeVerifier/) },
      });
    });

    it('accepts a code once, also for concurrent requests', async () => {
      const code = await codeFor('google', providers.port, user);
      const responses = await Promise.all([exchange('google', code), exchange('google', code)]);
      expect(responses.map(({ status }) => status).sort()).toEqual([200, 401]);
      // Rejected by the service itself: a provider that receives a used code again revokes its tokens.
      providers.behaviours.change({ provider: 'google', trouble: 'down' });
      expect(await outcome(exchange('google', code))).toEqual(noAccess);
    });

    it('does not count failures for the password lockout, and is not locked by it', async () => {
      await environment.service.directory.upsertAccount(
        person(user, { password: 'Correct-horse7', methods: [...bothMethods, { method: 'basic' }] }),
      );
      for (let tries = 0; tries < 6; tries += 1) {
        await exchange('google', { code: `made-up-${tries}`, codeVerifier: random() });
      }
      const password = { username: user, method: 'basic', password: 'Correct-horse7' };
      expect((await environment.post('/auth/v1/token', password)).status).toBe(200);
      await environment.service.directory.lock(user);
      const code = await codeFor('google', providers.port, user);
      expect((await exchange('google', code)).status).toBe(200);
    });

    it('works for a user with a session at the provider', async () => {
      const browser = browserOn(providers.port);
      await signInAt(browser, authorizationRequest('microsoft', providers.port).address, user);
      const { address, codeVerifier } = authorizationRequest('microsoft', providers.port);
      const { code = '' } = queryOf(await browser.go(address));
      expect((await exchange('microsoft', { code, codeVerifier })).status).toBe(200);
    });

    it('reports that a provider is unavailable, and works again afterwards', async () => {
      const code = await codeFor('google', providers.port, user);
      providers.behaviours.change({ provider: 'google', trouble: 'down' });
      expect(await outcome(exchange('google', code))).toEqual([
        502,
        {
          error: {
            message: 'The sign-in provider could not be reached. Please try again.',
            code: 'unavailable',
          },
        },
      ]);
      providers.behaviours.reset();
      expect((await exchange('google', await codeFor('google', providers.port, user))).status).toBe(200);
    });

    it('an invented code is never reported as a fault of the service or the provider', async () => {
      const codes = fc.oneof(
        fc.string({ minLength: 1, maxLength: 300, unit: anyCharacter }),
        fc.webPath(),
        fc.base64String(),
      );
      await fc.assert(
        fc.asyncProperty(codes, fc.constantFrom<Method>('google', 'microsoft'), async (code, method) => {
          const { status } = await exchange(method, { code, codeVerifier: random() });
          // 400: characters that the contract does not allow.
          expect([400, 401]).toContain(status);
        }),
        { numRuns: examples(1000) },
      );
    });

    it('never logs a code, a verifier, an address or a token', async () => {
      const good = await codeFor('microsoft', providers.port, user);
      await exchange('microsoft', good);
      const other = await codeFor('google', providers.port, otherUser);
      await exchange('google', other);
      const log = environment.log.text();
      expect(log).toContain('another person');
      for (const secret of [good.code, good.codeVerifier, other.code, user, otherUser, 'eyJ']) {
        expect(log).not.toContain(secret);
      }
    });
  });

  describe('a provider that does not respond', () => {
    it('is waited for for 7 s: nginx asks another process after 8 s, and a code counts once', async () => {
      const timeout = jest.spyOn(AbortSignal, 'timeout');
      const providers = await startProviders();
      const environment = await startTestService({
        database: { folder: null },
        now: Date.now,
        providers: providers.options,
      });
      await environment.service.directory.upsertAccount(person(user));
      await environment.post('/auth/v1/token', { username: user, method: 'google', code: 'c' });
      expect(timeout).toHaveBeenCalledWith(7_000);
      timeout.mockRestore();
      await environment.close();
      await providers.close();
    });

    it('times out, and the caller gets an error', async () => {
      const providers = await startProviders();
      const environment = await startTestService({
        database: { folder: null },
        now: Date.now,
        providers: { ...providers.options, timeoutSeconds: 1 },
      });
      try {
        await environment.service.directory.upsertAccount(person(user));
        providers.behaviours.change({ provider: 'google', trouble: 'hang' });
        const body = { username: user, method: 'google', code: 'c' };
        const response = await environment.post('/auth/v1/token', body);
        expect([response.status, response.body]).toEqual([
          504,
          {
            error: {
              message: 'The sign-in provider did not answer in time. Please try again.',
              code: 'unavailable',
            },
          },
        ]);
      } finally {
        await environment.close();
        await providers.close();
      }
    });
  });
});

describe('a user who signs in with a provider', () => {
  type Method = 'google' | 'microsoft';
  const methods: readonly Method[] = ['google', 'microsoft'];
  const user = 'ada@payments.example';
  const otherUser = 'several@payments.example';
  const configuration = { tenantId: microsoftTenantId, clientId: microsoftClientId };
  const person = (email: string, changes: Parameters<typeof account>[0] = {}) =>
    account({
      username: email,
      email,
      password: null,
      methods: [{ method: 'google' }, { method: 'microsoft', configuration }],
      ...changes,
    });
  let providers: RunningProviders;
  let environment: TestService;
  let clockAhead = 0;

  beforeAll(async () => {
    providers = await startProviders();
    environment = await startTestService({
      database: { folder: null },
      // The providers use the real time; a test may move the service's ahead.
      now: () => Date.now() + clockAhead,
      providers: providers.options,
    });
  });
  afterAll(async () => {
    await environment.close();
    await providers.close();
  });
  beforeEach(async () => {
    clockAhead = 0;
    providers.behaviours.reset();
    await environment.service.directory.resetAll();
    await environment.service.directory.upsertAccount(person(user));
    await environment.service.directory.upsertAccount(person(otherUser));
  });

  interface Proof {
    readonly code: string;
    readonly codeVerifier?: string;
  }
  const proofFor = async (
    method: Method,
    email = user,
    prompt: Record<string, string> = {},
  ): Promise<Proof> => {
    const { code, codeVerifier } = await codeFor(method, providers.port, email, prompt);
    return method === 'microsoft' ? { code, codeVerifier } : { code };
  };
  const token = (method: Method, body: object): Promise<TestResponse> =>
    environment.post('/auth/v1/token', { username: user, method, ...body });

  describe('and has a second factor', () => {
    it.each(methods)('%s: enters the code of an app, with the used code of the provider', async (method) => {
      await environment.service.directory.upsertAccount(person(user, { mfa: app }));
      const proof = await proofFor(method);
      const challenge = await token(method, proof);
      const authVerificationToken = text(challenge, 'authVerificationToken');
      // A second exchange would reach the provider, and fail.
      providers.behaviours.change({ provider: method, trouble: 'down' });
      const now = { now: Date.now };
      const mfaCode = await codeOfApp({ ...environment, ...now });
      const response = await token(method, { ...proof, authVerificationToken, mfaCode, trust: true });
      expect(response.body).toEqual({ token: aString, refresh: aString, trustedToken: aString });
      expect(decodeJwt(text(response, 'token'))).toMatchObject({ username: user, method: 'other' });

      providers.behaviours.reset();
      const trustedJWT = text(response, 'trustedToken');
      const again = await token(method, { ...(await proofFor(method)), trustedJWT });
      expect(Object.keys(again.body).sort()).toEqual(['refresh', 'token']);
    });

    it.each(methods)('%s: enters the code of a text message, and can request another', async (method) => {
      await environment.service.directory.upsertAccount(person(user, { mfa: sms }));
      const proof = await proofFor(method);
      const challenge = await token(method, proof);
      const authVerificationToken = text(challenge, 'authVerificationToken');
      const before = environment.outbox.texts().length;
      const resent = await token(method, { ...proof, authVerificationToken });
      expect([resent.body, environment.outbox.texts().length]).toEqual([challenge.body, before + 1]);
      const response = await token(method, {
        ...proof,
        authVerificationToken,
        mfaCode: environment.outbox.newestCode(),
      });
      expect(Object.keys(response.body).sort()).toEqual(['refresh', 'token']);
    });
  });

  describe('and verifies the identity', () => {
    const signIn = async (method: Method): Promise<string> =>
      text(await token(method, await proofFor(method)), 'token');
    const validate = (bearer: string, body: unknown): Promise<TestResponse> =>
      environment.post('/auth/v1/validate-password', body, { bearer });
    /** A provider sends the time of the authentication only on request. */
    const forced = { prompt: 'login', max_age: '0' };

    it.each(methods)(
      '%s: must authenticate there again, and can then turn the second factor off',
      async (method) => {
        const bearer = await signIn(method);
        await environment.service.directory.upsertAccount(person(user, { mfa: sms }));
        const response = await validate(bearer, await proofFor(method, user, forced));
        expect(outcome(response)).toEqual([200, { authVerificationToken: aString }]);
        const disable = { authVerificationToken: text(response, 'authVerificationToken') };
        expect((await environment.post('/mfa/v1/disable', disable, { bearer })).status).toBe(200);
        expect(await environment.service.directory.findAccount(user)).toMatchObject({ mfa: null });
      },
    );

    it.each(methods)('%s: is rejected when the provider’s authentication is too old', async (method) => {
      const bearer = await signIn(method);
      const browser = browserOn(providers.port);
      await signInAt(browser, authorizationRequest(method, providers.port, forced).address, user);
      const proof = await silentProof(method, browser);
      clockAhead = 200_000;
      expect(outcome(await validate(bearer, proof))).toEqual([401, identityRefused]);
      expect(
        environment.log
          .entries()
          .filter(({ level }) => level === 'warn')
          .at(-1)?.fields,
      ).toEqual({
        provider: method,
        reason: 'the person was not asked again',
      });
    });

    it('is rejected with the code of the sign-in, and with one used to verify', async () => {
      const used = await proofFor('google', user, forced);
      const bearer = text(await token('google', used), 'token');
      expect(outcome(await validate(bearer, used))).toEqual([401, identityRefused]);
      const fresh = await proofFor('google', user, forced);
      const responses = await Promise.all([validate(bearer, fresh), validate(bearer, fresh)]);
      expect(responses.map(({ status }) => status).sort()).toEqual([200, 401]);
    });

    it.each([
      ['google', 'microsoft'],
      ['microsoft', 'google'],
    ] as const)(
      'having signed in with %s, can verify with %s, which the account offers too',
      async (signedInWith, askedBy) => {
        const bearer = await signIn(signedInWith);
        const proof = await proofFor(askedBy, user, forced);
        expect(outcome(await validate(bearer, proof))).toEqual([200, { authVerificationToken: aString }]);
        const ofOtherUser = await proofFor(askedBy, otherUser, forced);
        expect(outcome(await validate(bearer, ofOtherUser))).toEqual([401, identityRefused]);
      },
    );

    it('is rejected with a password, right or not, and with a provider that the account does not offer', async () => {
      const methods = [{ method: 'basic' }, { method: 'google' }] as const;
      await environment.service.directory.upsertAccount(
        person(user, { password: 'Correct-horse7', methods }),
      );
      const bearer = await signIn('google');
      expect(outcome(await validate(bearer, { password: 'Correct-horse7' }))).toEqual([401, identityRefused]);
      const proof = await proofFor('microsoft', user, forced);
      expect(outcome(await validate(bearer, proof))).toEqual([401, identityRefused]);
    });

    /** A code for a user with a session at the provider, who is not asked again. */
    async function silentProof(method: Method, browser: ProviderBrowser): Promise<Proof> {
      const changes = { prompt: 'none', max_age: '3600' };
      const { address, codeVerifier } = authorizationRequest(method, providers.port, changes);
      const { code = '' } = queryOf(await browser.go(address));
      return method === 'microsoft' ? { code, codeVerifier } : { code };
    }
  });
});
