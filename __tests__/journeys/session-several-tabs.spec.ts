import type { Page } from '@playwright/test';
import { engine } from './support/engine';
import { pauseClock } from './support/pauseClock';
import { LoginPage } from './pages/LoginPage';
import { password, tokenCall, users } from './support/users';
import { expectSignedIn, logoutOf, openTabs } from './support/tabs';
import { expect, test } from './support/test';

/**
 * Chromium excludes pages with no-store, like ours, from its back/forward cache; other browsers do not. So the
 * page receives the events alone.
 *
 * @returns what the page shows when it is frozen, or shown again
 */
async function pageTurn(page: Page, event: 'pagehide' | 'pageshow'): Promise<string> {
  return await page.evaluate(async (type) => {
    window.dispatchEvent(new PageTransitionEvent(type, { persisted: true }));
    // Whatever the handlers scheduled before the page is frozen.
    await Promise.resolve();
    return document.body.innerText;
  }, event);
}

/** How often a tab polls the cookie, ms (docs/behaviour.md#refresh-polling). */
const pollMs = 5000;

test.describe('Four tabs of one session', () => {
  test('are all signed out at once by one of them', async ({ context, page, cookies, signedInAs }) => {
    await context.clock.install();
    await signedInAs(users.several);
    const others = await openTabs(context, 3);
    await page.goto('/account-settings');
    await expectSignedIn(page);
    // No tab polls the cookie any more: it must be notified.
    await pauseClock(page);
    // A background tab is painted rarely, and can be pressed only when it is stable.
    await page.bringToFront();
    await logoutOf(page).click();
    // Its tabs are in several processes: one may be notified before its process sees that the cookie is gone. The next poll finds out.
    if (engine === 'firefox') await context.clock.resume();
    await Promise.all(others.map((tab) => expect(tab).toHaveURL(/\/login$/)));
    expect(await cookies.names()).toEqual([]);
  });
});

test.describe('A sign-in in one tab', () => {
  test(
    'is followed by other tabs that wait at the login',
    { tag: '@long' },
    async ({ context, page, environment, login, ledger }) => {
      await login.open();
      const second = await context.newPage();
      const secondLogin = new LoginPage(second);
      await secondLogin.open();
      await secondLogin.enterUsername(users.ada);
      await expect(secondLogin.password).toBeVisible();
      await login.signInAs(users.ada, password);

      await ledger.expectSignedIn('Ada');
      await expect(second).toHaveURL(`${environment.origin('ledger')}/`);
      await expect(page).toHaveURL(`${environment.origin('ledger')}/`);
      expect(await environment.calls(tokenCall)).toHaveLength(1);
    },
  );

  test(
    'as another user removes everything of the first user from the other tabs',
    { tag: '@long' },
    async ({ context, page, environment, cookies, settings, atSettings }) => {
      await page.clock.install();
      await atSettings(users.several);
      await expect(page.getByText('March 5th, 2026')).toBeVisible();
      const other = await environment.tokensFor(users.allMethods, password);
      // As a sibling application does, without an event in this page.
      await cookies.leaveSession(other);
      await page.clock.fastForward(pollMs);

      await expect(page.getByText('March 5th, 2026')).toHaveCount(0);
      await settings.expectOpen();
      await expect(page.getByText('You have never changed your password', { exact: true })).toBeVisible();
      expect(context.pages()).toHaveLength(1);
    },
  );
});

test.describe('A page from the back/forward cache', () => {
  test(
    'is empty when left, is shown again, and leads to the login after a sign-out meanwhile',
    { tag: '@long' },
    async ({ page, cookies, login, settings, atSettings }) => {
      await atSettings(users.several);
      const left = await pageTurn(page, 'pagehide');
      expect(left).not.toContain('March 5th');
      expect(left).not.toContain('Logout');
      await pageTurn(page, 'pageshow');
      await settings.expectLastChange('March 5th, 2026 at 9:07 am');

      await pageTurn(page, 'pagehide');
      await cookies.forgetSession();
      expect(await pageTurn(page, 'pageshow')).not.toContain('March 5th');

      await expect(login.username).toBeVisible();
    },
  );
});
