/** @jest-environment node */
import { decodeJwt } from 'jose';
import { microsoftClientId, microsoftTenantId } from '../../local/providers/registration';
import { authorizationRequest, browserOn, codeFor, signInAt } from '../local/support/providerFlow';
import { startProviders, type RunningProviders } from '../local/support/startProviders';
import { queryOf, type ProviderBrowser } from '../local/support/providerBrowser';
import { aString } from './support/matchers';
import { app, codeOfApp, identityRefused, outcome, sms } from './support/secondStep';
import { account, startTestService, text, type Answer, type TestService } from './support/testService';

jest.setTimeout(180_000);

type Method = 'google' | 'microsoft';
const methods: readonly Method[] = ['google', 'microsoft'];
const gina = 'gina@payments.example';
const alma = 'alma@payments.example';
const configuration = { tenantId: microsoftTenantId, clientId: microsoftClientId };
const person = (email: string, changes: Parameters<typeof account>[0] = {}) =>
  account({
    username: email,
    email,
    password: null,
    methods: [{ method: 'google' }, { method: 'microsoft', configuration }],
    ...changes,
  });

describe('who signs in with a provider', () => {
  let providers: RunningProviders;
  let world: TestService;
  let clockAhead = 0;

  beforeAll(async () => {
    providers = await startProviders();
    world = await startTestService({
      database: { folder: null },
      // The providers go by the real time; a test may let the service's run ahead.
      now: () => Date.now() + clockAhead,
      providers: providers.options,
    });
  });
  afterAll(async () => {
    await world.close();
    await providers.close();
  });
  beforeEach(async () => {
    clockAhead = 0;
    providers.behaviours.reset();
    await world.service.directory.resetAll();
    await world.service.directory.upsertAccount(person(gina));
    await world.service.directory.upsertAccount(person(alma));
  });

  interface Proof {
    readonly code: string;
    readonly codeVerifier?: string;
  }
  const proofFor = async (
    method: Method,
    email = gina,
    prompt: Record<string, string> = {},
  ): Promise<Proof> => {
    const { code, codeVerifier } = await codeFor(method, providers.port, email, prompt);
    return method === 'microsoft' ? { code, codeVerifier } : { code };
  };
  const token = (method: Method, body: object): Promise<Answer> =>
    world.post('/auth/v1/token', { username: gina, method, ...body });

  describe('and has a second factor', () => {
    it.each(methods)(
      '%s: enters the code of an app; the code of the provider comes along, used',
      async (method) => {
        await world.service.directory.upsertAccount(person(gina, { mfa: app }));
        const proof = await proofFor(method);
        const challenge = await token(method, proof);
        const authVerificationToken = text(challenge, 'authVerificationToken');
        // A second exchange would reach the provider, and fail.
        providers.behaviours.change({ provider: method, trouble: 'down' });
        const now = { now: Date.now };
        const mfaCode = await codeOfApp({ ...world, ...now });
        const answer = await token(method, { ...proof, authVerificationToken, mfaCode, trust: true });
        expect(answer.body).toEqual({ token: aString, refresh: aString, trustedToken: aString });
        expect(decodeJwt(text(answer, 'token'))).toMatchObject({ username: gina, method: 'other' });

        providers.behaviours.reset();
        const trustedJWT = text(answer, 'trustedToken');
        const again = await token(method, { ...(await proofFor(method)), trustedJWT });
        expect(Object.keys(again.body).sort()).toEqual(['refresh', 'token']);
      },
    );

    it.each(methods)('%s: enters the code of a text message, and may ask for another', async (method) => {
      await world.service.directory.upsertAccount(person(gina, { mfa: sms }));
      const proof = await proofFor(method);
      const challenge = await token(method, proof);
      const authVerificationToken = text(challenge, 'authVerificationToken');
      const before = world.outbox.texts().length;
      const resent = await token(method, { ...proof, authVerificationToken });
      expect([resent.body, world.outbox.texts().length]).toEqual([challenge.body, before + 1]);
      const answer = await token(method, {
        ...proof,
        authVerificationToken,
        mfaCode: world.outbox.newestCode(),
      });
      expect(Object.keys(answer.body).sort()).toEqual(['refresh', 'token']);
    });

    it('cannot enter it as if another provider had been asked', async () => {
      await world.service.directory.upsertAccount(person(gina, { mfa: sms }));
      const challenge = await token('google', await proofFor('google'));
      const answer = await token('microsoft', {
        authVerificationToken: text(challenge, 'authVerificationToken'),
        mfaCode: world.outbox.newestCode(),
      });
      expect([answer.status, answer.body['error']]).toEqual([
        401,
        { message: aString, code: 'invalid_verification' },
      ]);
    });
  });

  describe('and verifies the identity', () => {
    const signIn = async (method: Method): Promise<string> =>
      text(await token(method, await proofFor(method)), 'token');
    const validate = (bearer: string, body: unknown): Promise<Answer> =>
      world.post('/auth/v1/validate-password', body, { bearer });
    /** A provider tells when it asked for the credentials only if it is asked to. */
    const forced = { prompt: 'login', max_age: '0' };

    it.each(methods)(
      '%s: is asked by the provider again, and may then turn the second factor off',
      async (method) => {
        const bearer = await signIn(method);
        await world.service.directory.upsertAccount(person(gina, { mfa: sms }));
        const answer = await validate(bearer, await proofFor(method, gina, forced));
        expect(outcome(answer)).toEqual([200, { authVerificationToken: aString }]);
        const disable = { authVerificationToken: text(answer, 'authVerificationToken') };
        expect((await world.post('/mfa/v1/disable', disable, { bearer })).status).toBe(200);
        expect(await world.service.directory.findAccount(gina)).toMatchObject({ mfa: null });
      },
    );

    it.each(methods)('%s: is refused when the provider asked a while ago', async (method) => {
      const bearer = await signIn(method);
      const browser = browserOn(providers.port);
      await signInAt(browser, authorizationRequest(method, providers.port, forced).address, gina);
      const proof = await silentProof(method, browser);
      clockAhead = 200_000;
      expect(outcome(await validate(bearer, proof))).toEqual([401, identityRefused]);
      expect(
        world.log
          .entries()
          .filter(({ level }) => level === 'warn')
          .at(-1)?.fields,
      ).toEqual({
        provider: method,
        reason: 'the person was not asked again',
      });
    });

    it.each(methods)('%s: is refused as another person', async (method) => {
      const bearer = await signIn(method);
      expect(outcome(await validate(bearer, await proofFor(method, alma, forced)))).toEqual([
        401,
        identityRefused,
      ]);
    });

    it('is refused with the code that signed them in, and with one that was used to verify', async () => {
      const used = await proofFor('google', gina, forced);
      const bearer = text(await token('google', used), 'token');
      expect(outcome(await validate(bearer, used))).toEqual([401, identityRefused]);
      const fresh = await proofFor('google', gina, forced);
      const answers = await Promise.all([validate(bearer, fresh), validate(bearer, fresh)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    });

    it.each([
      ['google', 'microsoft'],
      ['microsoft', 'google'],
    ] as const)(
      'having signed in with %s, may be asked by %s, which the account offers too',
      async (signedInWith, askedBy) => {
        const bearer = await signIn(signedInWith);
        const proof = await proofFor(askedBy, gina, forced);
        expect(outcome(await validate(bearer, proof))).toEqual([200, { authVerificationToken: aString }]);
        const stranger = await proofFor(askedBy, alma, forced);
        expect(outcome(await validate(bearer, stranger))).toEqual([401, identityRefused]);
      },
    );

    it('is refused with a password, right or not, and by a provider that the account does not offer', async () => {
      const methods = [{ method: 'basic' }, { method: 'google' }] as const;
      await world.service.directory.upsertAccount(person(gina, { password: 'Correct-horse7', methods }));
      const bearer = await signIn('google');
      expect(outcome(await validate(bearer, { password: 'Correct-horse7' }))).toEqual([401, identityRefused]);
      const proof = await proofFor('microsoft', gina, forced);
      expect(outcome(await validate(bearer, proof))).toEqual([401, identityRefused]);
    });

    it('is told when the provider is down: that is nobody’s identity refused', async () => {
      const bearer = await signIn('google');
      const proof = await proofFor('google', gina, forced);
      providers.behaviours.change({ provider: 'google', trouble: 'down' });
      expect((await validate(bearer, proof)).status).toBe(502);
    });

    /** A code for somebody who is signed in at the provider and is not asked again. */
    async function silentProof(method: Method, browser: ProviderBrowser): Promise<Proof> {
      const changes = { prompt: 'none', max_age: '3600' };
      const { address, codeVerifier } = authorizationRequest(method, providers.port, changes);
      const { code = '' } = queryOf(await browser.go(address));
      return method === 'microsoft' ? { code, codeVerifier } : { code };
    }
  });
});
