import fc from 'fast-check';
import { decodeJwt } from 'jose';
import { examples } from '@vestibule/contract/testing/examples';
import { aString, aStringLike } from '@vestibule/service/testing/matchers';
import { app, identityRefused, noAccess, outcome, sms } from '@vestibule/service/testing/secondStep';
import {
  type TestResponse,
  startTestService,
  type TestService,
  text,
} from '@vestibule/service/testing/testService';
import { anyCharacter } from '@vestibule/contract/testing/anyCharacter';
import { microsoftClientId, microsoftTenantId } from '../src/registration.ts';
import { queryOf } from './support/providerBrowser.ts';
import { authorizationRequest, browserOn, codeFor, random, signInAt } from './support/providerFlow.ts';
import { type RunningProviders, startProviders } from './support/startProviders.ts';

type Method = 'google' | 'microsoft';

describe('a user who signs in with a provider', () => {
  const methods: readonly Method[] = ['google', 'microsoft'];
  const user = 'ada@payments.example';
  const otherUser = 'several@payments.example';
  const configuration = { tenantId: microsoftTenantId, clientId: microsoftClientId };
  const offered = [{ method: 'google' }, { method: 'microsoft', configuration }] as const;

  let providers: RunningProviders;
  let service: TestService;
  let clockAhead = 0;

  beforeAll(async () => {
    providers = await startProviders();
    // The providers use the real time; a test may move the service's ahead.
    service = await startTestService({ now: () => Date.now() + clockAhead, providers: providers.options });
  });
  afterAll(async () => {
    await service.close();
    await providers.close();
  });
  beforeEach(async () => {
    clockAhead = 0;
    providers.behaviours.reset();
    await service.directory.resetAll();
    await write();
    await write({}, otherUser);
  });

  const write = (changes: Parameters<TestService['write']>[0] = {}, email = user) =>
    service.write({ username: email, email, password: null, methods: offered, ...changes });
  const proofFor = async (method: Method, email = user, changes: Record<string, string | null> = {}) => {
    const { code, codeVerifier } = await codeFor(method, providers.port, email, changes);
    return method === 'microsoft' ? { code, codeVerifier } : { code };
  };
  const token = (method: Method, body: object, username = user): Promise<TestResponse> =>
    service.post('/auth/v1/token', { username, method, ...body });
  const refusal = [401, noAccess];
  const expectRefused = async (...sent: Parameters<typeof token>): Promise<void> => {
    expect(outcome(await token(...sent))).toEqual(refusal);
  };
  const isSession = ({ body }: TestResponse): boolean => Object.keys(body).sort().join() === 'refresh,token';

  it.each(methods)('%s: starts a session of the account', async (method) => {
    const response = await token(method, await proofFor(method));
    expect(isSession(response)).toBe(true);
    const claims = { username: user, email: user, method: 'other' };
    expect(decodeJwt(text(response, 'token'))).toMatchObject(claims);
    const refreshed = await service.refresh(text(response, 'refresh'));
    expect(decodeJwt(text(refreshed, 'token'))).toMatchObject({ method: 'other' });
  });

  it('accepts an identity of another provider after the signed-in owner verified with it', async () => {
    const atMicrosoft = () => proofFor('microsoft', user, { prompt: 'login' });
    const session = await token('google', await proofFor('google'));
    await expectRefused('microsoft', await atMicrosoft());
    expect(service.log.text()).toContain('bound to an identity of another provider');
    const bearer = text(session, 'token');
    const verified = await service.post('/auth/v1/validate-password', await atMicrosoft(), { bearer });
    expect(verified.status).toBe(200);
    expect((await token('microsoft', await atMicrosoft())).status).toBe(200);
  });

  describe('is rejected, with the same text,', () => {
    it.each(methods)('%s: with an unverified e-mail address', async (method) => {
      const unverified = 'unverified@payments.example';
      await write({}, unverified);
      await expectRefused(method, await proofFor(method, unverified), unverified);
    });

    it('without an account', async () => {
      const username = 'without-account@elsewhere.example';
      await expectRefused('google', await proofFor('google', username), username);
    });

    it('with a provider that the account does not offer, without calling it', async () => {
      await write({ methods: [{ method: 'google' }] });
      providers.behaviours.change({ provider: 'microsoft', trouble: 'down' });
      await expectRefused('microsoft', { code: 'c', codeVerifier: random() });
    });

    it('with the verifier of another flow, and after that with the right one too', async () => {
      const proof = await proofFor('microsoft');
      await expectRefused('microsoft', { ...proof, codeVerifier: random() });
      await expectRefused('microsoft', proof);
    });

    it('with a nonce from an earlier flow, and without one in a Microsoft-type flow', async () => {
      const nonce = random();
      const flow = (value: string | null) => proofFor('microsoft', user, { nonce: value });
      expect((await token('microsoft', await flow(nonce))).status).toBe(200);
      for (const bad of [nonce, null, 'short']) await expectRefused('microsoft', await flow(bad));
    });
  });

  it('needs the contract’s verifier for a Microsoft-type sign-in', async () => {
    const { code } = await proofFor('microsoft');
    const response = await token('microsoft', { code });
    expect(outcome(response)).toMatchObject([400, { error: { code: 'invalid_request' } }]);
    expect(service.log.entries()).toContainEqual({
      level: 'info',
      event: 'request refused',
      fields: {
        call: 'POST /auth/v1/token',
        id: aStringLike(/^[0-9a-f-]+$/),
        status: 400,
        reason: aStringLike(/codeVerifier/),
      },
    });
  });

  it('uses a code once, also for concurrent requests', async () => {
    const proof = await proofFor('google');
    const responses = await Promise.all([token('google', proof), token('google', proof)]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 401]);
    // Rejected by the service itself: a provider that receives a used code again revokes its tokens.
    providers.behaviours.change({ provider: 'google', trouble: 'down' });
    await expectRefused('google', proof);
  });

  it('counts no failure for the password lockout, and is not locked by it', async () => {
    await write({ password: 'Correct-horse7', methods: [...offered, { method: 'basic' }] });
    for (let tries = 0; tries < 6; tries += 1) await token('google', { code: `made-up-${tries}` });
    expect((await service.signIn({ username: user })).status).toBe(200);
    await service.directory.accounts.lock(user);
    expect((await token('google', await proofFor('google'))).status).toBe(200);
  });

  it('waits 1 s for a provider where the deployment configures it, and otherwise 7 s: nginx asks another process after 8 s, and a code counts once', async () => {
    const timeout = jest.spyOn(AbortSignal, 'timeout');
    await token('google', { code: 'c' });
    expect(timeout).toHaveBeenCalledWith(7_000);
    timeout.mockRestore();
    const hasty = await startTestService({ providers: { ...providers.options, timeoutSeconds: 1 } });
    await hasty.write({ username: user, methods: offered });
    providers.behaviours.change({ provider: 'google', trouble: 'hang' });
    const message = 'The sign-in provider did not answer in time. Please try again.';
    const late = await hasty.post('/auth/v1/token', { username: user, method: 'google', code: 'c' });
    await hasty.close();
    expect(outcome(late)).toEqual([504, { error: { message, code: 'unavailable' } }]);
  });

  it('never gets an error of the service or the provider after an invented code', async () => {
    const codes = fc.oneof(
      fc.string({ minLength: 1, maxLength: 300, unit: anyCharacter }),
      fc.webPath(),
      fc.base64String(),
    );
    await fc.assert(
      fc.asyncProperty(codes, fc.constantFrom(...methods), async (code, method) => {
        const { status } = await token(method, { code, codeVerifier: random() });
        // 400: characters that the contract does not allow.
        expect([400, 401]).toContain(status);
      }),
      { numRuns: examples(1000) },
    );
  });

  it('leaves no code, verifier, address or token in the log, nor does another person, who is rejected', async () => {
    const good = await codeFor('microsoft', providers.port, user);
    await token('microsoft', good);
    const other = await proofFor('google', otherUser);
    await expectRefused('google', other);
    const log = service.log.text();
    expect(log).toContain('another person');
    for (const secret of [good.code, good.codeVerifier, other.code, user, otherUser, 'eyJ']) {
      expect(log).not.toContain(secret);
    }
  });

  describe('and has a second factor', () => {
    it.each(methods)('%s: enters the code of an app, with the used code of the provider', async (method) => {
      await write({ mfa: app });
      const proof = await proofFor(method);
      const authVerificationToken = text(await token(method, proof), 'authVerificationToken');
      // A second exchange would reach the provider, and fail.
      providers.behaviours.change({ provider: method, trouble: 'down' });
      const mfaCode = await service.codeOfApp();
      const response = await token(method, { ...proof, authVerificationToken, mfaCode, trust: true });
      expect(response.body).toEqual({ token: aString, refresh: aString, trustedToken: aString });
      expect(decodeJwt(text(response, 'token'))).toMatchObject({ username: user, method: 'other' });

      providers.behaviours.reset();
      const trustedJWT = text(response, 'trustedToken');
      expect(isSession(await token(method, { ...(await proofFor(method)), trustedJWT }))).toBe(true);
    });

    it.each(methods)('%s: enters the code of a text message, and can request another', async (method) => {
      await write({ mfa: sms });
      const proof = await proofFor(method);
      const challenge = await token(method, proof);
      const authVerificationToken = text(challenge, 'authVerificationToken');
      const before = service.outbox.texts().length;
      const resent = await token(method, { ...proof, authVerificationToken });
      expect([resent.body, service.outbox.texts().length]).toEqual([challenge.body, before + 1]);
      const mfaCode = service.outbox.newestCode();
      expect(isSession(await token(method, { ...proof, authVerificationToken, mfaCode }))).toBe(true);
    });
  });

  describe('and verifies the identity', () => {
    const signIn = async (method: Method) => text(await token(method, await proofFor(method)), 'token');
    const validate = (bearer: string, body: unknown): Promise<TestResponse> =>
      service.post('/auth/v1/validate-password', body, { bearer });
    /** A provider sends the time of the authentication only on request. */
    const forced = { prompt: 'login', max_age: '0' };

    it.each(methods)(
      '%s: must authenticate there again, and can then turn the second factor off',
      async (method) => {
        const bearer = await signIn(method);
        await write({ mfa: sms });
        const response = await validate(bearer, await proofFor(method, user, forced));
        expect(outcome(response)).toEqual([200, { authVerificationToken: aString }]);
        const disable = { authVerificationToken: text(response, 'authVerificationToken') };
        expect((await service.post('/mfa/v1/disable', disable, { bearer })).status).toBe(200);
        expect(await service.directory.accounts.find(user)).toMatchObject({ mfa: null });
      },
    );

    it.each(methods)('%s: is rejected when the provider’s authentication is too old', async (method) => {
      const bearer = await signIn(method);
      const browser = browserOn(providers.port);
      await signInAt(browser, authorizationRequest(method, providers.port, forced).address, user);
      // The session at the provider answers: the user is not asked again.
      const silent = { prompt: 'none', max_age: '3600' };
      const { address, codeVerifier } = authorizationRequest(method, providers.port, silent);
      const { code = '' } = queryOf(await browser.go(address));
      clockAhead = 200_000;
      const proof = method === 'microsoft' ? { code, codeVerifier } : { code };
      expect(outcome(await validate(bearer, proof))).toEqual([401, identityRefused]);
      const warnings = service.log.entries().filter(({ level }) => level === 'warn');
      expect(warnings.at(-1)?.fields).toEqual({
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
      await write({ password: 'Correct-horse7', methods: [{ method: 'basic' }, { method: 'google' }] });
      const bearer = await signIn('google');
      expect(outcome(await validate(bearer, { password: 'Correct-horse7' }))).toEqual([401, identityRefused]);
      const proof = await proofFor('microsoft', user, forced);
      expect(outcome(await validate(bearer, proof))).toEqual([401, identityRefused]);
    });
  });
});
