import { failedRequest } from './support/pageFaults';
import { password, users } from './support/users';
import { carriersOf, hearConsoles, holding, tracesOf, tracesOfCookies } from './support/secretTraces';
import { expect, test } from './support/test';

const newPassword = 'Harbour-gate8';
const newerPassword = 'Lantern-quay9';

test.describe('Passwords, links and keys', () => {
  test(
    'leave no trace after a reset and a change',
    { tag: '@long' },
    async ({ context, page, environment, login, twoStep, passwords, ledger, providerTraffic }) => {
      const consoles = hearConsoles(context);
      const { id, url } = await environment.link({ kind: 'reset', username: users.ada });
      await page.goto(url);
      await passwords.password.fill(newPassword);
      const atForm = await tracesOf(page);
      // The address that the user opened (`location` among the globals); nothing else may contain the link.
      expect(holding(atForm, id)).toEqual(['address', 'history', 'globals']);
      expect(holding(atForm, newPassword)).toEqual([]);
      await passwords.saveAndLeave('Set New Password', newPassword);
      const afterReset = await tracesOf(page);
      expect(holding(afterReset, id)).toEqual([]);

      await login.signInAs(users.ada, newPassword);
      await ledger.expectSignedIn('Ada');
      await page.goto('/reset-password-verify');
      await twoStep.verify(newPassword);
      await passwords.saveAndLeave('Change Password', newerPassword);
      const afterChange = {
        ...(await tracesOf(page)),
        ...(await tracesOfCookies(context)),
        console: consoles(),
      };

      for (const secret of [password, newPassword, newerPassword]) {
        expect(holding(afterReset, secret)).toEqual([]);
        expect(holding(afterChange, secret)).toEqual([]);
      }
      expect(carriersOf(providerTraffic, newerPassword)).toEqual([
        `POST ${environment.origin('api')}/password-reset/v1/password-reset-manual in the body`,
      ]);
      expect(carriersOf(providerTraffic, id)).toEqual([
        `GET ${environment.origin('app')}/reset-password/${id} in the address`,
        `POST ${environment.origin('api')}/password-reset/v1/password-reset in the body`,
      ]);
    },
  );

  test(
    'an API secret is on its screen only, and is removed with it',
    { tag: '@long' },
    async ({ context, page, environment, login, pageFaults }) => {
      const consoles = hearConsoles(context);
      const { url } = await environment.link({ kind: 'api-invitation', name: 'Nightly export' });
      await page.goto(url);
      const secret = await page
        .getByRole('button', { name: /^API secret/ })
        .locator('code')
        .innerText();
      expect(secret.length).toBeGreaterThan(15);
      expect(holding(await tracesOf(page), secret)).toEqual(['markup']);
      pageFaults.allow(failedRequest(404));
      await page.goto('/login');
      await expect(login.username).toBeVisible();
      await page.goBack();
      await expect(page.getByRole('heading', { name: 'Your Link Has Expired', exact: true })).toBeVisible();
      const left = { ...(await tracesOf(page)), ...(await tracesOfCookies(context)), console: consoles() };
      expect(holding(left, secret)).toEqual([]);
    },
  );

  test(
    'a magic link’s id is removed from the address before the application opens',
    { tag: '@long' },
    async ({ page, environment, providerTraffic }) => {
      const { id } = await environment.link({ kind: 'magic', username: users.ada, application: 'ledger' });
      await page.goto(`/redirect/${id}`);
      await expect(page).toHaveURL(/magiclink=/);
      expect(holding(await tracesOf(page), id)).toEqual([]);
      expect(carriersOf(providerTraffic, id)).toEqual([
        `GET ${environment.origin('app')}/redirect/${id} in the address`,
        `POST ${environment.origin('api')}/auth/v1/token in the body`,
      ]);
    },
  );
});
