import type { Locator, Page } from '@playwright/test';
import { cookieName } from './support/familyCookies';
import { password, people } from './support/people';
import { expect, test } from './support/test';

/** Presses Tab until the focus is there; a person would give up after a dozen times. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let press = 0; press < 12; press += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  await expect(target).toBeFocused();
}

test.describe('The login without a mouse', () => {
  test('takes somebody from the first Tab to the application without a mouse', async ({
    page,
    cookies,
    login,
    ledger,
  }) => {
    await login.open();
    await expect(login.username).toBeVisible();
    await tabTo(page, login.username);
    await page.keyboard.type(people.ada);
    await page.keyboard.press('Tab');
    await expect(login.rememberMe).toBeFocused();
    await page.keyboard.press('Space');
    await page.keyboard.press('Tab');
    await expect(login.nextButton).toBeFocused();
    await page.keyboard.press('Enter');

    await expect(login.password).toBeFocused();
    await page.keyboard.type(password);
    await tabTo(page, login.showPassword);
    await page.keyboard.press('Space');
    await expect(login.password).toHaveAttribute('type', 'text');
    await tabTo(page, login.signInButton);
    await page.keyboard.press('Space');
    await ledger.expectSignedIn('Ada');
    expect(await cookies.read(cookieName.username)).toBe(people.ada);
  });

  test('gives the focus back to the field when Escape closes the error dialog', async ({ page, login }) => {
    await login.open();
    await login.typeUsername(people.nobody);
    await page.keyboard.press('Enter');
    await login.expectLoginError('No Login Methods available');
    await expect(login.errorDialog.getByRole('button', { name: 'Ok', exact: true })).toBeFocused();
    await page.keyboard.press('Escape');

    await expect(login.errorDialog).toBeHidden();
    await expect(login.username).toBeFocused();
  });
});
