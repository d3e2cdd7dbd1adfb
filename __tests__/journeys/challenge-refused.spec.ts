import { readyAuthenticatorKey } from '@vestibule/local';
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
