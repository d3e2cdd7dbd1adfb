import type { PasskeyCreationOptions } from '@vestibule/contract/schema';
import { setTimeout as pause } from 'node:timers/promises';
import { itWith, optionsOf } from '../support/extensions.ts';
import { passkeyAuthenticator } from '../support/passkeyAuthenticator.ts';
import { newDatabase } from '../support/postgres.ts';
import { random, scriptedProvider } from '../support/scriptedProvider.ts';
import { app, sms } from '../support/secondStep.ts';
import {
  ada,
  describeService,
  loginOrigin,
  startTestService,
  text,
  type TestResponse,
  type TestService,
} from '../support/testService.ts';

const passkeys = { rpId: 'login.payments.localhost', origins: [loginOrigin], parentOrigins: [] };
const device = passkeyAuthenticator(loginOrigin);
/** What browsers make without asking. */
const silent = { isPresent: false, isVerified: false };
const outcome = ({ status, body }: TestResponse) => {
  const { error } = body as { error?: { code?: string } };
  return error?.code === undefined ? status : `${status} ${error.code}`;
};
const refused = '401 invalid_verification';

/** The calls of a page after a sign-in. */
function offerCalls(service: TestService) {
  const start = (bearer: string, body: object) =>
    service.post('/auth/v1/passkeys/add/options', body, { bearer });
  const add = (bearer: string, { challengeToken, publicKey }: PasskeyCreationOptions) => {
    const { key, credential } = device.create(publicKey, silent);
    const answer = service.post('/auth/v1/passkeys/add', { challengeToken, credential }, { bearer });
    return answer.then((response) => ({ key, response }));
  };
  return {
    start,
    add,
    /** Signs in with the password. */
    signIn: async (username = ada) => {
      const response = await service.signIn({ username });
      return { bearer: text(response, 'token'), passkeyOffer: text(response, 'passkeyOffer') };
    },
    /** Begins to add a passkey with an offer. */
    options: async (bearer: string, passkeyOffer: string) => {
      const response = await start(bearer, { passkeyOffer });
      if (response.status !== 200) throw new Error(response.text);
      return response.body as unknown as PasskeyCreationOptions;
    },
    listed: () => service.directory.passkeys.of(ada),
  };
}

