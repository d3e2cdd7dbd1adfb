import type { PasskeyRequestOptions } from '@vestibule/contract/schema';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { createHash, randomBytes } from 'node:crypto';
import { canonicalDetails, challengeOf } from '../../src/confirmations/details.ts';
import { faultOf, type Evidence } from '../../src/confirmations/evidence.ts';
import { permissionsOf } from '../../src/slots.ts';
import { itWith, optionsOf, parentOrigin } from '../support/extensions.ts';
import { addKey } from '../support/passkeyAuthenticator.ts';
import { phone, sms } from '../support/secondStep.ts';
import { ada, describeService, issuer, loginOrigin, text } from '../support/testService.ts';
import { basic, outcome, payment, paymentCalls, secret, withClients } from './payments.ts';

it("the page may show payments in the browser's own window", () => {
  expect(permissionsOf({ extensions: ['confirmations'] })).toEqual(['payment']);
});

describeService(
  'a payment to confirm',
  (service) => {
    const { device, ask: asked, call, optionsFor, receiptOf, shown } = paymentCalls(service);
    const ask = (uid: string, changes: object = {}, headers: Readonly<Record<string, string>> = {}) =>
      service.post(
        '/auth/v1/confirmations',
        { uid, ...payment, ...changes },
        { headers: { ...basic(), ...headers } },
      );
    const withPhone = () => service.signedIn({ mfa: sms });

    it('is shown exactly as it was asked for, to that user only', async () => {
      const { bearer, uid } = await withPhone();
      const made = await ask(uid, { returnUrl: 'https://ledger.example.com/114', lifeSeconds: 60 });
      const { id, url } = made.body as { id: string; url: string };
      expect([made.status, url]).toEqual([201, `${loginOrigin}/confirm/${id}`]);
      expect(await shown(bearer, id)).toEqual({
        application: { name: 'Ledger' },
        ...payment,
        state: 'open',
        methods: ['text'],
        waiting: [],
        blockedUntil: null,
        needsIdentity: false,
        lastFourPhone: phone.slice(-4),
        returnUrl: 'https://ledger.example.com/114',
        expiresAt: new Date(service.now() + 60_000).toISOString(),
      });
      const eve = await service.signedIn({
        uid: 'u_eve',
        username: 'eve@payments.example',
        email: 'eve@payments.example',
      });
      const ofOther = { headers: basic('other') };
      for (const response of [
        await service.get(`/auth/v1/confirmations/${id}`, { bearer: eve.bearer }),
        await service.get(`/auth/v1/confirmations/${id}/receipt`, ofOther),
      ])
        expect(outcome(response)).toBe('404 not_found');
      for (const what of ['decline', 'text', 'passkey/options'])
        expect(outcome(await call(eve.bearer, id, what))).toBe('404 not_found');
    });

    it('is confirmed by the code of a text message that names amount and payee first', async () => {
      const { bearer, uid } = await withPhone();
      const id = await asked(uid);
      expect((await call(bearer, id, 'text')).body).toEqual({ lastFourPhone: phone.slice(-4) });
      expect(service.outbox.texts().at(-1)).toMatchObject({
        to: phone,
        text: expect.stringMatching(/^€149\.90 to Northwind GmbH \(\.\.\.2051\): code \d{6}\. /) as unknown,
      });
      expect(await receiptOf(id)).toEqual({ state: 'open', receipt: null });
      expect(outcome(await call(bearer, id, 'code', { code: service.outbox.newestCode() }))).toBe(
        '200 confirmed',
      );
      const { state, receipt: given } = await receiptOf(id);
      const receipt = given ?? '';
      expect(state).toBe('confirmed');
      expect(decodeProtectedHeader(receipt)).toMatchObject({ alg: 'ES256', typ: 'confirmation+jwt' });
      expect(decodeJwt(receipt)).toEqual({
        ...{ iss: issuer, aud: 'ledger', sub: uid, jti: id, iat: Math.floor(service.now() / 1000) },
        ...payment,
        ...{ application: 'Ledger', method: 'text', acr: 'urn:vestibule:1', amr: ['pwd'] },
        ...{ auth_time: expect.any(Number) as number, enrolled_at: expect.any(Number) as number },
      });
      expect(outcome(await call(bearer, id, 'decline'))).toBe('409 confirmation_closed');
    });

    it('has failed after five wrong codes, also sent at once, and its right code is refused then', async () => {
      const { bearer, uid } = await withPhone();
      const id = await asked(uid);
      await call(bearer, id, 'text');
      const right = service.outbox.newestCode();
      const wrong = right === '000000' ? '000001' : '000000';
      const refusals = await Promise.all(
        Array.from({ length: 8 }, () => call(bearer, id, 'code', { code: wrong })),
      );
      // The others come before or after the end of the payment.
      const others = refusals.map(outcome).filter((one) => one !== '401 code_wrong');
      expect(others).toEqual(
        Array(3).fill(expect.stringMatching(/^(?:409 confirmation_closed|429 method_blocked)$/)),
      );
      expect(outcome(await call(bearer, id, 'code', { code: right }))).toBe('409 confirmation_closed');
      expect(await receiptOf(id)).toEqual({ state: 'failed', receipt: null });
    });

    itWith('notices')('that has failed is told to its user by mail', async () => {
      const { bearer, uid } = await withPhone();
      const id = await asked(uid);
      while (service.outbox.unreadMails().length > 0) await service.outbox.nextMail();
      for (let failure = 0; failure < 5; failure += 1) await call(bearer, id, 'code', { code: '000000' });
      expect(await service.outbox.nextMail()).toMatchObject({
        to: ada,
        subject: 'A payment was not confirmed',
      });
    });

    it('accepts the code of its own message only, and of the newest one', async () => {
      const { bearer, uid } = await withPhone();
      const [one, other] = [
        await asked(uid),
        await asked(uid, { amount: { value: '1.00', currency: 'EUR' } }),
      ];
      await call(bearer, one, 'text');
      const first = service.outbox.newestCode();
      await call(bearer, other, 'text');
      expect(outcome(await call(bearer, other, 'code', { code: first }))).toBe('401 code_wrong');
      await service.signIn();
      const ofSignIn = service.outbox.newestCode();
      expect(outcome(await call(bearer, other, 'code', { code: ofSignIn }))).toBe('401 code_wrong');
      await call(bearer, one, 'text');
      expect(outcome(await call(bearer, one, 'code', { code: first }))).toBe('401 code_wrong');
      expect(outcome(await call(bearer, one, 'code', { code: service.outbox.newestCode() }))).toBe(
        '200 confirmed',
      );
    });

    it('is decided once, also by many calls at once', async () => {
      const { bearer, uid } = await withPhone();
      const id = await asked(uid);
      await call(bearer, id, 'text');
      const code = service.outbox.newestCode();
      const answers = await Promise.all([
        ...Array.from({ length: 3 }, () => call(bearer, id, 'code', { code })),
        ...Array.from({ length: 3 }, () => call(bearer, id, 'decline')),
      ]);
      const decided = answers.map(outcome).filter((one) => one.startsWith('200'));
      expect(decided).toHaveLength(1);
      const { state, receipt } = await receiptOf(id);
      expect(decided).toEqual([`200 ${state}`]);
      expect(receipt === null).toBe(state === 'declined');
    });

    it('expires, for good', async () => {
      const { bearer, uid } = await withPhone();
      const id = await asked(uid, { lifeSeconds: 60 });
      await call(bearer, id, 'text');
      service.passSeconds(61);
      expect(await shown(bearer, id)).toMatchObject({ state: 'expired' });
      expect(outcome(await call(bearer, id, 'code', { code: service.outbox.newestCode() }))).toBe(
        '409 confirmation_closed',
      );
      expect(await receiptOf(id)).toEqual({ state: 'expired', receipt: null });
      // The clock of another process is behind.
      service.passSeconds(-30);
      expect(await shown(bearer, id)).toMatchObject({ state: 'expired' });
      expect(outcome(await call(bearer, id, 'decline'))).toBe('409 confirmation_closed');
    });

    itWith('passkeys')('is confirmed by a passkey, whose signature is kept with the receipt', async () => {
      const { bearer, uid } = await service.signedIn();
      const key = await addKey(service, device, bearer);
      const id = await asked(uid);
      expect(await shown(bearer, id)).toMatchObject({ methods: ['passkey'], lastFourPhone: null });
      const { challengeToken, publicKey } = await optionsFor(bearer, id);
      const credential = device.get(key, publicKey);
      expect(outcome(await call(bearer, id, 'passkey', { challengeToken, credential }))).toBe(
        '200 confirmed',
      );
      const { confirmations } = (await service.directory.accounts.exportPerson(ada)) as unknown as {
        confirmations: { details: string; proof: { nonce: string; clientDataJSON: string } }[];
      };
      const [{ details, proof }] = confirmations as [(typeof confirmations)[0]];
      const signed = createHash('sha256').update(details).update(Buffer.from(proof.nonce, 'base64url'));
      expect(JSON.parse(Buffer.from(proof.clientDataJSON, 'base64url').toString())).toMatchObject({
        challenge: signed.digest('base64url'),
      });
      expect(JSON.parse(details)).toEqual({ ...payment, id, client: 'ledger', uid });
      const [evidence] = (await service.directory.confirmations.list(ada)) as [Evidence];
      expect(await faultOf(evidence)).toBeNull();
      const other = { ...evidence, details: details.replace('149.90', '149.91') };
      expect(await faultOf(other)).toBe('the receipt is of another payment');
      const nonce = randomBytes(32).toString('base64url');
      const ofOther = { ...evidence, proof: { ...proof, nonce } } as Evidence;
      expect(await faultOf(ofOther)).toBe('the signature of the passkey is wrong');
      expect(await faultOf({ ...evidence, proof: null })).toBe('the signature of the passkey is missing');
      const { proof: _proof, ...withoutProof } = evidence;
      expect(await faultOf(withoutProof)).toBe('the signature of the passkey is missing');
      expect(await faultOf({ ...evidence, details: 'x' })).toBe('the details cannot be read');
      expect(await faultOf({ ...evidence, details: 'null' })).toBe('the details cannot be read');
    });

    itWith('passkeys')('has evidence that is valid also if the passkey was used in a frame', async () => {
      const { bearer, uid } = await service.signedIn();
      const key = await addKey(service, device, bearer);
      const id = await asked(uid);
      const { challengeToken, publicKey } = await optionsFor(bearer, id);
      const credential = device.get(key, publicKey, { topOrigin: parentOrigin });
      expect(outcome(await call(bearer, id, 'passkey', { challengeToken, credential }))).toBe(
        '200 confirmed',
      );
      const [evidence] = (await service.directory.confirmations.list(ada)) as [Evidence];
      expect(await faultOf(evidence)).toBeNull();
    });

    itWith('passkeys')(
      'refuses the passkey of another payment, of a sign-in, and one that was used',
      async () => {
        const { bearer, uid } = await service.signedIn();
        const key = await addKey(service, device, bearer);
        const [one, other] = [await asked(uid), await asked(uid, { payee: { name: 'Eve' } })];
        const forOne = await optionsFor(bearer, one);
        const credential = device.get(key, forOne.publicKey);
        const { challengeToken } = forOne;
        expect(outcome(await call(bearer, other, 'passkey', { challengeToken, credential }))).toBe(
          '401 passkey_refused',
        );
        const forOther = await optionsFor(bearer, other);
        expect(
          outcome(
            await call(bearer, other, 'passkey', { challengeToken: forOther.challengeToken, credential }),
          ),
        ).toBe('401 passkey_refused');
        const signIn = await service.post('/auth/v1/passkeys/sign-in/options', {});
        const options = signIn.body as unknown as PasskeyRequestOptions;
        const ofSignIn = {
          challengeToken: options.challengeToken,
          credential: device.get(key, options.publicKey),
        };
        expect(outcome(await call(bearer, other, 'passkey', ofSignIn))).toBe('401 passkey_refused');
        expect(outcome(await service.post('/auth/v1/passkeys/sign-in', { challengeToken, credential }))).toBe(
          '400 challenge_expired',
        );
        expect(await receiptOf(other)).toMatchObject({ state: 'open' });
      },
    );

    itWith('passkeys')('has failed also after five passkeys whose counters show a copy', async () => {
      const { bearer, uid } = await service.signedIn();
      const key = await addKey(service, device, bearer);
      const confirmWith = async (id: string, counter: number) => {
        const { challengeToken, publicKey } = await optionsFor(bearer, id);
        const credential = device.get(key, publicKey, { counter });
        return outcome(await call(bearer, id, 'passkey', { challengeToken, credential }));
      };
      expect(await confirmWith(await asked(uid), 9)).toBe('200 confirmed');
      const id = await asked(uid);
      for (let failure = 0; failure < 5; failure += 1)
        expect(await confirmWith(id, 5)).toBe('401 passkey_refused');
      expect(await receiptOf(id)).toEqual({ state: 'failed', receipt: null });
    });

    for (const [what, changes] of [
      ['another amount', { amount: { value: '149.91', currency: 'EUR' } }],
      ['another currency', { amount: { value: '149.90', currency: 'USD' } }],
      ['another payee', { payee: { ...payment.payee, name: 'Northwind Gmbh' } }],
      ['another account', { payee: { ...payment.payee, account: 'DE02 1203 0000 0000 2020 52' } }],
      ['another reference', { reference: 'Invoice 2026-115' }],
      ['another application', { client: 'other' }],
      ['another user', { uid: 'u_eve' }],
    ] as const)
      itWith('passkeys')(`refuses a passkey that signed ${what}`, async () => {
        const { bearer, uid } = await service.signedIn();
        const key = await addKey(service, device, bearer);
        const id = await asked(uid);
        const { challengeToken, publicKey } = await optionsFor(bearer, id);
        const details = { id, client: 'ledger', uid, ...payment };
        const nonce = String(decodeJwt(challengeToken)['nonce']);
        expect(challengeOf(canonicalDetails(details), nonce)).toBe(publicKey.challenge);
        const challenge = challengeOf(canonicalDetails({ ...details, ...changes }), nonce);
        const credential = device.get(key, { ...publicKey, challenge });
        expect(outcome(await call(bearer, id, 'passkey', { challengeToken, credential }))).toBe(
          '401 passkey_refused',
        );
        expect(await receiptOf(id)).toEqual({ state: 'open', receipt: null });
      });

    const shownBy = (publicKey: Readonly<PasskeyRequestOptions['publicKey']>, changes: object = {}) => ({
      ...{ rpId: publicKey.rpId, topOrigin: loginOrigin },
      ...{ payeeName: payment.payee.name, total: payment.amount },
      instrument: { displayName: 'Ledger', icon: `${loginOrigin}/icon.svg` },
      ...changes,
    });

    for (const [where, topOrigin] of [
      ['', undefined],
      [', in a frame', parentOrigin],
    ] as const)
      itWith('passkeys')(`is confirmed in the browser's own window that shows it${where}`, async () => {
        const { bearer, uid } = await service.signedIn();
        const key = await addKey(service, device, bearer);
        const id = await asked(uid);
        const { challengeToken, publicKey } = await optionsFor(bearer, id);
        const framed = topOrigin === undefined ? {} : { topOrigin };
        const credential = device.get(key, publicKey, { ...framed, payment: shownBy(publicKey, framed) });
        expect(outcome(await call(bearer, id, 'passkey', { challengeToken, credential }))).toBe(
          '200 confirmed',
        );
        const [evidence] = (await service.directory.confirmations.list(ada)) as [Evidence];
        expect(await faultOf(evidence)).toBeNull();
      });

    for (const [what, changes] of [
      ['another amount', { total: { value: '149.91', currency: 'EUR' } }],
      ['another currency', { total: { value: '149.90', currency: 'USD' } }],
      ['more than an amount', { total: { ...payment.amount, label: 'x' } }],
      ['another payee', { payeeName: 'Northwind Gmbh' }],
      ['the origin of a payee', { payeeOrigin: 'https://northwind.example' }],
      ['another relying party', { rpId: 'payments.localhost' }],
      ['the page of another parent', { topOrigin: parentOrigin }],
      ['another instrument', { instrument: { displayName: 'Other' } }],
      ['details of an instrument', { instrument: { displayName: 'Ledger', details: 'x' } }],
      ['no instrument', { instrument: null }],
      ['nothing', null],
    ] as const)
      itWith('passkeys')(`refuses a window that showed ${what}`, async () => {
        const { bearer, uid } = await service.signedIn();
        const key = await addKey(service, device, bearer);
        const id = await asked(uid);
        const { challengeToken, publicKey } = await optionsFor(bearer, id);
        const shown = changes === null ? null : shownBy(publicKey, changes);
        const credential = device.get(key, publicKey, { payment: shown });
        expect(outcome(await call(bearer, id, 'passkey', { challengeToken, credential }))).toBe(
          '401 passkey_refused',
        );
        expect(await receiptOf(id)).toEqual({ state: 'open', receipt: null });
      });

    it('is made once for a key, and not for another payment with the key', async () => {
      const { uid } = await service.write();
      const key = { 'Idempotency-Key': 'payment-114' };
      const answers = await Promise.all(Array.from({ length: 4 }, () => ask(uid, {}, key)));
      expect(new Set(answers.map((one) => text(one, 'id'))).size).toBe(1);
      expect(outcome(await ask(uid, { reference: 'another' }, key))).toBe('409 idempotency_conflict');
      const ofOther = await ask(uid, {}, { ...key, ...basic('other') });
      expect(text(ofOther, 'id')).not.toBe(text(await ask(uid, {}, key), 'id'));
      service.passSeconds(86_401);
      expect(answers.map((one) => text(one, 'id'))).not.toContain(text(await ask(uid, {}, key), 'id'));
    });

    it.each([
      ['without credentials', {}],
      ['with a wrong secret', basic('ledger', 'wrong')],
      ['of an unknown client', basic('unknown')],
      ['with a bearer', { Authorization: 'Bearer x' }],
      ['with half an escape', basic('%', secret)],
    ])('is not made %s', async (_what, headers) => {
      const { uid } = await service.write();
      const response = await service.post('/auth/v1/confirmations', { uid, ...payment }, { headers });
      expect(outcome(response)).toBe('401 unauthorized');
    });

    it('is asked for at most twenty times within ten minutes, by one application of one user', async () => {
      const { uid } = await service.write();
      for (let count = 0; count < 20; count += 1) expect((await ask(uid)).status).toBe(201);
      const refusal = await ask(uid);
      expect([outcome(refusal), refusal.headers.get('retry-after')]).toEqual(['429 rate_limited', '600']);
      expect((await ask(uid, {}, basic('other'))).status).toBe(201);
    });

    it('of an unknown or disabled user is refused', async () => {
      expect(outcome(await ask('nobody'))).toBe('404 not_found');
      const { uid } = await service.write();
      await service.directory.accounts.disable(ada);
      expect(outcome(await ask(uid))).toBe('404 not_found');
    });
  },
  {
    ...optionsOf('passkeys', 'notices'),
    ...withClients({ id: 'ledger' }, { id: 'other' }),
    redirectHosts: ['ledger.example.com'],
  },
);
