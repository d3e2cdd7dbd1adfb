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

test.describe('Leaving', () => {
  test('Logout takes the session away and leaves trust and remembered username', async ({
    page,
    world,
    cookies,
    login,
    settings,
    signedInAs,
  }) => {
    await signedInAs(people.sam);
    await cookies.leave(cookieName.username, people.sam);
    await cookies.leave(cookieName.trust(people.sam), 'trusted');
    await settings.open();
    await settings.expectOpen();
    await settings.logoutButton.click();

    await expect(login.username).toHaveValue(people.sam);
    await expect(page).toHaveURL(`${world.origin('app')}/login`);
    expect(await cookies.names()).toEqual([cookieName.trust(people.sam), cookieName.username].sort());
  });

  test('Logout is seen by the sibling applications', async ({ login, settings, ledger, signedInAs }) => {
    await signedInAs(people.sam);
    await ledger.open();
    await ledger.expectSignedIn('Sam');
    await settings.open();
    await settings.logoutButton.click();
    await expect(login.username).toBeVisible();
    await ledger.open();

    await ledger.expectNobodySignedIn();
  });

  test('Back leads to the supplier site, still signed in', async ({ settings, hub, signedInAs }) => {
    await signedInAs(people.sam);
    await settings.open();
    await settings.expectOpen();
    await settings.backButton.click();

    await hub.expectSignedIn('Sam');
  });

  for (const button of ['backButton', 'logoutButton'] as const) {
    test(`${button === 'backButton' ? 'Back' : 'Logout'} in setup mode clears it and leads to the sign-on`, async ({
      page,
      world,
      cookies,
      login,
      settings,
    }) => {
      await login.open();
      await login.signInAs(people.suki, password);
      await settings.expectOpen();
      await settings[button].click();

      await expect(login.username).toBeVisible();
      await expect(page).toHaveURL(`${world.origin('app')}/login`);
      expect(await cookies.names()).toEqual([]);
    });
  }

  test('the browser’s Back does not lead to a form that was sent', async ({ page, world, login, ledger }) => {
    await page.goto(`${world.origin('start')}/`);
    await page.getByRole('link', { name: 'Open the sign-in page', exact: true }).click();
    await login.signInAs(people.ada, password);
    await ledger.expectSignedIn('Ada');
    await page.goBack({ waitUntil: 'commit' });

    await expect(page).toHaveURL(`${world.origin('start')}/`);
  });

  test('the browser’s Back after Logout does not show the account again', async ({
    page,
    world,
    login,
    settings,
    signedInAs,
  }) => {
    await signedInAs(people.sam);
    await page.goto(`${world.origin('start')}/`);
    await settings.open();
    await settings.expectOpen();
    await settings.logoutButton.click();
    await expect(login.username).toBeVisible();
    await page.goBack({ waitUntil: 'commit' });

    await expect(page).toHaveURL(`${world.origin('start')}/`);
  });

  test('the browser’s Back to settings left open meets the login when somebody signed out meanwhile', async ({
    page,
    world,
    settings,
    login,
    ledger,
    signedInAs,
  }) => {
    await signedInAs(people.sam);
    await settings.open();
    await settings.expectOpen();
    await ledger.open();
    await ledger.expectSignedIn('Sam');
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await ledger.expectNobodySignedIn();
    await page.goBack({ waitUntil: 'commit' });

    await expect(login.username).toBeVisible();
    await expect(page).toHaveURL(`${world.origin('app')}/login`);
    await expect(page.getByText('March 5th, 2026')).toHaveCount(0);
  });
});
