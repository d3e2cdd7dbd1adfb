import type { Page } from '@playwright/test';
import { users, password } from './support/users';
import { expect, test } from './support/test';

async function expectLook(page: Page, label: string, look: string): Promise<void> {
  await expect(page.getByRole('banner').getByText(label, { exact: true })).toBeVisible();
  await expect(page.locator('[data-look]')).toHaveAttribute('data-look', look);
}

test.describe('The header', () => {
  test('keeps its look in a tab: at the account settings, through a reload, and back over the sign-on address', async ({
    page,
    environment,
    login,
    settings,
  }) => {
    await login.open('?application=e-pay');
    await login.signInAs(users.several, password);
    await settings.expectOpen();
    await expectLook(page, 'e-Pay', 'epay');
    await page.reload();
    await settings.expectOpen();
    await expectLook(page, 'e-Pay', 'epay');

    await settings.logoutButton.click();
    await expect(login.username).toBeVisible();
    await expectLook(page, 'e-Pay', 'epay');
    await page.goto(environment.origin('app'));
    await expect(login.username).toBeVisible();
    await expectLook(page, 'e-Pay', 'epay');
  });
});
