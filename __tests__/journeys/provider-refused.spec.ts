import { microsoftClientId } from '../../local/providers/registration';
import { failedRequest } from './support/pageFaults';
import { people, tokenCall } from './support/people';
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

for (const { provider, brand, only } of providers) {
  test(
    `When ${brand} knows another user than the one who was named, the dialog says so and no session begins`,
    {
      tag: provider === 'google' ? [] : '@long',
    },
    async ({ world, cookies, login, openProvider, pageFaults }) => {
      pageFaults.allow(failedRequest(401));
      await login.open();
      const window = await openProvider(() => login.enterUsername(only));
      await window.finish(people.ada);

      await login.expectLoginError('Your account has no access');
      await window.expectClosed();
      expect(await world.calls(tokenCall)).toHaveLength(1);
      expect(await cookies.names()).toEqual([]);
      await login.closeLoginError();
      await expect(login[provider]).toBeEnabled();
    },
  );
}

test.describe('A configuration that Microsoft cannot be asked with', { tag: '@long' }, () => {
  test('(a tenant that climbs out of the path) is told with the provider-support contact, and no window stays', async ({
    page,
    world,
    login,
    providerTraffic,
    pageFaults,
  }) => {
    pageFaults.allow(/^vestibule: provider sign-in impossible Error: Microsoft configuration incomplete/);
    const configuration = { tenantId: '../..', clientId: microsoftClientId };
    const body = [{ method: 'basic' }, { method: 'microsoft', configuration }];
    await world.fail({ path: '/auth/v1/method/*', fault: { kind: 'answer', status: 200, body } });
    await login.open();
    await login.enterUsername(people.alma);
    await login.microsoft.click();

    await login.expectLoginError(
      'Microsoft Active Directory not properly configured, please contact provider-support@payments.example',
    );
    await expect.poll(() => page.context().pages()).toHaveLength(1);
    await expect(login.providerLine).toBeHidden();
    expect(providerTraffic.authorizations('microsoft')).toEqual([]);
  });

  test('(a browser without WebCrypto) is told too', async ({ page, login, pageFaults }) => {
    pageFaults.allow(/^vestibule: provider sign-in impossible Error: No WebCrypto/);
    await page.addInitScript(() => {
      Object.defineProperty(crypto, 'subtle', { value: undefined });
    });
    await login.open();
    await login.enterUsername(people.alma);
    await login.microsoft.click();

    await login.expectLoginError('Unable to log in with Microsoft');
    await expect.poll(() => page.context().pages()).toHaveLength(1);
  });
});
