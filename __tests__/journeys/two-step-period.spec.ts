import { expect, test } from './support/test';
import { users } from './support/users';

test.describe('The 180 s of a proof of identity', () => {
  test('lead to the account settings at their end, and nothing of the set-up remains', async ({
    page,
    settings,
    twoStep,
    signedInAs,
  }) => {
    await page.clock.install();
    await signedInAs(users.several);
    await settings.open();
    await twoStep.begin('app');
    const key = await twoStep.shownKey();
    await page.clock.fastForward('02:31');
    await twoStep.verifyAgain.click();
    await twoStep.verify();
    expect(await twoStep.shownKey()).toBe(key);
    await page.clock.fastForward('02:31');
    await expect(twoStep.expiring).toBeVisible();
    // The computer sleeps past the end.
    await page.clock.fastForward('00:40');
    await settings.expectOpen();
    await expect(twoStep.expiring).toBeHidden();
    await page.goBack();
    await expect(page).toHaveURL(/\/mfa-options$/);
    await expect(twoStep.authenticatorApp).toBeVisible();
  });
});
