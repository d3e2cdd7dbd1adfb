import { focusPage } from './support/focus';
import { users, tokenCall } from './support/users';
import { expect, test } from './support/test';

test.describe('When a provider’s window is closed', () => {
  test(
    'the hint changes at once, and the dialog opens when the page has the focus again',
    { tag: '@long' },
    async ({ page, environment, cookies, login, openProvider }) => {
      await login.open();
      await login.enterUsername(users.allMethods);
      const window = await openProvider(() => login.google.click());
      await expect(window.email).toBeVisible();
      await window.page.close();

      await expect(login.providerLine).toHaveText('Finish in the other window, or try again.');
      await expect(login.google).toBeEnabled();
      // Some browsers give the page the focus at once when the window in front of it is gone.
      if (!(await page.evaluate(() => document.hasFocus()))) await expect(login.errorDialog).toBeHidden();
      await focusPage(page);
      await login.expectLoginError('Unable to log in with Google');
      await login.closeLoginError();
      expect(await environment.calls(tokenCall)).toEqual([]);
      const again = await openProvider(() => login.openAgain.click());
      await expect(again.email).toBeVisible();
      expect((await cookies.names()).filter((name) => name.includes('oauth'))).toHaveLength(1);
    },
  );

  test(
    'or appears so, a late code is accepted and closes the dialog',
    { tag: '@long' },
    async ({ page, environment, login, ledger, openProvider }) => {
      await environment.provider({ provider: 'microsoft', openerPolicy: 'same-origin' });
      await login.open();
      const window = await openProvider(() => login.enterUsername(users.microsoftOnly));
      await expect(login.providerLine).toHaveText('Finish in the other window, or try again.');
      await focusPage(page);
      await login.expectLoginError('Unable to log in with Microsoft');
      await window.finish();

      await ledger.expectSignedIn('Mick');
      expect(await environment.calls(tokenCall)).toHaveLength(1);
    },
  );
});
