import { createPublicKey, verify } from 'node:crypto';
import { decodeJwt, type JWK } from 'jose';
import { sql } from 'kysely';
import type { Tables } from '../../src/core/database/tables.ts';
import { connect } from '../../src/platform/database/connect.ts';
import { silentLogger } from '../../src/platform/settings/options.ts';
import { itWith, optionsOf } from '../support/extensions.ts';
import { waitForLockWaits } from '../support/lockWaits.ts';
import { addKey } from '../support/passkeyAuthenticator.ts';
import { newDatabase } from '../support/postgres.ts';
import { sms } from '../support/secondStep.ts';
import { ada, describeService, issuer, startTestService, text } from '../support/testService.ts';
import { withClients, outcome, payment, paymentCalls } from './payments.ts';

const options = { ...optionsOf('passkeys'), ...withClients({ id: 'ledger' }) };

describeService(
  'the receipt of a payment',
  (service) => {
    const calls = paymentCalls(service);
    const { ask, call, shown, receiptOf, codeFor, confirmByText, confirmByPasskey } = calls;
    const seconds = () => Math.floor(service.now() / 1000);
    const claimsOf = async (id: string) => decodeJwt((await receiptOf(id)).receipt ?? '');
    /** Signed in, and a phone added a minute later. */
    const withPhone = async () => {
      const { bearer, uid } = await service.signedIn();
      const signedInAt = seconds();
      service.passSeconds(60);
      await service.write({ mfa: sms });
      return { bearer, uid, signedInAt, enrolledAt: seconds() };
    };

    it('says when and how the user had signed in, when the phone was added, and what the user saw', async () => {
      const { bearer, uid, signedInAt, enrolledAt } = await withPhone();
      service.passSeconds(60);
      const id = await ask(uid);
      expect(await confirmByText(bearer, id)).toBe('200 confirmed');
      expect(await claimsOf(id)).toEqual({
        ...{ iss: issuer, aud: 'ledger', sub: uid, jti: id, iat: seconds(), ...payment },
        ...{ application: 'Ledger', method: 'text' },
        ...{ auth_time: signedInAt, acr: 'urn:vestibule:1', amr: ['pwd'], enrolled_at: enrolledAt },
      });
    });

    itWith('passkeys')('of a session that a passkey has begun says so, and when it was added', async () => {
      const { bearer, uid } = await service.signedIn();
      const key = await addKey(service, calls.device, bearer);
      const enrolledAt = seconds();
      service.passSeconds(60);
      const begun = await service.post('/auth/v1/passkeys/sign-in/options', {});
      const { challengeToken, publicKey } = begun.body as unknown as {
        challengeToken: string;
        publicKey: { challenge: string };
      };
      const credential = calls.device.get(key, publicKey);
      const signedIn = await service.post('/auth/v1/passkeys/sign-in', { challengeToken, credential });
      const id = await ask(uid);
      expect(await confirmByPasskey(text(signedIn, 'token'), id, key)).toBe('200 confirmed');
      expect(await claimsOf(id)).toMatchObject({
        ...{ method: 'passkey', auth_time: seconds(), acr: 'urn:vestibule:2' },
        ...{ amr: ['swk', 'user', 'mfa'], enrolled_at: enrolledAt },
      });
    });

    it('is not given for a code to a phone that was exchanged since', async () => {
      const { bearer, uid } = await withPhone();
      const id = await ask(uid);
      const code = await codeFor(bearer, id);
      service.passSeconds(1);
      await service.write({ mfa: { ...sms, phone: '+12025550199' } });
      expect(outcome(await call(bearer, id, 'code', { code }))).toBe('401 code_wrong');
      expect(await receiptOf(id)).toEqual({ state: 'open', receipt: null });
    });

    itWith('passkeys')('is given only for a method that the application permits', async () => {
      const { bearer, uid } = await withPhone();
      const key = await addKey(service, calls.device, bearer);
      const byText = await ask(uid, { methods: ['text'] });
      expect(await shown(bearer, byText)).toMatchObject({ methods: ['text'] });
      expect(outcome(await call(bearer, byText, 'passkey/options'))).toBe('401 passkey_refused');
      expect(await confirmByText(bearer, byText)).toBe('200 confirmed');
      const byPasskey = await ask(uid, { methods: ['passkey'] });
      expect(await shown(bearer, byPasskey)).toMatchObject({ methods: ['passkey'] });
      expect(outcome(await call(bearer, byPasskey, 'text'))).toBe('404 not_found');
      expect(outcome(await call(bearer, byPasskey, 'code', { code: '000000' }))).toBe('401 code_wrong');
      expect(await confirmByPasskey(bearer, byPasskey, key)).toBe('200 confirmed');
      const either = await ask(uid, { methods: ['text', 'passkey'] });
      expect(await shown(bearer, either)).toMatchObject({ methods: ['passkey', 'text'] });
    });

    it('needs a recent proof of identity where the application asks for one', async () => {
      const { bearer, uid } = await withPhone();
      expect(await shown(bearer, await ask(uid, { maxAuthAge: 60 }))).toMatchObject({ needsIdentity: false });
      service.passSeconds(1);
      const id = await ask(uid, { maxAuthAge: 60 });
      expect(await shown(bearer, id)).toMatchObject({ needsIdentity: true });
      for (const [what, body] of [
        ['passkey/options', {}],
        ['text', {}],
        ['code', { code: '000000' }],
      ] as const) {
        const { status, body: refusal } = await call(bearer, id, what, body);
        expect([what, status, refusal]).toEqual([
          what,
          403,
          { error: { message: 'To continue, first verify it is you.', code: 'identity_required' } },
        ]);
      }
      const authVerificationToken = await service.verified(bearer);
      const provedAt = seconds();
      service.passSeconds(30);
      const proved = await call(bearer, id, 'identity', { authVerificationToken });
      expect([proved.status, proved.body]).toEqual([200, { state: 'open' }]);
      // It counts until the end of the payment.
      service.passSeconds(90);
      expect(await shown(bearer, id)).toMatchObject({ needsIdentity: false });
      expect(await confirmByText(bearer, id)).toBe('200 confirmed');
      expect(await claimsOf(id)).toMatchObject({ auth_time: provedAt, acr: 'urn:vestibule:1', amr: ['pwd'] });
      expect(await shown(bearer, id)).toMatchObject({ needsIdentity: false });
    });

    it('takes no proof from before the payment that is older than the application accepts', async () => {
      const { bearer, uid } = await withPhone();
      const tokens = [await service.verified(bearer), await service.verified(bearer)];
      const prove = (id: string) =>
        call(bearer, id, 'identity', { authVerificationToken: tokens.pop() ?? '' });
      service.passSeconds(60);
      const [recent, old] = [await ask(uid, { maxAuthAge: 60 }), await ask(uid, { maxAuthAge: 59 })];
      expect(outcome(await prove(old))).toBe('401 invalid_verification');
      expect(outcome(await call(bearer, old, 'text'))).toBe('403 identity_required');
      expect(outcome(await prove(recent))).toBe('200 open');
      expect(await confirmByText(bearer, recent)).toBe('200 confirmed');
    });

    itWith('passkeys')(
      'refuses a passkey without the recent proof, also one that was asked for earlier',
      async () => {
        const { bearer, uid } = await service.signedIn();
        const key = await addKey(service, calls.device, bearer);
        const id = await ask(uid, { maxAuthAge: 60 });
        const begun = (await call(bearer, id, 'passkey/options')).body as unknown as {
          challengeToken: string;
          publicKey: { challenge: string };
        };
        const credential = calls.device.get(key, begun.publicKey);
        service.passSeconds(61);
        const { challengeToken } = begun;
        expect(outcome(await call(bearer, id, 'passkey', { challengeToken, credential }))).toBe(
          '403 identity_required',
        );
      },
    );

    it('takes no proof of identity of another session, twice, or for a payment that has ended', async () => {
      const { bearer, uid } = await withPhone();
      const other = await service.post('/auth/v1/token', {
        ...{ username: ada, method: 'basic', password: 'Correct-horse7' },
      });
      const bearerOfOther = text(
        await service.enterCode(text(other, 'authVerificationToken'), service.outbox.newestCode()),
        'token',
      );
      service.passSeconds(1);
      const [id, ended] = [await ask(uid, { maxAuthAge: 0 }), await ask(uid)];
      const authVerificationToken = await service.verified(bearer);
      const prove = (by: string, of = id) => call(by, of, 'identity', { authVerificationToken });
      expect(outcome(await prove(bearerOfOther))).toBe('401 invalid_verification');
      await call(bearer, ended, 'decline');
      expect(outcome(await prove(bearer, ended))).toBe('409 confirmation_closed');
      expect(outcome(await prove(bearer))).toBe('200 open');
      expect(outcome(await prove(bearer))).toBe('401 invalid_verification');
      expect(outcome(await call(bearerOfOther, id, 'text'))).toBe('403 identity_required');
      expect(outcome(await call(bearer, id, 'text'))).toBe('200 done');
    });

    it('is verified with nothing but the key that was kept with it, after that was rotated and revoked', async () => {
      const { bearer, uid } = await withPhone();
      const id = await ask(uid);
      await confirmByText(bearer, id);
      const { receipt } = await receiptOf(id);
      const keys = async () => (await service.get('/.well-known/jwks.json')).body['keys'] as readonly JWK[];
      const [header = '', payload = '', signature = ''] = (receipt ?? '').split('.');
      const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { readonly kid: string };
      const kept = (await keys()).find((one) => one.kid === kid) ?? {};
      await service.directory.keys.rotate();
      service.passSeconds(900);
      await service.directory.keys.revoke(kid);
      // Each process reads the keys again twice a second.
      while ((await keys()).some((one) => one.kid === kid)) await new Promise(setImmediate);
      expect((await receiptOf(id)).receipt).toBe(receipt);
      const key = { key: createPublicKey({ key: kept, format: 'jwk' }), dsaEncoding: 'ieee-p1363' } as const;
      const isSigned = (claims: string) =>
        verify('sha256', Buffer.from(`${header}.${claims}`), key, Buffer.from(signature, 'base64url'));
      expect(isSigned(payload)).toBe(true);
      expect(isSigned(payload.replace(/^./, 'f'))).toBe(false);
    });
  },
  options,
);

