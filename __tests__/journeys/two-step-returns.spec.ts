import type { Page } from '@playwright/test';
import { CodePage } from './pages/CodePage';
import { TwoStepSetup } from './pages/TwoStepSetup';
import { appCode, textedCode } from './support/codes';
import { failedRequest } from './support/pageFaults';
import { people } from './support/people';
import { expect, test } from './support/test';

const phone = '(202) 555-0147';
const sentTo = '+12025550147';

/** Chooses a method, and proves identity. */
async function choose(twoStep: TwoStepSetup, method: 'textMessage' | 'authenticatorApp'): Promise<void> {
  await twoStep[method].click();
  await twoStep.verify();
}

test.describe('Coming and going in the set-up', () => {
  test(
    'a reload of any step leads back to the choice of a method',
    { tag: '@long' },
    async ({ page, world, settings, twoStep, codes, signedInAs }) => {
      const steps: readonly (readonly [RegExp, () => Promise<void>])[] = [
        [/\/mfa-options$/, () => twoStep.getStarted.click()],
        [/\/ask-password\/enable$/, () => twoStep.textMessage.click()],
        [/\/authy-collect-info\//, () => choose(twoStep, 'textMessage')],
        [/\/qrcode-start\//, () => choose(twoStep, 'authenticatorApp')],
        [
          /\/verification\//,
          async () => {
            await choose(twoStep, 'textMessage');
            await twoStep.sendPhone(phone);
          },
        ],
      ];
      await signedInAs(people.sam);
      await settings.open();
      for (const [address, reach] of steps) {
        await reach();
        await expect(page).toHaveURL(address);
        await page.reload();
        await expect(page).toHaveURL(/\/mfa-options$/);
        await expect(twoStep.textMessage).toBeVisible();
      }

      await choose(twoStep, 'textMessage');
      await twoStep.sendPhone(phone);
      await codes.type(await textedCode(world, sentTo, 2));
      await expect(page).toHaveURL(/\/mfa-activated\?method=sms$/);
      await page.reload();
      await twoStep.done.click();
      await settings.expectOpen();
    },
  );

  test('Back leads from each step to the one before, with what was entered', async ({
    page,
    settings,
    twoStep,
    codes,
    signedInAs,
  }) => {
    await signedInAs(people.sam);
    await settings.open();
    await twoStep.begin('sms');
    await twoStep.sendPhone(phone);
    await expect(codes.boxes).toHaveCount(6);
    await page.goBack();
    await expect(twoStep.phone).toHaveValue(phone);
    await page.goBack();
    await expect(page).toHaveURL(/\/mfa-options$/);
    // The set-up was left, and cannot be entered half-way.
    await page.goForward();
    await expect(page).toHaveURL(/\/mfa-options$/);
    await twoStep.authenticatorApp.click();
    await expect(twoStep.password).toBeVisible();
    await page.goBack();
    await expect(page).toHaveURL(/\/mfa-options$/);

    await choose(twoStep, 'authenticatorApp');
    const key = await twoStep.shownKey();
    await twoStep.continueButton.click();
    await expect(codes.boxes).toHaveCount(6);
    await page.goBack();
    expect(await twoStep.shownKey()).toBe(key);
    await twoStep.continueButton.click();
    await codes.type(appCode(key));
    await expect(page).toHaveURL(/\/mfa-activated\?method=qrcode$/);
    // What is over is not returned to.
    await page.goBack();
    await expect(page).toHaveURL(/\/mfa-options$/);
    await page.getByRole('link', { name: 'Account Settings', exact: true }).click();
    await settings.expectOpen();
    await expect(twoStep.addNewApp).toBeVisible();
  });

  test(
    'two tabs may set up the same phone: the newest message counts, and the other tab is told',
    { tag: '@long' },
    async ({ page, context, world, settings, twoStep, codes, signedInAs, pageFaults }) => {
      pageFaults.allow(failedRequest(401));
      const reach = async (tab: Page): Promise<CodePage> => {
        const set = new TwoStepSetup(tab);
        await tab.goto('/account-settings');
        await set.begin('sms');
        await set.sendPhone(phone);
        await expect(tab).toHaveURL(/\/verification\//);
        return new CodePage(tab);
      };
      await signedInAs(people.sam);
      await reach(page);
      const first = await textedCode(world, sentTo);
      const other = await context.newPage();
      const otherCodes = await reach(other);
      const second = await textedCode(world, sentTo, 2);

      await codes.type(first);
      await codes.expectWrongCode();
      await codes.closeWrongCode();
      await otherCodes.type(second);
      await expect(other).toHaveURL(/\/mfa-activated\?method=sms$/);

      // The proof of this tab went with the set-up of the other: it leads out.
      await page.getByRole('link', { name: 'Back to Phone Setup', exact: true }).click();
      await expect(twoStep.phone).toHaveValue(phone);
      await twoStep.continueButton.click();
      const told = page.getByRole('alertdialog', { name: 'Setup Error', exact: true });
      await expect(told.getByText('Please verify your identity again.', { exact: true })).toBeVisible();
      await told.getByRole('button', { name: 'Ok', exact: true }).click();
      await page.getByRole('link', { name: 'Account Settings', exact: true }).click();
      await settings.expectOpen();
      await expect(twoStep.changeNumber).toBeVisible();
    },
  );
});
