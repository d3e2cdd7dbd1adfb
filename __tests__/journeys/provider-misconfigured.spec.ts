import { microsoftClientId } from '../../local/providers/registration';
import { people } from './support/people';
import { expect, test } from './support/test';

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
