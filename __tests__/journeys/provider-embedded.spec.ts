import { LoginPage } from './pages/LoginPage';
import { people, tokenCall } from './support/people';
import { expect, test } from './support/test';

const signOnFrame = 'iframe[title="Sign-on page"]';

test.describe('In the frame of a parent of the same site', () => {
  for (const openerPolicy of ['unsafe-none', 'same-origin'] as const) {
    for (const provider of ['google', 'microsoft'] as const) {
      test(`${provider} with opener policy ${openerPolicy} signs in, and the frame says so`, async ({
        page,
        world,
        hub,
        openProvider,
        providerTraffic,
      }) => {
        await world.provider({ provider, openerPolicy });
        await hub.open();
        const login = new LoginPage(page, page.frameLocator(signOnFrame));
        await login.enterUsername(people.alma);
        const window = await openProvider(() => login[provider].click());
        await window.finish();

        await expect(
          page.frameLocator(signOnFrame).getByText('You are signed in', { exact: true }),
        ).toBeVisible();
        await window.expectClosed();
        await hub.expectSignedIn('Alma');
        expect(await world.bodies(tokenCall)).toEqual([
          expect.objectContaining({ username: people.alma, method: provider, code: providerTraffic.code() }),
        ]);
      });
    }
  }
});

test('In the frame of a parent of another site, to which no code comes back, the dialog says so and no window stays', async ({
  page,
  world,
  openProvider,
}) => {
  await page.goto(`${world.origin('partner')}/`);
  const login = new LoginPage(page, page.frameLocator(signOnFrame));
  await login.enterUsername(people.alma);
  const window = await openProvider(() => login.google.click());

  await login.expectLoginError('Unable to log in with Google');
  await window.expectClosed();
  await login.closeLoginError();
  await expect(login.google).toBeEnabled();
  expect(await world.calls(tokenCall)).toEqual([]);
});