describe('a proof that is under way', () => {
  /** Sends the right code, and stops the call when the code has been checked, while `happen` runs. @returns its outcome. */
  const confirmedDuring = async (
    happen: (
      service: Awaited<ReturnType<typeof startTestService>>,
      text_: () => Promise<unknown>,
    ) => Promise<unknown>,
  ) => {
    const url = await newDatabase();
    await using service = await startTestService({ ...options, database: { url } });
    const { ask, call, codeFor, receiptOf } = paymentCalls(service);
    const { bearer, uid } = await service.signedIn({ mfa: sms });
    const id = await ask(uid, { lifeSeconds: 60 });
    const code = await codeFor(bearer, id);
    const { db, close } = await connect<Tables>({ url }, silentLogger);
    const { confirming } = await db.transaction().execute(async (trx) => {
      await sql`select from users where uid = ${uid} for no key update`.execute(trx);
      const answer = call(bearer, id, 'code', { code });
      await Promise.race([answer, waitForLockWaits(db)]);
      await happen(service, () => call(bearer, id, 'text'));
      return { confirming: answer };
    });
    const decided = [outcome(await confirming), await receiptOf(id)];
    await close();
    return decided;
  };

  it('confirms with the code that it has checked', async () => {
    const [answer, after] = await confirmedDuring(() => Promise.resolve());
    expect([answer, after]).toEqual([
      '200 confirmed',
      { state: 'confirmed', receipt: expect.any(String) as string },
    ]);
  });

  it('does not confirm if the code was replaced while it was checked', async () => {
    expect(await confirmedDuring((_service, textAgain) => textAgain())).toEqual([
      '409 confirmation_closed',
      { state: 'open', receipt: null },
    ]);
  });

  it('does not confirm if the time for the payment ran out meanwhile', async () => {
    expect(
      await confirmedDuring((service) => {
        service.passSeconds(60);
        return Promise.resolve();
      }),
    ).toEqual(['409 confirmation_closed', { state: 'expired', receipt: null }]);
  });
});
