import { users, tokenCall } from './support/users';
import { expect, test } from './support/test';

/** The window posts its code for 10 s before it gives up. */
const givesUpAfterMs = 11_000;

test.describe('A provider’s window whose opener has left', () => {
  test(
    'by the browser’s Back does not sign in, and Forward shows a working form',
    { tag: '@long' },
    async ({ page, environment, cookies, login, ledger, openProvider }) => {
      await ledger.open();
      await login.open();
      const window = await openProvider(() => login.enterUsername(users.googleOnly));
      await window.signIn();
      await expect(window.allowButton).toBeVisible();
      // From the back/forward cache, without loading.
      await page.goBack({ waitUntil: 'commit' });
      await ledger.expectNobodySignedIn();
      await window.page.clock.install();
      await window.allow();
      await expect(window.page).toHaveURL(`${environment.origin('app')}/oauth-redirect`);
      // The window posts its code from the moment when it has removed the stored state; before that no timeout runs.
      await expect.poll(() => cookies.names(), { message: 'the stored state is used up' }).toEqual([]);
      await window.page.clock.fastForward(givesUpAfterMs);
      await expect(window.lastLine).toBeVisible();
      expect(await environment.calls(tokenCall)).toEqual([]);
      await window.pressClose();

      await page.goForward();
      const again = await openProvider(() => login.enterUsername(users.googleOnly));
      // The provider has a session since the first window.
      await again.allow();
      await ledger.expectSignedIn('Gina');
      expect(await environment.calls(tokenCall)).toHaveLength(1);
    },
  );
});
