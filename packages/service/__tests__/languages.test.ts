import { readdirSync } from 'node:fs';
import { readEnvironment } from '../src/environment.ts';
import { longTextCodes } from '../src/cli/check.ts';
import { formatAmount } from '@vestibule/contract/amount';
import { passwordChangedLetter } from '../src/core/mails/letters.ts';
import { linkSettings } from '../src/core/settings/linkOptions.ts';
import { writeMail } from '../src/platform/mails/letter.ts';
import { LinkNotGiven } from '../src/index.ts';
import { mfaTexts } from '../src/mfa/mfa.messages.ts';
import { worded, wordedForPhone } from '../src/platform/texts/texts.ts';
import { sms } from './support/secondStep.ts';
import { ada, describeService, startTestService, type TestService } from './support/testService.ts';

const password = 'Right-horse7';
const translated = readdirSync('packages/service/locales').map((file) => file.replace('.po', ''));
const languages = ['en', ...translated];
const token = (service: TestService, language: string, given = password) =>
  service.post('/auth/v1/token', { username: ada, method: 'basic', password: given }, accepting(language));
const accepting = (language: string) => ({ headers: { 'Accept-Language': language } });
const requestReset = (service: TestService, language: string) =>
  service.post('/password-reset/v1/forgot-password', { email: ada }, accepting(language));
const languageOf = async (service: TestService) =>
  (await service.directory.accounts.exportPerson(ada)).account.language;
const subjectOf = async (service: TestService) => (await service.outbox.nextMail()).subject;

describeService(
  'a service with languages',
  (service) => {
    beforeEach(() => service.write({ password }));

    it.each([
      ['de', 'Benutzername oder Passwort', 'de'],
      ['de-AT,de;q=0.9,en;q=0.8', 'Benutzername oder Passwort', 'de'],
      ['fi, es;q=0.5', 'usuario', 'es'],
      ['fi', 'We were unable to match the User ID and password you entered.', 'en'],
      ['', 'We were unable to match the User ID and password you entered.', 'en'],
    ])('translates a refusal for a caller that accepts %s', async (accepted, words, tag) => {
      const { body, status, headers } = await token(service, accepted, 'Wrong-horse7');
      expect([status, body]).toEqual([
        401,
        { error: { code: 'invalid_credentials', message: expect.stringContaining(words) as string } },
      ]);
      expect([headers.get('Content-Language'), headers.get('Vary')]).toEqual([
        tag,
        'Origin, Accept-Language',
      ]);
    });

    it.each([
      ['GET', '/nothing', 'ar'],
      ['POST', '/auth/v1/token', 'ar'],
      ['GET', '/%', 'en'],
    ])('names the language of the refusal of %s %s', async (method, path, language) => {
      const { headers } = await fetch(service.url + path, { method, ...accepting('ar') });
      expect([headers.get('Content-Language'), headers.get('Vary')]).toEqual([
        language,
        expect.stringContaining('Accept-Language'),
      ]);
    });

    it('names no language for a response without text', async () => {
      const { headers } = await token(service, 'de');
      expect([headers.get('Content-Language'), headers.get('Vary')]).toEqual([null, 'Origin']);
    });

    it('writes mails in the language of the last sign-in if the reset request names none', async () => {
      await token(service, 'es');
      await service.post('/password-reset/v1/forgot-password', { email: ada });
      expect(await subjectOf(service)).not.toBe('Reset your password');
      await token(service, 'en');
      await service.directory.links.reset(ada, { mail: true });
      expect(await subjectOf(service)).toBe('Reset your password');
    });

    it('writes the mail of a reset request in the language of the request, with lang and dir, and keeps the stored language', async () => {
      await token(service, 'es');
      await requestReset(service, 'ar');
      const { html, text } = await service.outbox.nextMail();
      expect(html).toContain('<html lang="ar" dir="rtl">');
      expect(text).toContain('كلمة مرور');
      expect(text).toContain('ada@example.com');
      expect(await languageOf(service)).toBe('es');
    });

    it('writes in the language of the request that an account has no password', async () => {
      await service.write({ methods: [{ method: 'google' }], password: null });
      await requestReset(service, 'de');
      expect(await subjectOf(service)).toBe('Ihr Konto hat kein Passwort');
      expect(await languageOf(service)).toBeUndefined();
    });

    it('writes the mail of a sign-in that requires a new password in the language of the caller', async () => {
      await service.directory.accounts.requireNewPassword(ada);
      expect((await token(service, 'nl')).status).toBe(401);
      expect((await service.outbox.nextMail()).html).toContain('<html lang="nl">');
      expect(await languageOf(service)).toBeUndefined();
    });

    it('stores the language in which a link was used, for later mails', async () => {
      await token(service, 'es');
      await requestReset(service, 'ar');
      const [hash] = /(?<=reset-password\/)[\w-]+/.exec((await service.outbox.nextMail()).text) ?? [];
      const body = { password: 'Other-horse8', confirm: 'Other-horse8', hash, method: 'basic' };
      const used = await service.post('/password-reset/v1/password-reset', body, accepting('de'));
      expect(used.status).toBe(200);
      expect((await service.outbox.nextMail()).html).toContain('<html lang="es">');
      expect(await languageOf(service)).toBe('de');
    });

    it('writes an invitation in the language that the operator names, and stores the language of the user who accepts it', async () => {
      await service.write({ password: null });
      const { id } = await service.directory.links.inviteUser(ada, { mail: true, language: 'ja' });
      expect((await service.outbox.nextMail()).html).toContain('<html lang="ja">');
      expect(await languageOf(service)).toBeUndefined();
      const names = { firstName: 'Ada', lastName: 'Lovelace' };
      const body = { ...names, password, confirm: password, hash: id, method: 'basic' };
      expect((await service.post('/password-reset/v1/activate', body, accepting('pl'))).status).toBe(200);
      expect(await languageOf(service)).toBe('pl');
    });

    it('invites an API user in the language that the operator names', async () => {
      const invitation = { mailTo: 'api@example.com', language: 'fr' };
      await service.directory.links.inviteApiUser('reports', invitation);
      expect((await service.outbox.nextMail()).html).toContain('<html lang="fr">');
    });

    it('invites nobody in a language that the deployment does not offer', async () => {
      await service.write({ password: null });
      await expect(service.directory.links.inviteUser(ada, { mail: true, language: 'sv' })).rejects.toThrow(
        new LinkNotGiven(`The deployment offers ${languages.join(', ')}, but not sv.`),
      );
    });

    it('writes a code in the language of the caller', async () => {
      await service.write({ password, mfa: sms });
      await token(service, 'nl');
      expect(service.outbox.texts().at(-1)?.text).toContain('verificatiecode');
    });
  },
  { languages },
);

