import type { Page } from '@playwright/test';
import { lineBesideGoogle } from './pages/ProviderWindow';
import { users } from './support/users';
import { expect, test } from './support/test';

/**
 * Call before the page opens; the result resolves when the page has tried to open a window, allowed or not.
 * Do not query the page meanwhile: to Chromium, whatever Playwright evaluates is an
 * action of the user, and allows the window.
 */
async function watchForOpening(page: Page): Promise<() => Promise<void>> {
  let tell: () => void = () => undefined;
  const tried = new Promise<void>((resolve) => {
    tell = resolve;
  });
  await page.exposeFunction('triedToOpen', () => {
    tell();
  });
  await page.addInitScript(() => {
    const open = window.open.bind(window);
    window.open = (...how) => {
      const opened = open(...how);
      (window as unknown as { triedToOpen: () => void }).triedToOpen();
      return opened;
    };
  });
  return async () => {
    await tried;
  };
}

/** Chromium lets a page open a window for 5 seconds after the user's last action. */
test.describe('If a provider is the only method', () => {
  test(
    'and the browser blocks its window after 6 s, a button and a hint are shown, and no dialog',
    { tag: '@long' },
    async ({ page, environment, login, ledger, openProvider, providerTraffic }) => {
      await environment.fail({ path: '/auth/v1/method/*', fault: { kind: 'delay', ms: 6000 } });
      const triedToOpen = await watchForOpening(page);
      await login.open();
      await login.enterUsername(users.googleOnly);
      await triedToOpen();

      await expect(login.providerLine).toHaveText(
        'Your browser blocked the window. Press ‘Sign in with Google’ to continue.',
      );
      await expect(login.google).toBeEnabled();
      await expect(login.errorDialog).toBeHidden();
      await expect(login.cancelProvider).toBeHidden();
      expect(page.context().pages()).toHaveLength(1);
      expect(providerTraffic.authorizations('google')).toEqual([]);
      const window = await openProvider(() => login.google.click());
      await expect(login.providerLine).toHaveText(lineBesideGoogle);
      await window.finish();
      await ledger.expectSignedIn('Gina');
    },
  );
});
