import type { AppConfig, Theme } from '@vestibule/contract/appConfig';
import { configIn, fillPage } from '@vestibule/contract/page';
import type { Page } from '@playwright/test';
import type { LocalEnvironment } from './support/environment';
import { servePage } from './support/servePage';
import { expect, test } from './support/test';

test('A brand with a theme has its colours, logo and font before the code is there', async ({
  page,
  environment,
}) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await page.route(/\/assets\/.*\.js$/, () => new Promise(() => undefined));
  const files: string[] = [];
  page.on('response', (response) => {
    if (response.ok()) files.push(new URL(response.url()).pathname);
  });
  // The scripts never come, so the page is never loaded.
  await page.goto(`${environment.origin('app')}/login?application=northwind`, { waitUntil: 'commit' });
  await expect(page.getByText('Northwind')).toBeVisible();
  await page.getByLabel('Username').fill('ada');
  const next = page.getByRole('button', { name: 'Next' });
  await expect(next).toHaveCSS('background-color', 'rgb(138, 43, 14)');
  await expect(next).toHaveCSS('color', 'rgb(255, 244, 236)');
  await expect(next).toHaveCSS('border-radius', '20px');
  await expect(page.locator('html')).toHaveCSS('background-color', 'rgb(251, 243, 228)');
  await expect
    .poll(() => files.filter((file) => /\/(?:logo|font)\./.test(file)))
    .toEqual(expect.arrayContaining([expect.stringMatching(/svg$/), expect.stringMatching(/woff2$/)]));
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(next).toHaveCSS('background-color', 'rgb(255, 181, 154)');
  const lead = page.getByText('Enter your username to continue.');
  const quiet = await lead.evaluate((element) => getComputedStyle(element).color);
  await page.emulateMedia({ contrast: 'more' });
  await expect(lead).not.toHaveCSS('color', quiet);
});

test('A theme stays with its tab, and other brands look as before', async ({ page, environment }) => {
  await page.goto(`${environment.origin('app')}/login?application=northwind`);
  await expect(page.getByLabel('Username')).toBeVisible();
  await page.goto(`${environment.origin('app')}/forgot-password`);
  await expect(page.locator('[data-theme=northwind]')).toBeVisible();
  await page.goto(`${environment.origin('app')}/login?application=ledger`);
  await expect(page.getByText('Ledger')).toBeVisible();
  await expect(page.locator('[data-theme]')).toHaveCount(0);
  await expect(page.locator('html')).toHaveCSS('background-color', 'rgb(238, 242, 242)');
});

/** Serves the page with this theme as the default brand. Its scripts never load, because this page may not call the service. */
async function serveTheme(page: Page, environment: LocalEnvironment, theme: Theme): Promise<void> {
  await page.route(/\/assets\/.*\.js$/, () => new Promise(() => undefined));
  await servePage(page, environment, {
    headers: { 'content-security-policy': '' },
    html: (html) => {
      const config = configIn(html) as AppConfig;
      const brands = { ...config.brands, default: { label: 'Acme', look: 'default', theme } };
      return fillPage(html, { ...config, brands }).identity.toString();
    },
  });
}

const light = { primary: '#0a5a66', surface: '#ffffff', background: '#ffffff', text: '#111111' };
const dark = { primary: '#6fc9d3', surface: '#111111', background: '#000000', text: '#ffffff' };

for (const [name, theme, scheme] of [
  ['light', light, 'dark'],
  ['dark', dark, 'light'],
] as const)
  test(`In a ${scheme} browser, the checkbox of a ${name} theme is ${name}`, async ({
    page,
    environment,
  }) => {
    await serveTheme(page, environment, theme);
    await page.emulateMedia({ colorScheme: scheme });
    const login = `${environment.origin('app')}/login`;
    await page.goto(login, { waitUntil: 'commit' });
    const box = page.getByLabel('Remember Me');
    await expect(page.locator('html')).toHaveCSS('color-scheme', `${name} only`);
    await expect(box).toHaveCSS('color-scheme', `${name} only`);
    await page.goto(`${login}?application=ledger`, { waitUntil: 'commit' });
    await expect(box).toHaveCSS('color-scheme', 'light dark');
  });

test('The bars of the browser have the colour of the brand that is shown', async ({ page, environment }) => {
  const bars = async () =>
    await page
      .locator('meta[name=theme-color]')
      .evaluateAll((metas) => metas.map((meta) => (meta as HTMLMetaElement).content));
  const login = `${environment.origin('app')}/login`;
  await page.goto(login);
  await expect(page.getByLabel('Username')).toBeVisible();
  expect(await bars()).toEqual(['#eef2f2', '#0b1518']);
  await page.goto(`${login}?application=e-pay`);
  await expect.poll(bars).toEqual(['#f5f3f0', '#121019']);
  await page.goto(`${login}?application=northwind`);
  await expect.poll(bars).toEqual(['#fbf3e4', '#17110b']);
  await page.goto(`${environment.origin('app')}/forgot-password`);
  await expect.poll(bars).toEqual(['#fbf3e4', '#17110b']);
  await page.route(/\/assets\/.*\.js$/, () => new Promise(() => undefined));
  await page.goto(`${login}?application=northwind`, { waitUntil: 'commit' });
  await expect.poll(bars).toEqual(['#fbf3e4', '#17110b']);
});

test('In forced colours, a company with a logo does not show the symbol of the product', async ({
  page,
  environment,
}) => {
  await page.goto(`${environment.origin('app')}/login?application=northwind`);
  const sign = page.locator('header svg');
  await expect(sign).toHaveCSS('background-image', /logo/);
  await page.emulateMedia({ forcedColors: 'active' });
  await expect(page.getByText('Northwind')).toBeVisible();
  await expect(sign).toBeHidden();
  await page.goto(`${environment.origin('app')}/login?application=ledger`);
  await expect(sign).toBeVisible();
});
