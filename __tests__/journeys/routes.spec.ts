import { users } from './support/users';
import { expect, test } from './support/test';

test.describe('The address', () => {
  test('of an unknown page leads a user with a session to the account settings', async ({
    page,
    settings,
    signedInAs,
  }) => {
    await signedInAs(users.several);
    for (const path of ['/', '/login/extra', '/account-settings/', '/assets-of-mine', '/index.html']) {
      await page.goto(path);
      await expect(settings.main.getByRole('heading', { name: 'Password', exact: true }), path).toBeVisible();
      await expect(page).toHaveURL(/\/account-settings\/?$/);
      await expect(settings.logoutButton).toBeVisible();
    }
  });

  test('/.well-known/change-password redirects to the password change', async ({ page, signedInAs }) => {
    await signedInAs(users.several);
    await page.goto('/.well-known/change-password');
    await expect(page).toHaveURL(/\/reset-password-verify$/);
  });
});
