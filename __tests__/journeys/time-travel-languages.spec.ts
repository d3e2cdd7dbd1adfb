import { Extension } from './support/extension';
import { expect, test } from './support/test';
import { password, users } from './support/users';

test.use({ devTools: true, languages: [['en', 'de', 'ar'], { scope: 'worker' }] });

test('A jump of Redux DevTools shows each screen in the language of its moment', async ({ page, login }) => {
  const extension = new Extension(page);
  await extension.install();
  await login.open();
  const choose = async (label: string, name: string) => {
    await page.getByLabel(label).selectOption(name);
  };
  const expectScreen = async (lang: string, dir: string, heading: string, title: string) => {
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading);
    await expect(page.locator('html')).toHaveAttribute('lang', lang);
    await expect(page.locator('html')).toHaveAttribute('dir', dir);
    await expect(page).toHaveTitle(title);
  };
  await login.username.fill(users.several);
  await login.username.press('Enter');
  await expectScreen('en', 'ltr', 'Enter your password', 'Sign In – Payments');
  await choose('Language', 'Deutsch');
  await expectScreen('de', 'ltr', 'Passwort eingeben', 'Anmelden – Payments');
  await page.locator('[autocomplete="current-password"]').fill(password);
  await page.locator('[type=submit]').first().click();
  await expectScreen('de', 'ltr', 'Kontoeinstellungen', 'Kontoeinstellungen – Payments');
  await choose('Sprache', 'العربية');
  const settings = 'إعدادات الحساب';
  await expectScreen('ar', 'rtl', settings, `${settings} – Payments`);

  await extension.jump('signIn/methodsLoaded');
  await expectScreen('en', 'ltr', 'Enter your password', 'Sign In – Payments');
  await extension.jump('languages/languageShown');
  await expectScreen('de', 'ltr', 'Passwort eingeben', 'Anmelden – Payments');
  await extension.jump('session/sessionStarted');
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  await extension.jump();
  await expectScreen('ar', 'rtl', settings, `${settings} – Payments`);
});
