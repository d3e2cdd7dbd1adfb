import { password, users } from './support/users';
import { expect, test } from './support/test';

test.describe('Leaving the account settings', () => {
  test(
    'the browser’s Back does not lead to a submitted form',
    { tag: '@long' },
    async ({ page, environment, login, ledger }) => {
      await page.goto(`${environment.origin('start')}/`);
      await page.getByRole('link', { name: 'Open the sign-in page', exact: true }).click();
      await login.signInAs(users.ada, password);
      await ledger.expectSignedIn('Ada');
      await page.goBack({ waitUntil: 'commit' });

      await expect(page).toHaveURL(`${environment.origin('start')}/`);
    },
  );

  test(
    'the browser’s Back after Logout does not show the account',
    { tag: '@long' },
    async ({ page, environment, login, settings, signedInAs }) => {
      await signedInAs(users.several);
      await page.goto(`${environment.origin('start')}/`);
      await settings.open();
      await settings.expectOpen();
      await settings.logoutButton.click();
      await expect(login.username).toBeVisible();
      await page.goBack({ waitUntil: 'commit' });

      await expect(page).toHaveURL(`${environment.origin('start')}/`);
    },
  );

  test(
    'the browser’s Back to the settings leads to the login after a sign-out in another tab',
    { tag: '@long' },
    async ({ page, environment, login, ledger, atSettings }) => {
      await atSettings(users.several);
      await ledger.open();
      await ledger.expectSignedIn('Sam');
      await page.getByRole('button', { name: 'Sign out', exact: true }).click();
      await ledger.expectNobodySignedIn();
      await page.goBack({ waitUntil: 'commit' });

      await expect(login.username).toBeVisible();
      await expect(page).toHaveURL(`${environment.origin('app')}/login`);
      await expect(page.getByText('March 5th, 2026')).toHaveCount(0);
    },
  );
});
