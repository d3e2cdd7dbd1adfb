import { password, users, tokenCall } from './support/users';
import { expect, test } from './support/test';

const query = '?supplierHub=true&url=%2Faccount-settings';

test.describe('Leaving the code screen', () => {
  test(
    'by Back, Forward, a reload, its link or another page leads to the login, with the query',
    { tag: '@long' },
    async ({ page, environment, login, ledger, codes, cookies }) => {
      const atLogin = `${environment.origin('app')}/login${query}`;
      const challenge = async () => {
        await login.signInAs(users.authenticator, password);
        await codes.expectAtSignIn();
        await expect(page).toHaveURL(`${environment.origin('app')}/two-auth${query}`);
        await codes.type('123');
      };
      const backAtLogin = async () => {
        await expect(page).toHaveURL(atLogin);
        await expect(login.nextButton).toBeVisible();
        expect(await cookies.names()).toEqual([]);
      };

      await login.open(query);
      await challenge();
      await page.goBack();
      await backAtLogin();
      await page.goForward();
      await backAtLogin();

      await challenge();
      await page.reload();
      await backAtLogin();

      await challenge();
      await codes.backToLogin.click();
      await backAtLogin();
      await page.goBack();
      await backAtLogin();

      // After coming back the page may look unchanged, but its secrets were dropped.
      await challenge();
      await ledger.open();
      await ledger.expectNobodySignedIn();
      await page.goBack();
      await backAtLogin();
      expect(await environment.calls(tokenCall)).toHaveLength(4);
    },
  );
});
