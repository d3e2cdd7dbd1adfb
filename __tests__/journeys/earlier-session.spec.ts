import { people } from './support/people';
import { expect, test } from './support/test';

test.describe('A session from before', () => {
  test('leads straight to the application, without a call', async ({ world, login, ledger, signedInAs }) => {
    await signedInAs(people.ada);
    await login.open();

    await ledger.expectSignedIn('Ada');
    expect(await world.calls()).toEqual([]);
  });

  test('that has expired is cleared, and the form is there', async ({ page, world, cookies, login }) => {
    await page.goto(`${world.origin('ledger')}/plant/expired`);

    await login.expectUsable(people.ada);
    await expect(page).toHaveURL(`${world.origin('app')}/login`);
    expect(await cookies.names()).toEqual([]);
  });
});