describeService(
  'the offer of a passkey',
  (service) => {
    const { start, add, signIn, options, listed } = offerCalls(service);
    const isOffered = ({ body }: TestResponse) => 'passkeyOffer' in body;

    beforeEach(() => service.write());

    it('adds one passkey after a password, without the user’s presence; later uses of it are verified', async () => {
      const { bearer, passkeyOffer } = await signIn();
      const made = await options(bearer, passkeyOffer);
      expect(made.publicKey.authenticatorSelection).toMatchObject({ userVerification: 'preferred' });
      const { key, response } = await add(bearer, made);
      expect(outcome(response)).toBe(200);
      expect(outcome(await start(bearer, { passkeyOffer }))).toBe(refused);
      const signInBy = async (isVerified: boolean) => {
        const { challengeToken, publicKey } = (await service.post('/auth/v1/passkeys/sign-in/options', {}))
          .body as unknown as { challengeToken: string; publicKey: { challenge: string; rpId: string } };
        const credential = device.get(key, publicKey, { isVerified });
        return service.post('/auth/v1/passkeys/sign-in', { challengeToken, credential });
      };
      expect(outcome(await signInBy(false))).toBe('401 passkey_refused');
      expect(Object.keys((await signInBy(true)).body).sort()).toEqual(['refresh', 'token']);
    });

    it('comes with the session after a password and a code, and on a trusted device, but not with the challenge', async () => {
      await service.write({ mfa: app });
      const challenge = await service.signIn();
      expect([challenge.body['mfaRequired'], isOffered(challenge)]).toEqual([true, false]);
      const response = await service.enterCode(
        text(challenge, 'authVerificationToken'),
        await service.codeOfApp(),
        { trust: true },
      );
      await options(text(response, 'token'), text(response, 'passkeyOffer'));
      const trusted = await service.signIn({ trustedJWT: text(response, 'trustedToken') });
      await options(text(trusted, 'token'), text(trusted, 'passkeyOffer'));
    });

    it('does not come in setup mode, with a refresh, or after a link', async () => {
      const refreshed = await service.refresh(text(await service.signIn(), 'refresh'));
      expect([refreshed.status, isOffered(refreshed)]).toEqual([200, false]);
      const { id } = await service.directory.links.magic(ada, 'ledger');
      expect(Object.keys((await service.exchange(id)).body).sort()).toEqual([
        'data',
        'refreshToken',
        'token',
      ]);
      await service.write({ mustSetUpMfa: true });
      const inSetUp = await service.signIn();
      expect(Object.keys(inSetUp.body).sort()).toEqual(['mfaJWT', 'uid']);
    });

    it('is needed: the session token alone adds nothing', async () => {
      const { bearer } = await signIn();
      expect(outcome(await start(bearer, { automatic: true }))).toBe('400 invalid_request');
      expect(outcome(await start(bearer, {}))).toBe('400 invalid_request');
      expect(outcome(await start(bearer, { passkeyOffer: bearer }))).toBe(refused);
      expect(await listed()).toEqual([]);
    });

    it('is of one session: neither another one of the user, nor of another user, nor setup mode can use it', async () => {
      const { bearer, passkeyOffer } = await signIn();
      const grace = { username: 'grace@example.com', email: 'grace@example.com' };
      const others = [(await signIn()).bearer, (await service.signedIn(grace)).bearer];
      for (const other of others) expect(outcome(await start(other, { passkeyOffer }))).toBe(refused);
      await service.write({ mustSetUpMfa: true });
      const setUp = text(await service.signIn(), 'mfaJWT');
      expect(outcome(await start(setUp, { passkeyOffer }))).toBe('401 unauthorized');
      // Those attempts did not use it up. Its challenge is of that session too.
      const made = await options(bearer, passkeyOffer);
      for (const other of others)
        expect(outcome((await add(other, made)).response)).toBe('400 challenge_expired');
      expect(outcome((await add(bearer, made)).response)).toBe(200);
    });

    it('works once, however often it is sent at the same time', async () => {
      const { bearer, passkeyOffer } = await signIn();
      const answers = await Promise.all(Array.from({ length: 5 }, () => start(bearer, { passkeyOffer })));
      expect(answers.map(outcome).sort()).toEqual([200, ...Array<string>(4).fill(refused)]);
    });

    it('works for five minutes from the start of its session, not a second longer', async () => {
      const first = await signIn();
      service.passSeconds(299);
      const { publicKey } = await options(first.bearer, first.passkeyOffer);
      expect(publicKey.timeout).toBe(1000);
      const second = await signIn();
      service.passSeconds(300);
      expect(outcome(await start(second.bearer, { passkeyOffer: second.passkeyOffer }))).toBe(refused);
    });

    it.each([
      [299, 200],
      [300, '400 challenge_expired'],
    ])('its passkey is added after %d s: %s', async (seconds, expected) => {
      const { bearer, passkeyOffer } = await signIn();
      const made = await options(bearer, passkeyOffer);
      expect(made.publicKey.timeout).toBe(300_000);
      service.passSeconds(seconds);
      expect(outcome((await add(bearer, made)).response)).toBe(expected);
      expect(await listed()).toHaveLength(expected === 200 ? 1 : 0);
    });

    it('ends with its session', async () => {
      const { bearer, passkeyOffer } = await signIn();
      const other = await signIn();
      const made = await options(other.bearer, other.passkeyOffer);
      await service.directory.accounts.endSessions(ada);
      expect(outcome(await start(bearer, { passkeyOffer }))).toBe('401 unauthorized');
      expect(outcome((await add(other.bearer, made)).response)).toBe('401 unauthorized');
      const later = await signIn();
      expect(outcome(await start(later.bearer, { passkeyOffer }))).toBe(refused);
      expect(await listed()).toEqual([]);
    });

    it('passes for no other token, and no other token for it', async () => {
      const { bearer, passkeyOffer } = await signIn();
      const { challengeToken, publicKey } = await options(bearer, passkeyOffer);
      const { credential } = device.create(publicKey, silent);
      const asChallenge = await service.post(
        '/auth/v1/passkeys/add',
        { challengeToken: passkeyOffer, credential },
        { bearer },
      );
      expect(outcome(asChallenge)).toBe('400 challenge_expired');
      expect(outcome(await start(passkeyOffer, { authVerificationToken: 'made-up' }))).toBe(
        '401 unauthorized',
      );
      expect(outcome(await start(bearer, { authVerificationToken: passkeyOffer }))).toBe(refused);
      expect(outcome(await service.refresh(passkeyOffer))).toBe('401 invalid_refresh');

      await service.write({ mfa: app });
      expect((await service.signIn({ trustedJWT: passkeyOffer })).body).toMatchObject({ mfaRequired: true });
      const challenge = await service.challenge();
      const { trustedToken, refresh } = (
        await service.enterCode(challenge, await service.codeOfApp(), { trust: true })
      ).body;
      const others = [bearer, challengeToken, await service.verified(bearer), refresh, trustedToken];
      for (const other of others) expect(outcome(await start(bearer, { passkeyOffer: other }))).toBe(refused);
      const [head, body, signature = ''] = passkeyOffer.split('.');
      for (const forged of [`${head}.${body}.`, `${head}.${body}.${'A'.repeat(signature.length)}`])
        expect(outcome(await start(bearer, { passkeyOffer: forged }))).toBe(refused);
    });

    it('is not written down, and tells nobody who the user is', async () => {
      const { passkeyOffer } = await signIn();
      const claims = JSON.parse(
        Buffer.from(passkeyOffer.split('.')[1] ?? '', 'base64url').toString(),
      ) as object;
      expect(Object.keys(claims).sort()).toEqual(['exp', 'iat', 'iss', 'session']);
      const kept = JSON.stringify(await service.directory.accounts.exportPerson(ada)) + service.log.text();
      expect(kept).not.toContain(passkeyOffer);
    });
  },
  { passkeys },
);

