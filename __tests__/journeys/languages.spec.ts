import { readFileSync } from 'node:fs';
import type { BrowserContext, Page } from '@playwright/test';
import catalogueBuild from '../../scripts/build/catalogues.js';
import { offers } from './support/runEnvironment';
import { holdRequests } from './support/holdRequests';
import { failedRequest } from './support/pageFaults';
import { expect, test } from './support/test';
import { password, users } from './support/users';

const translated = catalogueBuild.languagesIn('locales');
test.use({ languages: [['en', ...translated], { scope: 'worker' }] });

/** The English texts of page and service that differ from their translations, without those that have placeholders. */
function englishTexts(language: string): ReadonlySet<string> {
  const files = ['locales', 'packages/service/locales'].map((folder) => `${folder}/${language}.po`);
  const entries = files
    .map((file) => readFileSync(file, 'utf8'))
    .join('')
    .matchAll(/^msgid "(.*)"\nmsgstr "(.*)"$/gm);
  const pairs = Array.from(entries, ([, english = '', translation = '']) => ({ english, translation }));
  // The label of the brand is no text of the page, and the title of a section is equal to it.
  const same = new Set(['Payments', ...pairs.map(({ translation }) => translation)]);
  return new Set(
    pairs.map(({ english }) => english).filter((one) => one !== '' && !same.has(one) && !one.includes('{')),
  );
}

/** Collects every line that the pages show, from the first frame on. */
async function watchTexts(context: BrowserContext): Promise<ReadonlySet<string>> {
  const seen = new Set<string>();
  await context.exposeFunction('textsSeen', (lines: readonly string[]) => {
    for (const line of lines) seen.add(line);
  });
  await context.addInitScript(() => {
    let last = '';
    const look = (): void => {
      const names = Array.from(
        document.querySelectorAll('[aria-label], [placeholder]'),
        (one) => `${one.getAttribute('aria-label') ?? ''}\n${one.getAttribute('placeholder') ?? ''}`,
      );
      const text = [document.body.innerText, ...names].join('\n');
      if (text !== last)
        (window as unknown as { textsSeen: (lines: string[]) => void }).textsSeen(text.split('\n'));
      last = text;
      requestAnimationFrame(look);
    };
    addEventListener('DOMContentLoaded', look);
  });
  return seen;
}

const signIn = async (page: Page, username: string, entered = password): Promise<void> => {
  await page.locator('[name=username]').fill(username);
  await page.locator('[type=submit]').first().click();
  await page.locator('[autocomplete="current-password"]').fill(entered);
  await page.locator('[type=submit]').first().click();
};

for (const language of translated)
  test.describe(`In ${language}`, () => {
    test.use({ locale: language });

    test(`shows no English text from /login to the settings and /mfa-options${language === 'ar' ? '' : ' @long'}`, async ({
      page,
      context,
      pageFaults,
    }) => {
      pageFaults.allow(failedRequest(401));
      const seen = await watchTexts(context);
      await page.goto('/login');
      await expect(page.locator('html')).toHaveAttribute('lang', language);
      await expect(page.locator('html')).toHaveAttribute('dir', language === 'ar' ? 'rtl' : 'ltr');
      await expect(page.getByRole('combobox')).toHaveValue(language);
      await page.goto('/forgot-password');
      await expect(page.locator('[type=email], [name=email]').first()).toBeVisible();
      await page.goto('/account-settings');
      await signIn(page, users.several, `${password}-wrong`);
      const refusal = page.getByRole('alertdialog');
      await refusal.getByRole('button').first().click();
      await expect(refusal).toBeHidden();
      await page.goto('/account-settings');
      await signIn(page, users.several);
      await expect(page).toHaveURL(/\/account-settings$/);
      await expect(page.getByRole('heading')).not.toHaveCount(1);
      if (offers('sessions')) await page.goto('/account-activity');
      await expect(page.locator('time').first()).toBeVisible();
      await page.goto('/mfa-options');
      await expect(page.locator('main a, main button').first()).toBeVisible();
      const english = englishTexts(language);
      expect([...seen].filter((line) => english.has(line.trim()))).toEqual([]);
      expect(seen.size).toBeGreaterThan(40);
    });
  });

