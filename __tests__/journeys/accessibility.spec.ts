import { expectAccessible } from './support/accessible';
import { failedRequest } from './support/pageFaults';
import { passwordTours } from './support/passwordTours';
import { password, people } from './support/people';
import { expect, test } from './support/test';
import { sessionTours } from './support/sessionTours';
import { twoStepTours } from './support/twoStepTours';

const tours = { ...twoStepTours, ...passwordTours, ...sessionTours };

for (const { look, query } of [
  { look: 'default', query: '' },
  { look: 'e-pay', query: '?application=e-pay' },
]) {
  test.describe(`In the ${look} look, everybody can use`, () => {
    test('the first step of the login', async ({ page, login }) => {
      await login.open(query);
      await expect(login.username).toBeVisible();
      await expectAccessible(page);
      await login.typeUsername(people.ada);
      await expect(login.nextButton).toBeEnabled();
      await expectAccessible(page);
    });

    test('the second step of the login, with every method', async ({ page, login }) => {
      await login.open(query);
      await login.enterUsername(people.alma);
      await login.typePassword(password);
      await expect(login.signInButton).toBeEnabled();
      await expectAccessible(page);
    });

    test('the line beside a provider’s window', async ({ page, login, openProvider }) => {
      await login.open(query);
      await login.enterUsername(people.alma);
      await login.typePassword(password);
      await openProvider(() => login.google.click());
      await expect(login.providerLine).toHaveText('Continue in the Google window.');
      await expectAccessible(page);
    });

    test('the error dialog', async ({ page, login }) => {
      await login.open(query);
      await login.enterUsername(people.nobody);
      await login.expectLoginError('No Login Methods available');
      await expectAccessible(page);
    });

    test('the account settings', async ({ page, login, settings }) => {
      await login.open(query);
      await login.signInAs(people.sam, password);
      await settings.expectOpen();
      await settings.expectLastChange('March 5th, 2026 at 9:07 am');
      await expectAccessible(page);
    });

    test('the page of an expired link', async ({ page }) => {
      await page.goto(`/unauthorized${query}`);
      await expect(page.getByRole('heading', { name: 'Your Link Has Expired', exact: true })).toBeVisible();
      await expectAccessible(page);
    });

    test('the last line of a provider’s window', async ({ page }) => {
      await page.goto(`/oauth-redirect${query}`);
      await expect(page.getByRole('button', { name: 'Close Window', exact: true })).toBeVisible();
      await expectAccessible(page);
    });

    for (const [subject, tour] of Object.entries(tours)) {
      test(
        subject,
        async ({ page, world, login, twoStep, codes, passwords, signedInAs, openProvider, pageFaults }) => {
          // Six screens, each in two colour schemes.
          test.setTimeout(180_000);
          pageFaults.allow(failedRequest(401));
          const walker = { page, world, login, twoStep, codes, passwords, signedInAs, openProvider };
          await tour(walker, query, async (screen, time) => {
            await test.step(screen, () => expectAccessible(page, time));
          });
        },
      );
    }
  });
}
