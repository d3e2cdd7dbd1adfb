import path from 'node:path';
import type { Page } from '@playwright/test';
import { failedRequest } from './support/pageFaults';
import { passwordTours } from './support/passwordTours';
import { password, people } from './support/people';
import { stickingOut } from './support/stickingOut';
import { expect, test } from './support/test';
import { sessionTours } from './support/sessionTours';
import { twoStepTours } from './support/twoStepTours';

const tours = { ...twoStepTours, ...passwordTours, ...sessionTours };

const sizes = [
  { width: 320, height: 640 },
  { width: 360, height: 780 },
  { width: 1280, height: 800 },
] as const;

/** Pictures of a screen in every size and colour scheme, and a check that nothing reaches over the sides. */
async function drawEverySize(page: Page, name: string): Promise<void> {
  const folder = path.join(test.info().project.outputDir, 'look');
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const size of sizes) {
      await page.setViewportSize(size);
      const file = path.join(folder, `${name}-${colorScheme}-${String(size.width)}.png`);
      await page.screenshot({ path: file, animations: 'disabled', fullPage: true });
      expect(await page.evaluate(stickingOut), `${name} at ${String(size.width)} px`).toEqual([]);
    }
  }
}

/** Every screen in every look, for a person to look at: `npx playwright test --grep @look`. */
for (const look of ['default', 'epay'] as const) {
  test.describe(`@look ${look}`, () => {
    test.slow();
    const query = look === 'epay' ? '?application=e-pay' : '';

    test('@look the screens of the sign-in', async ({ page, login, settings }) => {
      const picture = (screen: string) => drawEverySize(page, `${screen}-${look}`);
      await login.open(query);
      await expect(login.username).toBeVisible();
      await picture('login-username');
      await login.enterUsername(people.nobody);
      await login.expectLoginError('No Login Methods available');
      await picture('login-error');
      await login.closeLoginError();
      await login.enterUsername(people.alma);
      await expect(login.password).toBeVisible();
      await picture('login-methods');
      await login.google.click();
      await expect(login.providerLine).toBeVisible();
      await picture('login-provider-waiting');
      await login.backLink(people.alma).click();
      await login.signInAs(people.sam, password);
      await settings.expectOpen();
      await settings.expectLastChange('March 5th, 2026 at 9:07 am');
      await picture('account-settings');
      await page.goto(`/unauthorized${query}`);
      await expect(page.getByRole('heading', { name: 'Your Link Has Expired' })).toBeVisible();
      await picture('unauthorized');
      await page.goto(`/oauth-redirect${query}`);
      await expect(page.getByRole('button', { name: 'Close Window' })).toBeVisible();
      await picture('oauth-redirect');
    });

    for (const [subject, tour] of Object.entries(tours)) {
      test(`@look ${subject}`, async ({
        page,
        world,
        login,
        twoStep,
        codes,
        passwords,
        signedInAs,
        openProvider,
        pageFaults,
      }) => {
        pageFaults.allow(failedRequest(401));
        const walker = { page, world, login, twoStep, codes, passwords, signedInAs, openProvider };
        await tour(walker, query, (screen) => drawEverySize(page, `${screen}-${look}`));
      });
    }
  });
}