itWith('recovery-codes')('is offered after a password and a recovery code', async () => {
  await using service = await startTestService({ ...optionsOf('recovery-codes'), passkeys });
  const { bearer } = await service.signedIn({ mfa: sms });
  const made = await service.post(
    '/auth/v1/recovery-codes',
    { authVerificationToken: await service.verified(bearer) },
    { bearer },
  );
  const [code] = made.body['codes'] as readonly string[];
  const response = await service.post('/auth/v1/recovery-codes/use', {
    ...{ username: ada, method: 'basic', authVerificationToken: await service.challenge(), code },
  });
  await offerCalls(service).options(text(response, 'token'), text(response, 'passkeyOffer'));
});

it('nothing is offered after a sign-in with Google', async () => {
  const provider = await scriptedProvider();
  await using service = await startTestService({ now: Date.now, providers: provider.options, passkeys });
  await service.write({ methods: [{ method: 'google' }] });
  const body = { username: ada, method: 'google', code: random(), codeVerifier: random() };
  const response = await service.post('/auth/v1/token', body);
  expect(Object.keys(response.body).sort()).toEqual(['refresh', 'token']);
});

it('nothing is offered in a deployment without passkeys', async () => {
  await using service = await startTestService();
  await service.write();
  expect(Object.keys((await service.signIn()).body).sort()).toEqual(['refresh', 'token']);
});

it('a revoked signing key ends the offers that it has signed, in every process', async () => {
  const database = { url: await newDatabase() };
  await using one = await startTestService({ database, passkeys });
  await using other = await startTestService({ database, passkeys });
  await one.write();
  const [former] = await one.directory.keys.list();
  await one.directory.keys.rotate();
  const keys = async () => (await other.get('/.well-known/jwks.json')).body['keys'] as readonly unknown[];
  // A process reads the keys twice a second. The new one signs after 15 minutes.
  while ((await keys()).length < 2) await pause(20);
  for (const service of [one, other]) service.passSeconds(899);
  const session = await other.signIn();
  for (const service of [one, other]) service.passSeconds(1);
  const bearer = text(await other.refresh(text(session, 'refresh')), 'token');
  await one.directory.keys.revoke(former?.kid ?? '');
  const used = await offerCalls(other).start(bearer, { passkeyOffer: text(session, 'passkeyOffer') });
  expect(outcome(used)).toBe(refused);
});
