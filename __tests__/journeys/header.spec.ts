import type { Page } from '@playwright/test';
import { people, password } from './support/people';
import { expect, test } from './support/test';

const variants = [
  { what: 'by default', query: '', label: 'Payments', look: 'default' },
  { what: 'in the supplier hub', query: '?supplierHub', label: 'Supplier Hub', look: 'default' },
  {
    what: 'in the supplier hub, spelled out',
    query: '?supplierHub=true',
    label: 'Supplier Hub',
    look: 'default',
  },
  {
    what: 'with the supplier hub switched off',
    query: '?supplierHub=false',
    label: 'Payments',
    look: 'default',
  },
  { what: 'in one embedded application', query: '?application=ledger', label: 'Ledger', look: 'default' },
  { what: 'in the other one', query: '?application=treasury', label: 'Treasury', look: 'default' },
  { what: 'for e-pay', query: '?application=e-pay', label: 'e-Pay', look: 'epay' },
  { what: 'for epay', query: '?application=epay', label: 'e-Pay', look: 'epay' },
  {
    what: 'for an application that nobody knows',
    query: '?application=constructor',
    label: 'Payments',
    look: 'default',
  },
  { what: 'for markup', query: '?application=%3Cimg%20src%3Dx%3E', label: 'Payments', look: 'default' },
] as const;

async function expectLook(page: Page, label: string, look: string): Promise<void> {
  await expect(page.getByRole('banner').getByText(label, { exact: true })).toBeVisible();
  await expect(page.locator('[data-look]')).toHaveAttribute('data-look', look);
}

test.describe('The header', () => {
  for (const { what, query, label, look } of variants) {
    test(`says ${label} ${what}`, async ({ page, login }) => {
      await login.open(query);

      await expectLook(page, label, look);
      await expect(login.username).toBeVisible();
    });
  }

  test('says e-Pay on the suppliers’ host, where a sign-in works as anywhere', async ({
    page,
    world,
    login,
    ledger,
  }) => {
    await page.goto(`${world.origin('suppliers')}/login`);
    await expectLook(page, 'e-Pay', 'epay');
    await login.signInAs(people.ada, password);

    await ledger.expectSignedIn('Ada');
  });

  test('keeps its look from the login to the account settings and back', async ({
    page,
    login,
    settings,
  }) => {
    await login.open('?application=e-pay');
    await login.signInAs(people.sam, password);
    await settings.expectOpen();
    await expectLook(page, 'e-Pay', 'epay');

    await settings.logoutButton.click();
    await expect(login.username).toBeVisible();
    await expectLook(page, 'e-Pay', 'epay');
  });

  test('keeps its look on the way to the second step of the sign-in', async ({ page, login }) => {
    await login.open('?application=treasury');
    await login.signInAs(people.theo, password);
    await expect(page).toHaveURL(/\/two-auth/);

    await expectLook(page, 'Treasury', 'default');
  });

  test('offers neither Back nor Logout to somebody who is not signed in', async ({ settings, login }) => {
    await login.open();
    await expect(login.username).toBeVisible();
    await expect(settings.logoutButton).toBeHidden();
  });
});
