import { expect, test } from './support/test';
import { cookieName } from './support/familyCookies';
import { textedCode } from './support/codes';
import { password, people } from './support/people';

test.describe('The 180 s of a proof of identity', () => {
  test(
    'warn at 150 s without taking the focus; verified again, the set-up goes on where it was',
    { tag: '@long' },
    async ({ page, world, settings, twoStep, codes, signedInAs }) => {
      await page.clock.install();
      await signedInAs(people.sam);
      await settings.open();
      await twoStep.begin('sms');
      await twoStep.phone.pressSequentially('2025550147');
      await page.clock.fastForward('02:25');
      const live = page.getByRole('status').filter({ has: twoStep.expiring });
      await expect(live).toBeHidden();
      await page.clock.fastForward('00:06');
      await expect(live).toHaveText(
        'Your session will expire in 30 seconds. Please complete verification soon. Verify again',
      );
      await expect(twoStep.phone).toBeFocused();

      await twoStep.verifyAgain.click();
      await expect(page).toHaveURL(/\/ask-password\/enable$/);
      await twoStep.verify();
      await expect(page).toHaveURL(/\/authy-collect-info\//);
      await expect(twoStep.phone).toHaveValue('(202) 555-0147');
      await expect(twoStep.expiring).toBeHidden();
      await twoStep.continueButton.click();
      await codes.type('12345');
      await page.clock.fastForward('02:31');
      await expect(twoStep.expiring).toBeVisible();
      await expect(codes.boxes.nth(5)).toBeFocused();
      await twoStep.verifyAgain.click();
      await twoStep.verify();
      await expect(page).toHaveURL(/\/verification\//);
      await expect(page.getByText(/ending in 0147$/)).toBeVisible();
      // The message of before counts, and the new proof has 180 s of its own.
      await page.clock.fastForward('01:00');
      await codes.type(await textedCode(world, '+12025550147'));
      await expect(page).toHaveURL(/\/mfa-activated\?method=sms$/);
      await expect(page.getByText('Your phone number ends in 0147.', { exact: true })).toBeVisible();
      await page.clock.fastForward('05:00');
      await expect(twoStep.done).toBeVisible();
    },
  );

  test('lead to the account settings when they are over, and nothing of the set-up is left', async ({
    page,
    settings,
    twoStep,
    signedInAs,
  }) => {
    await page.clock.install();
    await signedInAs(people.sam);
    await settings.open();
    await twoStep.begin('app');
    const key = await twoStep.shownKey();
    await page.clock.fastForward('02:31');
    await twoStep.verifyAgain.click();
    await twoStep.verify();
    expect(await twoStep.shownKey()).toBe(key);
    await page.clock.fastForward('02:31');
    await expect(twoStep.expiring).toBeVisible();
    // The laptop sleeps past the end.
    await page.clock.fastForward('00:40');
    await settings.expectOpen();
    await expect(twoStep.expiring).toBeHidden();
    await page.goBack();
    await expect(page).toHaveURL(/\/mfa-options$/);
    await expect(twoStep.authenticatorApp).toBeVisible();
  });

  test(
    'lead to the sign-on base address in setup mode',
    { tag: '@long' },
    async ({ page, world, cookies, login, twoStep }) => {
      await page.clock.install();
      await login.open();
      await login.signInAs(people.suki, password);
      await expect(twoStep.getStarted).toBeVisible();
      // They run from the first screen of the set-up on.
      await page.clock.fastForward('04:00');
      await twoStep.getStarted.click();
      await twoStep.textMessage.click();
      await twoStep.phone.fill('2025550147');
      await page.clock.fastForward('02:31');
      await expect(twoStep.expiring).toBeVisible();
      await expect(twoStep.verifyAgain).toBeHidden();
      await page.clock.fastForward('00:31');

      await expect(page).toHaveURL(`${world.origin('app')}/login`);
      await expect(login.username).toBeVisible();
      expect(await cookies.read(cookieName.setup)).toBeUndefined();
    },
  );
});
