import { readdirSync } from 'node:fs';
import { mfaTexts } from '../src/mfa/mfa.messages.ts';
import { wordedForPhone } from '../src/platform/texts/worded.ts';
import { sms } from './support/secondStep.ts';
import { smsSegments } from './support/smsSegments.ts';
import { ada, describeService, startTestService, type TestService } from './support/testService.ts';

const password = 'Right-horse7';
const translated = readdirSync('packages/service/locales').map((file) => file.replace('.po', ''));
const languages = ['en', ...translated];
const token = (service: TestService, language: string, given = password) =>
  service.post(
    '/auth/v1/token',
    { username: ada, method: 'basic', password: given },
    { headers: { 'Accept-Language': language } },
  );
const subjectOf = async (service: TestService) => (await service.outbox.nextMail()).subject;

describeService(
  'a service with languages',
  (service) => {
    beforeEach(() => service.write({ password }));

    it.each([
      ['de', 'Benutzername oder Passwort'],
      ['de-AT,de;q=0.9,en;q=0.8', 'Benutzername oder Passwort'],
      ['fi, es;q=0.5', 'usuario'],
      ['fi', 'We were unable to match the User ID and password you entered.'],
      ['', 'We were unable to match the User ID and password you entered.'],
    ])('words a refusal for a caller that accepts %s', async (accepted, words) => {
      const { body, status } = await token(service, accepted, 'Wrong-horse7');
      expect([status, body]).toEqual([
        401,
        { error: { code: 'invalid_credentials', message: expect.stringContaining(words) as string } },
      ]);
    });

    it('writes mails in the language of the last sign-in if the reset request names none', async () => {
      await token(service, 'es');
      await service.post('/password-reset/v1/forgot-password', { email: ada });
      expect(await subjectOf(service)).not.toBe('Reset your password');
      await token(service, 'en');
      await service.directory.links.reset(ada, { mail: true });
      expect(await subjectOf(service)).toBe('Reset your password');
    });

    it('writes mails in the language of the reset request, with lang and dir', async () => {
      await service.post(
        '/password-reset/v1/forgot-password',
        { email: ada },
        { headers: { 'Accept-Language': 'ar' } },
      );
      const { html, text } = await service.outbox.nextMail();
      expect(html).toContain('<html lang="ar" dir="rtl">');
      expect(text).toContain('كلمة مرور');
      expect(text).toContain('ada@example.com');
      expect((await service.directory.accounts.exportPerson(ada)).language).toBe('ar');
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
  expect((await service.directory.accounts.exportPerson(ada)).language).toBeNull();
  await service.close();
});

it.each(languages)('a code in %s fits into one text message', (language) => {
  const text = wordedForPhone(mfaTexts.code('123456', 'Payments', mfaTexts.minutes(10)), language);
  const whole = `${text}\n\n@login.example.com #123456`;
  expect(text).toContain('123456');
  expect(smsSegments(whole)).toBe(1);
});
