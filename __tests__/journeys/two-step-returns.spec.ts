import type { TwoStepSetup } from './pages/TwoStepSetup';
import { appCode } from './support/codes';
import { users } from './support/users';
import { expect, test } from './support/test';

const phone = '(202) 555-0147';

/** Chooses a method, and verifies identity. */
async function choose(twoStep: TwoStepSetup, method: 'textMessage' | 'authenticatorApp'): Promise<void> {
  await twoStep[method].click();
  await twoStep.verify();
}

test.describe('Going back and forward in the set-up', () => {
  test(
    'Back leads from each step to the previous one, with its input',
    { tag: '@long' },
    async ({ page, settings, twoStep, codes, signedInAs }) => {
      await signedInAs(users.several);
      await settings.open();
      await twoStep.begin('sms');
      await twoStep.sendPhone(phone);
      await expect(codes.code).toBeVisible();
      await page.goBack();
      await expect(twoStep.phone).toHaveValue(phone);
      await page.goBack();
      await expect(page).toHaveURL(/\/mfa-options$/);
      // The set-up was left, and cannot be entered at a later step.
      await page.goForward();
      await expect(page).toHaveURL(/\/mfa-options$/);
      await twoStep.authenticatorApp.click();
      await expect(twoStep.password).toBeVisible();
      await page.goBack();
      await expect(page).toHaveURL(/\/mfa-options$/);

      await choose(twoStep, 'authenticatorApp');
      const key = await twoStep.shownKey();
      await twoStep.continueButton.click();
      await expect(codes.code).toBeVisible();
      await page.goBack();
      expect(await twoStep.shownKey()).toBe(key);
      await twoStep.continueButton.click();
      await codes.type(appCode(key));
      await expect(page).toHaveURL(/\/mfa-activated\?method=qrcode$/);
      // A finished step is not in the history.
      await page.goBack();
      await expect(page).toHaveURL(/\/mfa-options$/);
      await page.getByRole('link', { name: 'Account Settings', exact: true }).click();
      await settings.expectOpen();
      await expect(twoStep.addNewApp).toBeVisible();
    },
  );
});
