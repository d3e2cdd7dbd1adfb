import { readyAuthenticatorKey } from '@vestibule/local';
import { AccountSettingsPage } from './pages/AccountSettingsPage';
import { LoginPage } from './pages/LoginPage';
import { appCode, wrongCode } from './support/codes';
import { failedRequest } from './support/pageFaults';
import { pauseClock } from './support/pauseClock';
import { users, tokenCall } from './support/users';
import { expect, test } from './support/test';

test.describe('A wrong code', () => {
  test(
    'turns the boxes red for 1.5 s under a dialog; then they are empty and accept another code',
    { tag: '@long' },
    async ({ page, environment, codes, ledger, cookies, pageFaults, atChallenge }) => {
      pageFaults.allow(failedRequest(401));
      await page.clock.install();
      await atChallenge(users.authenticator);
      await codes.trustDevice.check();
      await pauseClock(page);
      await codes.type(wrongCode(appCode(readyAuthenticatorKey)));
      await page.keyboard.press('Enter');

      await codes.expectWrongCode();
      const { code } = codes;
      await expect(code).toHaveAttribute('aria-invalid', 'true');
      await page.clock.runFor(1499);
      await expect(code).toHaveAttribute('aria-invalid', 'true');
      await page.clock.runFor(1);
      await expect(code).not.toHaveAttribute('aria-invalid');
      await expect(code).toHaveValue('');
      await codes.closeWrongCode();
      await expect(code).toBeFocused();

      // If the dialog is closed at once, the boxes are red and accept nothing until the 1.5 s are over. This code has expired, too.
      await page.keyboard.type(appCode(readyAuthenticatorKey, -3));
      await page.keyboard.press('Enter');
      await codes.expectWrongCode();
      await page.keyboard.press('Escape');
      await expect(codes.wrongCode).toBeHidden();
      await expect(code).toHaveAttribute('aria-invalid', 'true');
      await page.clock.runFor(1500);
      await expect(code).toBeFocused();
      await expect(code).toHaveValue('');
      await expect(codes.trustDevice).toBeChecked();
      expect(await cookies.names()).toEqual([]);

      await page.clock.resume();
      await page.keyboard.type(appCode(readyAuthenticatorKey));
      await page.keyboard.press('Enter');
      await ledger.expectSignedIn('Theo');
      expect((await environment.calls(tokenCall)).map(({ status }) => status)).toEqual([200, 401, 401, 200]);
    },
  );
});

test.describe('Too many wrong passwords at verify identity', () => {
  test(
    'end the session in every tab, and the login says so',
    { tag: '@long' },
    async ({ page, context, cookies, pageFaults, atSettings, login, twoStep }) => {
      pageFaults.allow(failedRequest(401), failedRequest(429));
      await atSettings(users.several);
      const other = await context.newPage();
      await other.goto('/account-settings');
      await expect(new AccountSettingsPage(other).logoutButton).toBeVisible();
      await twoStep.getStarted.click();
      await twoStep.authenticatorApp.click();
      const refused = page.getByRole('alertdialog', { name: 'Verification Error', exact: true });
      for (let failures = 1; failures < 5; failures += 1) {
        await twoStep.verify('Wr0ng-password');
        await refused.getByRole('button', { name: 'Ok', exact: true }).click();
      }
      await twoStep.verify('Wr0ng-password');
      await expect(login.errorDialog).toContainText('Too many failed login attempts.');
      await expect(page).toHaveURL(/\/login$/);
      await expect(new LoginPage(other).username).toBeVisible();
      await expect(refused).toBeHidden();
      expect(await cookies.names()).toEqual([]);
      await login.errorDialog.getByRole('button', { name: 'Ok', exact: true }).click();
      await expect(login.username).toBeEditable();
    },
  );
});
