import { users, tokenCall } from './support/users';
import { expect, test } from './support/test';

test.describe('While a provider’s window is open', () => {
  test.beforeEach(async ({ login }) => {
    await login.open();
    await login.enterUsername(users.allMethods);
  });

  test(
    'and severed, a code that arrives after Cancel is ignored',
    { tag: '@long' },
    async ({ page, environment, cookies, login, openProvider }) => {
      await environment.provider({ provider: 'google', openerPolicy: 'same-origin' });
      const window = await openProvider(() => login.google.click());
      await window.signIn();
      await expect(window.allowButton).toBeVisible();
      await login.cancelProvider.click();
      await expect(login.providerLine).toBeHidden();
      await window.allow();

      await window.expectClosed();
      await login.typePassword('Front');
      await expect(login.signInButton).toBeEnabled();
      await expect(page).toHaveURL(/\/login$/);
      expect(await environment.calls(tokenCall)).toEqual([]);
      expect(await cookies.names()).toEqual([]);
    },
  );
});
