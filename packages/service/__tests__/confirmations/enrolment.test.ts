import type { PasskeyRequestOptions } from '@vestibule/contract/schema';
import { itWith, optionsOf } from '../support/extensions.ts';
import { addKey, type Key } from '../support/passkeyAuthenticator.ts';
import { linkIn } from '../support/recordingOutbox.ts';
import { phone, sms } from '../support/secondStep.ts';
import { describeService, text } from '../support/testService.ts';
import { newPassword } from '../support/userCalls.ts';
import { clientsOf, outcome, paymentCalls } from './payments.ts';

const hour = 3600;
const otherPhone = '+12025550199';

describeService(
  'a passkey or a phone',
  (service) => {
    const { device, confirmByPasskey, ...calls } = paymentCalls(service);
    const ask = (uid: string) => calls.ask(uid, { lifeSeconds: 900 });
    const call = (bearer: string, path: string, body: object = {}) =>
      service.post(`/auth/v1/${path}`, body, { bearer });
    const shown = async (bearer: string, uid: string) => {
      const { methods, waiting, lastFourPhone } = await calls.shown(bearer, await ask(uid));
      return { methods, waiting, lastFourPhone };
    };
    const confirmBy = async (bearer: string, uid: string, key: Key) =>
      confirmByPasskey(bearer, await ask(uid), key);
    const waitingElements = async (bearer: string) =>
      (await service.get('/auth/v1/payment-elements', { bearer })).body;
    const later = (seconds: number) => new Date(service.now() + seconds * 1000).toISOString();
    beforeEach(async () => {
      while (service.outbox.unreadMails().length > 0) await service.outbox.nextMail();
    });
    const nextMail = async (subject: string) => {
      let mail = await service.outbox.nextMail();
      while (mail.subject !== subject) mail = await service.outbox.nextMail();
      return mail;
    };
    /** The person whose phone came with the account, signed in with its code. */
    const withPhone = async () => {
      const { uid } = await service.write({ mfa: sms });
      return { uid, bearer: await signInByCode() };
    };
    const signInByCode = async (password?: string) => {
      const given = password === undefined ? {} : { password };
      const challenge = text(await service.signIn(given), 'authVerificationToken');
      return text(await service.enterCode(challenge, service.outbox.newestCode()), 'token');
    };
    const keyEntry = async (bearer: string, key: Key) => {
      const { passkeys } = (await service.get('/auth/v1/passkeys', { bearer })).body as {
        passkeys: { id: string; confirmsFrom?: string }[];
      };
      return passkeys.find(({ id }) => id === key.id.toString('base64url'));
    };

    it('of an account that an operator has made confirms payments at once', async () => {
      const { uid, bearer } = await withPhone();
      expect(await shown(bearer, uid)).toEqual({
        methods: ['text'],
        waiting: [],
        lastFourPhone: phone.slice(-4),
      });
    });

    itWith('passkeys', 'notices')(
      'that a password alone has added confirms after 24 hours, and a mail',
      async () => {
        const { uid, bearer } = await service.signedIn();
        const key = await addKey(service, device, bearer);
        await nextMail('A passkey was added');
        const from = later(24 * hour);
        expect(await shown(bearer, uid)).toEqual({
          methods: [],
          waiting: [{ method: 'passkey', from }],
          lastFourPhone: null,
        });
        expect(await keyEntry(bearer, key)).toMatchObject({ confirmsFrom: from });
        expect(await confirmBy(bearer, uid, key)).toBe('401 passkey_refused');
        service.passSeconds(24 * hour - 1);
        const again = text(await service.signIn(), 'token');
        expect(await confirmBy(again, uid, key)).toBe('401 passkey_refused');
        service.passSeconds(1);
        expect(await keyEntry(again, key)).not.toHaveProperty('confirmsFrom');
        expect(await confirmBy(again, uid, key)).toBe('200 confirmed');
      },
    );

    itWith('passkeys', 'notices')(
      'about which no mail has left does not confirm after any time',
      async () => {
        const { uid, bearer } = await service.signedIn();
        service.outbox.refuse(true);
        const key = await addKey(service, device, bearer);
        service.passSeconds(48 * hour);
        const again = text(await service.signIn(), 'token');
        expect(await confirmBy(again, uid, key)).toBe('401 passkey_refused');
        expect(await shown(again, uid)).toMatchObject({ methods: [], waiting: [{ method: 'passkey' }] });
        service.outbox.refuse(false);
      },
    );

    itWith('notices')(
      'that a password alone has added, and whose mail was answered with No, never confirms',
      async () => {
        const { uid, bearer } = await withPhone();
        const verification = await service.verified(bearer);
        await service.addPhone(bearer, verification, { phone: otherPhone });
        await service.validatePhone(bearer, service.outbox.newestCode(), verification);
        const mail = await nextMail('Your phone number was changed');
        expect(await shown(bearer, uid)).toEqual({
          methods: [],
          waiting: [{ method: 'text', from: later(24 * hour) }],
          lastFourPhone: null,
        });
        const denied = await service.post(`/auth/v1/notices/${linkIn(mail).id}`, { mine: false });
        await service.reset(text(denied, 'resetHash'));
        service.passSeconds(48 * hour);
        const again = await signInByCode(newPassword);
        expect(await shown(again, uid)).toEqual({ methods: [], waiting: [], lastFourPhone: null });
        expect(await waitingElements(again)).toEqual({ elements: [], methods: [], lastFourPhone: null });
      },
    );

    it('that replaces the phone of a person does not confirm payments, though it gets the code', async () => {
      const { uid, bearer } = await withPhone();
      const id = await ask(uid);
      await call(bearer, `confirmations/${id}/text`);
      const code = service.outbox.newestCode();
      const verification = await service.verified(bearer);
      await service.addPhone(bearer, verification, { phone: otherPhone });
      await service.validatePhone(bearer, service.outbox.newestCode(), verification);
      // The former phone no longer belongs to the account, and the new one waits.
      expect(outcome(await call(bearer, `confirmations/${id}/code`, { code }))).toBe('401 code_wrong');
      expect(outcome(await call(bearer, `confirmations/${id}/text`))).toBe('404 not_found');
    });

    itWith('passkeys', 'notices')(
      'that was added with a passkey that confirms, confirms at once',
      async () => {
        const { uid, bearer } = await service.signedIn();
        const key = await addKey(service, device, bearer);
        await nextMail('A passkey was added');
        service.passSeconds(25 * hour);
        const again = text(await service.signIn(), 'token');
        const asked = await call(again, 'passkeys/verify/options');
        const { challengeToken, publicKey } = asked.body as unknown as PasskeyRequestOptions;
        const verified = await call(again, 'passkeys/verify', {
          challengeToken,
          credential: device.get(key, publicKey),
        });
        const verification = text(verified, 'authVerificationToken');
        await service.addPhone(again, verification);
        await service.validatePhone(again, service.outbox.newestCode(), verification);
        expect(await shown(again, uid)).toMatchObject({ methods: ['passkey', 'text'], waiting: [] });
      },
    );

    it('that was set up once more goes on confirming, because its code proves it', async () => {
      const { uid, bearer } = await withPhone();
      const verification = await service.verified(bearer);
      await service.addPhone(bearer, verification);
      await service.validatePhone(bearer, service.outbox.newestCode(), verification);
      expect(await shown(bearer, uid)).toMatchObject({ methods: ['text'], waiting: [] });
    });

    itWith('passkeys')('that was added with a passkey that waits itself, waits too', async () => {
      const { bearer } = await service.signedIn();
      const key = await addKey(service, device, bearer);
      const asked = await call(bearer, 'passkeys/verify/options');
      const { challengeToken, publicKey } = asked.body as unknown as PasskeyRequestOptions;
      const credential = device.get(key, publicKey);
      const verified = await call(bearer, 'passkeys/verify', { challengeToken, credential });
      const verification = text(verified, 'authVerificationToken');
      await service.addPhone(bearer, verification);
      await service.validatePhone(bearer, service.outbox.newestCode(), verification);
      expect(await waitingElements(bearer)).toMatchObject({
        elements: [{ method: 'passkey' }, { method: 'text', id: null, name: null }],
        methods: [],
      });
    });

    const codeOfPermission = () =>
      /^Code (\d{6}) lets/.exec(service.outbox.texts().at(-1)?.text ?? '')?.[1] ?? '';

    itWith('passkeys', 'notices')(
      'that waits confirms once the code of the old phone permits it',
      async () => {
        const { uid, bearer } = await withPhone();
        const key = await addKey(service, device, bearer);
        const id = key.id.toString('base64url');
        expect(await waitingElements(bearer)).toEqual({
          elements: [
            { method: 'passkey', id, name: 'Passkey', confirmsFrom: later(24 * hour), needsSignIn: false },
          ],
          methods: ['text'],
          lastFourPhone: phone.slice(-4),
        });
        expect((await call(bearer, 'payment-elements/text', { id })).body).toEqual({
          lastFourPhone: phone.slice(-4),
        });
        const code = codeOfPermission();
        const wrong = code === '000000' ? '000001' : '000000';
        expect(outcome(await call(bearer, 'payment-elements/code', { id, code: wrong }))).toBe(
          '401 code_wrong',
        );
        expect(await confirmBy(bearer, uid, key)).toBe('401 passkey_refused');
        expect(outcome(await call(bearer, 'payment-elements/code', { id, code }))).toBe('200 done');
        expect(await waitingElements(bearer)).toMatchObject({ elements: [] });
        expect(await confirmBy(bearer, uid, key)).toBe('200 confirmed');
      },
    );

    itWith('passkeys')(
      'is not permitted by a code that is old, of another passkey or of a payment',
      async () => {
        const { uid, bearer } = await withPhone();
        const [one, other] = [await addKey(service, device, bearer), await addKey(service, device, bearer)];
        const [id, otherId] = [one.id.toString('base64url'), other.id.toString('base64url')];
        await call(bearer, 'payment-elements/text', { id });
        const code = codeOfPermission();
        expect(outcome(await call(bearer, 'payment-elements/code', { id: otherId, code }))).toBe(
          '401 code_wrong',
        );
        const payment = await ask(uid);
        expect(outcome(await call(bearer, `confirmations/${payment}/code`, { code }))).toBe('401 code_wrong');
        await call(bearer, `confirmations/${payment}/text`);
        const ofPayment = service.outbox.newestCode();
        expect(outcome(await call(bearer, 'payment-elements/code', { id, code: ofPayment }))).toBe(
          '401 code_wrong',
        );
        service.passSeconds(300);
        expect(outcome(await call(bearer, 'payment-elements/code', { id, code }))).toBe('401 code_wrong');
        expect(outcome(await call(bearer, 'payment-elements/text', { id: 'dW5rbm93bg' }))).toBe(
          '404 not_found',
        );
      },
    );

    itWith('passkeys', 'notices')(
      'is not permitted by itself, by a passkey that waits, or by a challenge of a payment',
      async () => {
        const { uid, bearer } = await service.signedIn();
        const confirming = await addKey(service, device, bearer);
        await nextMail('A passkey was added');
        service.passSeconds(25 * hour);
        const again = text(await service.signIn(), 'token');
        const key = await addKey(service, device, again);
        const id = key.id.toString('base64url');
        const options = async () =>
          (await call(again, 'payment-elements/passkey/options', { id }))
            .body as unknown as PasskeyRequestOptions;
        const permitWith = async (signer: Key, changes: object = {}) => {
          const { challengeToken, publicKey } = await options();
          const credential = device.get(signer, publicKey);
          return outcome(
            await call(again, 'payment-elements/passkey', { id, challengeToken, credential, ...changes }),
          );
        };
        expect((await options()).publicKey.allowCredentials).toEqual([
          expect.objectContaining({ id: confirming.id.toString('base64url') }),
        ]);
        expect(await permitWith(key)).toBe('401 passkey_refused');
        const payment = await ask(uid);
        const asked = await call(again, `confirmations/${payment}/passkey/options`);
        const ofPayment = asked.body as unknown as PasskeyRequestOptions;
        expect(
          await permitWith(confirming, {
            challengeToken: ofPayment.challengeToken,
            credential: device.get(confirming, ofPayment.publicKey),
          }),
        ).toBe('401 passkey_refused');
        expect(await permitWith(confirming)).toBe('200 done');
        expect(await confirmBy(again, uid, key)).toBe('200 confirmed');
      },
    );

    it('of an account whose second step the help desk has reset waits', async () => {
      const { uid } = await service.write({ mfa: sms });
      await service.write({ mfa: null });
      await service.write({ mfa: { ...sms, phone: otherPhone } });
      const bearer = await signInByCode();
      expect(await shown(bearer, uid)).toMatchObject({
        methods: [],
        waiting: [{ method: 'text', from: later(24 * hour) }],
      });
    });

    itWith('passkeys', 'notices')('that was removed waits once a key is added under its id', async () => {
      const { uid, bearer } = await service.signedIn();
      const key = await addKey(service, device, bearer);
      await nextMail('A passkey was added');
      service.passSeconds(25 * hour);
      const again = text(await service.signIn(), 'token');
      expect(await shown(again, uid)).toMatchObject({ methods: ['passkey'] });
      const id = key.id.toString('base64url');
      await call(again, 'passkeys/remove', { id, authVerificationToken: await service.verified(again) });
      const authVerificationToken = await service.verified(again);
      const asked = await call(again, 'passkeys/add/options', { authVerificationToken });
      const { challengeToken, publicKey } = asked.body as unknown as PasskeyRequestOptions;
      // An authenticator in software chooses the id.
      const other: Key = { ...device.create(publicKey).key, id: key.id };
      const credential = device.createAgain(other, publicKey);
      expect((await call(again, 'passkeys/add', { challengeToken, credential })).status).toBe(200);
      expect(await shown(again, uid)).toMatchObject({ methods: [], waiting: [{ method: 'passkey' }] });
      expect(await confirmBy(again, uid, other)).toBe('401 passkey_refused');
    });

    it('that the help desk exchanges waits, also for a phone that the account had before', async () => {
      const { uid, bearer } = await withPhone();
      await service.write({ mfa: { ...sms, phone: otherPhone } });
      await service.write({ mfa: sms });
      expect(await shown(bearer, uid)).toMatchObject({
        methods: [],
        waiting: [{ method: 'text', from: later(24 * hour) }],
      });
    });

    itWith('notices')(
      'that the help desk brings back is not denied with the phone of an attacker',
      async () => {
        const { bearer } = await withPhone();
        const verification = await service.verified(bearer);
        await service.addPhone(bearer, verification, { phone: otherPhone });
        await service.validatePhone(bearer, service.outbox.newestCode(), verification);
        const mail = await nextMail('Your phone number was changed');
        const { uid } = await service.write({ mfa: sms });
        const denied = await service.post(`/auth/v1/notices/${linkIn(mail).id}`, { mine: false });
        await service.reset(text(denied, 'resetHash'));
        service.passSeconds(24 * hour);
        expect(await shown(await signInByCode(newPassword), uid)).toMatchObject({ methods: ['text'] });
      },
    );

    it('goes on confirming when the account is written again with the same phone, also during a payment', async () => {
      const { uid } = await service.write();
      await service.write({ mfa: sms });
      service.passSeconds(24 * hour);
      const bearer = await signInByCode();
      const id = await ask(uid);
      await call(bearer, `confirmations/${id}/text`);
      const code = service.outbox.newestCode();
      await service.write({ mfa: sms, firstName: 'Augusta' });
      expect(outcome(await call(bearer, `confirmations/${id}/code`, { code }))).toBe('200 confirmed');
      expect(await shown(bearer, uid)).toMatchObject({ methods: ['text'], waiting: [] });
    });
  },
  { ...optionsOf('passkeys', 'notices', 'confirmations'), clients: clientsOf({ id: 'ledger' }) },
);
