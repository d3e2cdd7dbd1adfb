import * as v from 'valibot';
import { deployedClients } from '../../src/core/clientFields.ts';
import { hashOfToken } from '../../src/platform/security/opaqueTokens.ts';
import { readEnvironment } from '../../src/environment.ts';
import { outcome, sms, tooManyTexts } from '../support/secondStep.ts';
import { startTestService, text, type TestService } from '../support/testService.ts';

const secret = 'secret-of-the-ledger-application-0123456789';
const headers = { Authorization: `Basic ${Buffer.from(`ledger:${secret}`).toString('base64')}` };
const clients = v.parse(deployedClients, [
  { id: 'ledger', name: 'Ledger', secretHash: `sha256:${hashOfToken(secret)}`, confirmations: true },
]);
const payment = {
  amount: { value: '1.500', currency: 'TND' },
  payee: { name: 'Northwind GmbH', account: 'TN59 1000 6035 1835 9847 8831' },
};
const refused = [429, tooManyTexts, '3600'];

/** A signed-in user with a phone. @returns asks for text messages of one payment. */
async function payer(service: TestService, name: string) {
  const username = `${name}@example.com`;
  const { bearer, uid } = await service.signedIn({ username, email: username, mfa: sms });
  const asked = await service.post('/auth/v1/confirmations', { uid, ...payment }, { headers });
  const path = `/auth/v1/confirmations/${text(asked, 'id')}/text`;
  return async (language = 'en') => {
    const response = await service.post(path, {}, { bearer, headers: { 'Accept-Language': language } });
    return response.status === 200 ? 'sent' : [...outcome(response), response.headers.get('retry-after')];
  };
}

describe('text messages of payments', () => {
  it('are limited to twenty an hour for a user, and leave those of sign-ins', async () => {
    await using service = await startTestService({
      clients,
      confirmationEnrolmentHours: 0,
      textLimits: { all: 1 },
    });
    const textAda = await payer(service, 'ada');
    for (let count = 0; count < 20; count += 1) expect(await textAda()).toBe('sent');
    expect(await textAda()).toEqual(refused);
    expect(service.outbox.texts()).toHaveLength(20);
    expect((await service.signIn()).status).toBe(200);
    expect([...outcome(await service.signIn())]).toEqual(refused.slice(0, 2));
    // Sign-ins do not use up those of payments either.
    const textEve = await payer(service, 'eve');
    expect(await textEve()).toBe('sent');
    service.passSeconds(3600);
    expect((await service.signIn()).status).toBe(200);
  });

  it('are limited for all users together, of whom none gets more than a tenth', async () => {
    await using service = await startTestService({
      clients,
      confirmationEnrolmentHours: 0,
      paymentTextsPerHour: 11,
    });
    const users = [];
    for (let count = 0; count < 6; count += 1) users.push(await payer(service, `user${count}`));
    const [flood, ...others] = users;
    for (const expected of ['sent', 'sent', refused, refused, refused])
      expect(await flood?.()).toEqual(expected);
    for (const one of others.slice(0, 4)) expect([await one(), await one()]).toEqual(['sent', 'sent']);
    expect(await others[4]?.()).toBe('sent');
    expect(service.log.text()).not.toContain('PAYMENT_TEXTS_PER_HOUR');
    expect(await others[4]?.()).toEqual(refused);
    expect(service.log.text()).toContain('text messages have reached PAYMENT_TEXTS_PER_HOUR');
    service.passSeconds(3600);
    expect((await service.signIn({ username: 'user0@example.com' })).status).toBe(200);
  });

  it('are in the language of the call, with the amount as on the page', async () => {
    await using service = await startTestService({
      clients,
      confirmationEnrolmentHours: 0,
      languages: ['en', 'de', 'ar'],
    });
    const textAda = await payer(service, 'ada');
    const messages = [];
    for (const language of ['de-AT', 'ar', 'fi']) {
      await textAda(language);
      messages.push(service.outbox.texts().at(-1)?.text.replace(/\d{6}/, '######'));
    }
    expect(messages).toEqual([
      '1,500 TND an Northwind GmbH (...8831): Code ######. Nicht weitergeben.',
      'عملية دفع 1.500 د.ت. إلى Northwind GmbH (...8831): رمز ######. لا تشاركه.',
      'TND 1.500 to Northwind GmbH (...8831): code ######. Do not share it.',
    ]);
  });

  it('have their limit from PAYMENT_TEXTS_PER_HOUR', () => {
    const read = (value: string) =>
      readEnvironment({
        ...{ ISSUER: 'https://api.example.com', ALLOWED_ORIGINS: 'https://login.example.com' },
        PAYMENT_TEXTS_PER_HOUR: value,
      }).service.paymentTextsPerHour;
    expect([read(''), read('50')]).toEqual([1000, 50]);
    for (const wrong of ['0', '-1', '1.5', '1000001', 'many'])
      expect(() => read(wrong)).toThrow('PAYMENT_TEXTS_PER_HOUR must be a number of text messages.');
  });
});
