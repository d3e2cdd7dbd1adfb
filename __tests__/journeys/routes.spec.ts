import { cookieName } from './support/familyCookies';
import { password, people } from './support/people';
import { expect, test } from './support/test';

test.describe('Addresses', () => {
  for (const path of [
    '/',
    '/nowhere',
    '/login/extra',
    '/account-settings/',
    '/assets-of-mine',
    '/index.html',
  ]) {
    test(`${path} leads somebody signed in to the account settings`, async ({
      page,
      settings,
      signedInAs,
    }) => {
      await signedInAs(people.sam);
      await page.goto(path);

      await expect(page.getByRole('heading', { name: 'Password', exact: true })).toBeVisible();
      await expect(page).toHaveURL(/\/account-settings\/?$/);
      await expect(settings.logoutButton).toBeVisible();
    });
  }

  for (const [path, query] of [
    ['/', ''],
    ['/nowhere', '?application=treasury&url=%2Faccount-settings&x=%20y'],
    ['/account-settings', ''],
    ['/account-settings', '?supplierHub=true'],
    ['/mfa-options', '?application=e-pay'],
  ] as const) {
    test(`${path}${query} leads somebody else to the login, query kept`, async ({ page, world, login }) => {
      await page.goto(path + query);

      await expect(login.username).toBeVisible();
      await expect(page).toHaveURL(`${world.origin('app')}/login${query}`);
    });
  }

  test('a sign-in that began at an unknown address uses its query', async ({ page, login, hub, world }) => {
    await page.goto(`/nowhere?url=${encodeURIComponent(`${world.origin('hub')}/`)}`);
    await login.signInAs(people.ada, password);

    await hub.expectSignedIn('Ada');
  });

  test('/unauthorized says that the link has expired', async ({ page, world }) => {
    await page.goto('/unauthorized');

    await expect(page.getByRole('heading', { name: 'Your Link Has Expired', exact: true })).toBeVisible();
    await expect(
      page.getByText('Sorry, your link is either invalid or expired.', { exact: true }),
    ).toBeVisible();
    await expect(page.getByRole('link', { name: 'support@payments.example', exact: true })).toHaveAttribute(
      'href',
      'mailto:support@payments.example',
    );
    const site = page.getByRole('main').getByRole('link').last();
    await expect(site).toHaveAttribute('href', `${world.origin('start')}/`);
    await site.click();
    await expect(page).toHaveURL(`${world.origin('start')}/`);
  });

  test('/unauthorized is there for somebody signed in too, and keeps the session', async ({
    page,
    cookies,
    signedInAs,
  }) => {
    await signedInAs(people.sam);
    await page.goto('/unauthorized');

    await expect(page.getByRole('heading', { name: 'Your Link Has Expired', exact: true })).toBeVisible();
    expect(await cookies.read(cookieName.session)).toBeDefined();
  });

  test('a request to change the password leads to the place for it', async ({ world }) => {
    const answer = await world.request('app', { method: 'GET', path: '/.well-known/change-password' });

    expect(answer.status).toBe(302);
    expect(answer.headers.location).toBe('/reset-password-verify');
  });
});
