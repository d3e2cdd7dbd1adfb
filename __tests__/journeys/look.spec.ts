import path from 'node:path';
import type { Page } from '@playwright/test';
import { password, people } from './support/people';
import { expect, test } from './support/test';

const pictures = path.resolve(__dirname, '../../test-results/look');

const sizes = [
  { width: 320, height: 640 },
  { width: 360, height: 780 },
  { width: 1280, height: 800 },
] as const;

/** Every screen in every look, for a person to look at: `npx playwright test --grep @look`. */
for (const look of ['default', 'epay'] as const) {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const viewport of sizes) {
      const name = `${look}-${colorScheme}-${String(viewport.width)}`;
      test.describe(`@look ${name}`, () => {
        test.use({ viewport, colorScheme });
        const query = look === 'epay' ? '?application=e-pay' : '';
        const picture = async (page: Page, screen: string): Promise<void> => {
          await page.screenshot({
            path: path.join(pictures, `${screen}-${name}.png`),
            animations: 'disabled',
          });
          // Nothing may stick out to the side.
          expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width);
        };

        test('@look the screens of the sign-in', async ({ page, login, settings }) => {
          await login.open(query);
          await expect(login.username).toBeVisible();
          await picture(page, 'login-username');
          await login.enterUsername(people.nobody);
          await login.expectLoginError('No Login Methods available');
          await picture(page, 'login-error');
          await login.closeLoginError();
          await login.enterUsername(people.alma);
          await expect(login.password).toBeVisible();
          await picture(page, 'login-methods');
          await login.google.click();
          await expect(login.providerLine).toBeVisible();
          await picture(page, 'login-provider-waiting');
          await login.backLink(people.alma).click();
          await login.signInAs(people.sam, password);
          await settings.expectOpen();
          await settings.expectLastChange('March 5th, 2026 at 9:07 am');
          await picture(page, 'account-settings');
          await page.goto(`/unauthorized${query}`);
          await expect(page.getByRole('heading', { name: 'Your Link Has Expired' })).toBeVisible();
          await picture(page, 'unauthorized');
          await page.goto(`/oauth-redirect${query}`);
          await expect(page.getByRole('button', { name: 'Close Window' })).toBeVisible();
          await picture(page, 'oauth-redirect');
        });
      });
    }
  }
}
