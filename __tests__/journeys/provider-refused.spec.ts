import { tokenCall } from './support/people';
import { providers } from './support/providerPeople';
import { expect, test } from './support/test';

for (const { provider, brand, only } of providers) {
  test.describe(`When ${brand} lets nobody through`, () => {
    const failed = `Unable to log in with ${brand}`;

    test(
      'because the person refuses, the dialog says so once, and the button is there again',
      { tag: provider === 'google' ? [] : '@long' },
      async ({ world, cookies, login, openProvider }) => {
        await login.open();
        const window = await openProvider(() => login.enterUsername(only));
        await window.cancelButton.click();

        await login.expectLoginError(failed);
        await window.expectClosed();
        await login.closeLoginError();
        await expect(login.providerLine).toBeHidden();
        await expect(login[provider]).toBeEnabled();
        expect(await world.calls(tokenCall)).toEqual([]);
        expect(await cookies.names()).toEqual([]);
      },
    );

    test(
      'because an administrator refuses, the provider’s own words are not shown',
      { tag: '@long' },
      async ({ page, world, login, openProvider }) => {
        await world.provider({ provider, trouble: 'refuse' });
        await login.open();
        const window = await openProvider(() => login.enterUsername(only));
        await window.finish();

        await login.expectLoginError(failed);
        await window.expectClosed();
        await expect(page.getByText('administrator')).toHaveCount(0);
        expect(await world.calls(tokenCall)).toEqual([]);
      },
    );

    test(
      'and sends neither a code nor an error, the dialog says that',
      { tag: '@long' },
      async ({ world, login, openProvider, pageFaults, providerTraffic }) => {
        pageFaults.allow(/^vestibule: provider sign-in failed Error: No authorization code received/);
        await login.open();
        const window = await openProvider(() => login.enterUsername(only));
        await expect(window.email).toBeVisible();
        const state = providerTraffic.authorization(provider).searchParams.get('state') ?? '';
        await window.sendBack(world.origin('app'), `?state=${state}`);

        await login.expectLoginError('No authorization code received');
        await window.expectClosed();
        await expect(login.providerLine).toBeHidden();
        expect(await world.calls(tokenCall)).toEqual([]);
      },
    );
  });
}
