import { appCode, textedCode } from './support/codes';
import { failedRequest } from './support/pageFaults';
import { people } from './support/people';
import { expect, test } from './support/test';

// The time for a set-up code is over as soon as it begins.
test.use({ serviceSettings: { enrolmentSeconds: 0 } });

test(
  'A set-up code that comes too late is not taken, and the settings say so',
  { tag: '@long' },
  async ({ page, world, settings, twoStep, codes, signedInAs, pageFaults }) => {
    pageFaults.allow(failedRequest(400));
    const dialog = page.getByRole('alertdialog', { name: 'Setup Error', exact: true });
    const tellsThatItIsOver = async () => {
      await expect(
        dialog.getByText('The time to enter the code is over. Please start again.', { exact: true }),
      ).toBeVisible();
      await dialog.getByRole('button', { name: 'Ok', exact: true }).click();
    };
    await signedInAs(people.sam);
    await settings.open();
    await twoStep.begin('sms');
    await twoStep.sendPhone('+12025550147');
    await codes.type(await textedCode(world, '+12025550147'));
    await tellsThatItIsOver();
    await page.getByRole('link', { name: 'Back to Phone Setup', exact: true }).click();
    await page.getByRole('link', { name: 'Account Settings', exact: true }).click();
    await settings.expectOpen();

    await twoStep.begin('app');
    const key = await twoStep.shownKey();
    await twoStep.continueButton.click();
    await codes.type(appCode(key));
    await tellsThatItIsOver();
    await page.goto('/account-settings');
    await expect(twoStep.getStarted).toBeVisible();
  },
);