test('a choice changes every tab at once, keeps what was typed, and is kept', async ({ page, context }) => {
  await page.addInitScript(() => {
    addEventListener('DOMContentLoaded', () => {
      Object.assign(window, { firstField: document.querySelector('[name=username]') });
    });
  });
  await page.goto('/login');
  await expect(page.getByLabel('Language')).toBeVisible();
  const isSame = (): boolean =>
    (window as { firstField?: unknown }).firstField === document.querySelector('[name=username]');
  expect(await page.evaluate(isSame), 'the pre-rendered field is kept').toBe(true);
  const other = await context.newPage();
  await other.goto('/login');
  await page.getByLabel('Username', { exact: true }).fill('ada');
  await page.getByLabel('Language').focus();
  await page.getByLabel('Language').selectOption('Deutsch');
  await expect(page.getByLabel('Benutzername', { exact: true })).toHaveValue('ada');
  await expect(page.getByLabel('Sprache')).toBeFocused();
  await expect(other.getByRole('heading', { name: 'Willkommen' })).toBeVisible();
  await expect(other).toHaveTitle('Anmelden – Payments');
  const cookie = (await context.cookies()).find(({ name }) => name === 'payments-local-language');
  expect(cookie).toMatchObject({ value: 'de', domain: '.payments.localhost', path: '/', sameSite: 'Lax' });
  await other.reload();
  await expect(other.locator('html')).toHaveAttribute('lang', 'de');
  await other.goto('/login?ui_locales=es');
  await expect(other.getByRole('heading', { name: 'Willkommen' })).toBeVisible();
});

/** Moves down the list of languages. Each press is a choice. */
const pressDown = async (page: Page, times: number): Promise<void> => {
  await page.locator('footer select').focus();
  for (let press = 0; press < times; press += 1) await page.keyboard.press('ArrowDown');
};
const languageOf = (page: Page) =>
  page.evaluate(() => [document.documentElement.lang, document.querySelector('select')?.value]);

test('every tab shows the last choice, even if an earlier one is still loading', async ({
  page,
  context,
}) => {
  const other = await context.newPage();
  for (const tab of [page, other]) {
    await tab.goto('/login');
    await expect(tab.getByLabel('Language')).toBeVisible();
  }
  const release = await holdRequests(other, /\/assets\/\w+\.login\.\w+\.json/);
  await pressDown(page, 4);
  const last = translated[3];
  await expect.poll(() => languageOf(page)).toEqual([last, last]);
  // While the other tab waits for a language, the user chooses the language that it still shows.
  await expect(other.getByRole('combobox')).toHaveValue(String(last));
  await page.getByRole('combobox').selectOption('en');
  await expect(other.getByRole('combobox')).toHaveValue('en');
  release();
  for (const tab of [page, other]) await expect.poll(() => languageOf(tab)).toEqual(['en', 'en']);
  // A tab that is still loading its own choice changes to a later choice in another tab.
  const releaseOwn = await holdRequests(page, /\/assets\/\w+\.login\.\w+\.json/);
  await page.getByRole('combobox').selectOption('pl');
  await expect(other.getByRole('combobox')).toHaveValue('pl');
  await other.getByRole('combobox').selectOption('de');
  await expect(page.getByRole('combobox')).toHaveValue('de');
  releaseOwn();
  for (const tab of [page, other]) await expect.poll(() => languageOf(tab)).toEqual(['de', 'de']);
});

test.describe('Texts that arrive after the code', () => {
  test.use({ locale: 'de' });
  const late = /\/assets\/de\.rest\.\w+\.json/;

  test('show the loading screen until they arrive, and the page is never partly English', async ({
    page,
    context,
  }) => {
    const seen = await watchTexts(context);
    const release = await holdRequests(page, late);
    await page.goto('/login');
    await page.goto('/forgot-password');
    await expect(page.getByRole('status').getByRole('heading')).toHaveText('Wird geladen …');
    release();
    await expect(page.getByRole('heading', { name: 'Link zum Zurücksetzen anfordern' })).toBeVisible();
    const english = englishTexts('de');
    expect([...seen].filter((line) => english.has(line.trim()))).toEqual([]);
  });

  test('make the whole page English if they do not load, with one dialog, and the choice is kept', async ({
    page,
    context,
    pageFaults,
  }) => {
    pageFaults.allow(failedRequest('ERR_FAILED'));
    await page.goto('/login');
    await page.getByLabel('Sprache').selectOption('Deutsch');
    let requests = 0;
    await page.route(late, async (route) => {
      requests += 1;
      await route.abort();
    });
    await page.goto('/forgot-password');
    const said = page.getByRole('alertdialog', { name: 'Language' });
    await expect(said).toContainText('We could not reach the service.');
    await said.getByRole('button').first().click();
    await expect(page.getByRole('heading', { name: 'Request a reset link' })).toBeVisible();
    await expect(page).toHaveTitle('Request a reset link – Payments');
    await expect.poll(() => languageOf(page)).toEqual(['en', 'de']);
    await page.getByRole('link', { name: 'Back to Login' }).click();
    await expect(page.getByRole('heading', { name: 'Welcome' })).toBeVisible();
    await expect(page.getByRole('alertdialog')).toBeHidden();
    expect(requests).toBe(2);
    await page.reload();
    await expect(page.getByRole('heading', { name: 'Willkommen' })).toBeVisible();
    const cookie = (await context.cookies()).find(({ name }) => name === 'payments-local-language');
    expect(cookie?.value).toBe('de');
  });
});
