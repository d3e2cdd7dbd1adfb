import { LoginPage } from './pages/LoginPage';
import { ProviderWindow } from './pages/ProviderWindow';
import type { FamilyCookies } from './support/familyCookies';
import { users, tokenCall } from './support/users';
import { expect, test } from './support/test';

/** The window posts its code for 10 s before it gives up. */
const givesUpAfterMs = 11_000;

/** The window posts its code from the moment when it has removed the stored state; before that no timeout runs. */
async function expectTelling(cookies: FamilyCookies): Promise<void> {
  await expect.poll(() => cookies.names(), { message: 'the stored state is used up' }).toEqual([]);
}

test.describe('A provider’s window whose opener has left', () => {
  test(
    'by a reload says at the end that it can be closed, and has a button for it',
    { tag: '@long' },
    async ({ page, environment, cookies, login, openProvider }) => {
      await login.open();
      const window = await openProvider(() => login.enterUsername(users.microsoftOnly));
      await window.signIn();
      await expect(window.allowButton).toBeVisible();
      await page.reload();
      await expect(login.username).toBeVisible();
      await window.page.clock.install();
      await window.allow();
      await expect(window.page).toHaveURL(`${environment.origin('app')}/oauth-redirect`);
      await expect(window.page.getByRole('heading', { name: 'Signing you in' })).toBeVisible();
      await expectTelling(cookies);
      await expect(window.lastLine).toBeHidden();
      await window.page.clock.fastForward(givesUpAfterMs);

      await expect(window.lastLine).toBeVisible();
      await expect(login.username).toBeVisible();
      expect(await environment.calls(tokenCall)).toEqual([]);
      await window.pressClose();
    },
  );

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
      await expectTelling(cookies);
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

test.describe('Two tabs at the same time', () => {
  test(
    'each get the code of their own window, for their own account',
    { tag: '@long' },
    async ({ context, page, environment, login, openProvider, providerTraffic }) => {
      const otherPage = await context.newPage();
      const other = new LoginPage(otherPage);
      await login.open();
      await other.open();
      const windowOfGina = await openProvider(() => login.enterUsername(users.googleOnly));
      await expect(windowOfGina.email).toHaveValue(users.googleOnly);
      await other.enterUsername(users.allMethods);
      const windowOfAlma = await ProviderWindow.openedBy(otherPage, () => other.google.click());
      await windowOfAlma.signIn();
      await expect(windowOfAlma.allowButton).toBeVisible();
      await windowOfGina.signIn();
      await expect(windowOfGina.allowButton).toBeVisible();

      await windowOfAlma.allow();
      await expect(otherPage).toHaveURL(`${environment.origin('ledger')}/`);
      await windowOfAlma.expectClosed();
      await windowOfGina.allow();
      await expect(page).toHaveURL(`${environment.origin('ledger')}/`);
      await windowOfGina.expectClosed();

      const [codeOfAlma, codeOfGina] = providerTraffic
        .returns()
        .map(({ searchParams }) => searchParams.get('code'));
      expect(await environment.bodies(tokenCall)).toEqual([
        { username: users.allMethods, method: 'google', code: codeOfAlma },
        { username: users.googleOnly, method: 'google', code: codeOfGina },
      ]);
      expect(codeOfAlma).not.toBe(codeOfGina);
    },
  );
});
