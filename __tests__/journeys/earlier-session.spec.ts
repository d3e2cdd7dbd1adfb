import { people } from './support/people';
import { expect, test } from './support/test';
import { unsignedToken } from './support/unsignedToken';

test.describe('A session from before', () => {
  test('leads straight to the application, without a call', async ({ world, login, ledger, signedInAs }) => {
    await signedInAs(people.ada);
    await login.open();

    await ledger.expectSignedIn('Ada');
    expect(await world.calls()).toEqual([]);
  });

  test('leads to the account settings where there are several applications', async ({
    login,
    settings,
    signedInAs,
  }) => {
    await signedInAs(people.sam);
    await login.open();

    await settings.expectOpen();
  });

  test('that has expired is cleared, and the form is there', async ({ page, world, cookies, login }) => {
    await page.goto(`${world.origin('ledger')}/plant/expired`);

    await login.expectUsable(people.ada);
    await expect(page).toHaveURL(`${world.origin('app')}/login`);
    expect(await cookies.names()).toEqual([]);
  });

  test('that expired a second ago is cleared on the account settings too', async ({
    page,
    world,
    cookies,
    login,
    settings,
  }) => {
    const now = Math.floor(Date.now() / 1000);
    await cookies.leaveSession({ token: unsignedToken({ iat: now - 900, exp: now - 1 }), refresh: 'old' });
    await settings.open();

    await expect(login.username).toBeVisible();
    await expect(page).toHaveURL(`${world.origin('app')}/login`);
    expect(await cookies.names()).toEqual([]);
    expect(await world.calls()).toEqual([]);
  });
});