it('a service without languages writes English, whatever the caller accepts', async () => {
  const service = await startTestService();
  await service.write({ password });
  expect((await token(service, 'de', 'Wrong-horse7')).body).toMatchObject({
    error: { message: expect.stringContaining('We were unable') as string },
  });
  await token(service, 'de');
  await service.directory.links.reset(ada, { mail: true });
  expect(await subjectOf(service)).toBe('Reset your password');
  expect(await languageOf(service)).toBeUndefined();
  await service.close();
});

const changedMail = (language: string) => {
  const to = { firstName: 'Ada', username: ada };
  const links = linkSettings({}, ['https://login.example.com']);
  return writeMail(ada, passwordChangedLetter(to, Date.UTC(2026, 2, 5, 14, 7), links), language).text;
};

it.each([
  ['en', 'March 5th, 2026 at 2:07 pm (UTC)'],
  ['ar', '5 مارس 2026 14:07 (UTC)'],
  ['de', '5. März 2026 14:07 (UTC)'],
  ['es', '5 de marzo de 2026 14:07 (UTC)'],
  ['fr', '5 mars 2026 14:07 (UTC)'],
  ['it', '5 marzo 2026 14:07 (UTC)'],
  ['ja', '2026年3月5日 14:07 (UTC)'],
  ['nl', '5 maart 2026 14:07 (UTC)'],
  ['pl', '5 marca 2026 14:07 (UTC)'],
  ['pt-BR', '5 de março de 2026 às 14:07 (UTC)'],
  ['zh-Hans', '2026年3月5日 14:07 (UTC)'],
])('a mail in %s has the same format for times as the page', (language, expected) => {
  expect(changedMail(language)).toContain(expected);
});

it.each(languages)('amounts, mails and text messages in %s have the digits 0 to 9', (language) => {
  const amount = { value: '1234567.89', currency: 'EUR' };
  const text = mfaTexts.code('123456', 'Payments', mfaTexts.minutes(10));
  const written = wordedForPhone(text, language) + changedMail(language) + formatAmount(amount, language);
  expect(written).not.toMatch(/(?![0-9])\p{Nd}/u);
});

it('a text without a translation is English, with its plural forms and its values as they are', () => {
  const message = '{count, plural, one {# day} other {# days}}, {name}';
  const text = { id: 'test', message, values: { count: 1, name: String.raw`\x41 {count} '` } };
  expect(worded(text, 'ja')).toBe(String.raw`1 day, \x41 {count} '`);
});

it('a service does not start if LANGUAGES lists a language twice', () => {
  const variables = {
    ISSUER: 'https://api.example.com',
    ALLOWED_ORIGINS: 'https://login.example.com',
    LANGUAGES: 'de,en,de',
  };
  expect(() => readEnvironment(variables)).toThrow('LANGUAGES must list each language once.');
});

describe('vestibule check', () => {
  const settings = (productName: string, signOnUrl = 'https://login.example.com') => ({
    ...{ productName, languages, textCodeSeconds: 600 },
    links: linkSettings({ signOnUrl }, []),
  });

  it('does not warn if a code fits into one text message in every language', () => {
    expect(longTextCodes(settings('Payments'))).toEqual([]);
  });

  it('warns if a long host makes a code too long for one text message', () => {
    const host = 'sign-on.payments.northwind-traders.example.com';
    expect(longTextCodes(settings('Payments', `https://${host}`))).toEqual(
      [
        ['ar', 94],
        ['ja', 84],
        ['zh-Hans', 82],
      ].map(
        ([language = '', count = 0]) =>
          `a code in ${language} needs 2 text messages: it has ${count} characters, 8 of PRODUCT_NAME and 46 of the host, and one message holds 70`,
      ),
    );
  });

  it('warns if the letters of a name make a text message hold fewer characters', () => {
    const [inEnglish, ...others] = longTextCodes(settings('Płatności'));
    expect(inEnglish).toBe(
      'a code in en needs 2 text messages: it has 128 characters, 9 of PRODUCT_NAME and 17 of the host, and one message holds 70, because PRODUCT_NAME has ł ś',
    );
    expect(others).toHaveLength(7);
  });
});
