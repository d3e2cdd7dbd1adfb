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
