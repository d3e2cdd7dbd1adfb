import { cookieName } from './support/familyCookies';
import { password, users } from './support/users';
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

  test(
    'of a page that needs a session leads to the login with its query, which the sign-in uses',
    { tag: '@long' },
    async ({ page, environment, login, hub }) => {
      for (const [path, query] of [
        ['/', ''],
        ['/account-settings', '?supplierHub=true'],
        ['/mfa-options', '?application=e-pay'],
        ['/two-auth', '?supplierHub=true&url=%2Faccount-settings'],
        ['/nowhere', `?url=${encodeURIComponent(`${environment.origin('hub')}/`)}&x=%20y`],
      ] as const) {
        await page.goto(path + query);
        await expect(login.username).toBeVisible();
        await expect(page).toHaveURL(`${environment.origin('app')}/login${query}`);
      }
      await login.signInAs(users.ada, password);

      await hub.expectSignedIn('Ada');
    },
  );

  test(
    '/unauthorized says that the link has expired, keeps a session, and links to the product’s site',
    { tag: '@long' },
    async ({ page, environment, cookies, signedInAs }) => {
      await signedInAs(users.several);
      await page.goto('/unauthorized');

      await expect(page.getByRole('heading', { name: 'Your Link Has Expired', exact: true })).toBeVisible();
      await expect(
        page.getByText('Sorry, your link is either invalid or expired.', { exact: true }),
      ).toBeVisible();
      await expect(page.getByRole('link', { name: 'support@payments.example', exact: true })).toHaveAttribute(
        'href',
        'mailto:support@payments.example',
      );
      expect(await cookies.read(cookieName.session)).toBeDefined();
      const site = page.getByRole('main').getByRole('link').last();
      await expect(site).toHaveAttribute('href', `${environment.origin('start')}/`);
      await site.click();
      await expect(page).toHaveURL(`${environment.origin('start')}/`);
    },
  );

  test('/.well-known/change-password redirects to the password change', async ({ page, signedInAs }) => {
    await signedInAs(users.several);
    await page.goto('/.well-known/change-password');
    await expect(page).toHaveURL(/\/reset-password-verify$/);
  });
});
