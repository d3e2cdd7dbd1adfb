import { appCode, textedCode, wrongCode } from './support/codes';
import { failedRequest } from './support/pageFaults';
import { pauseClock } from './support/pauseClock';
import { people } from './support/people';
import { sentCalls } from './support/sentCalls';
import { expect, test } from './support/test';

const phone = '+12025550147';

test.describe('A set-up code that is not taken', { tag: '@long' }, () => {
  test('turns the boxes red for 1.5 s under its dialog, however often; the right one counts then', async ({
    page,
    world,
    settings,
    twoStep,
    codes,
    signedInAs,
    pageFaults,
  }) => {
    pageFaults.allow(failedRequest(401), failedRequest(429));
    await page.clock.install();
    await signedInAs(people.sam);
    await settings.open();
    await twoStep.begin('sms');
    await twoStep.sendPhone(phone);
    const right = await textedCode(world, phone);
    await expect(codes.verifyButton).toBeDisabled();
    await pauseClock(page);
    await codes.type(wrongCode(right));
    await codes.expectWrongCode();
    await expect(codes.boxes.first()).toHaveAttribute('aria-invalid', 'true');
    await codes.closeWrongCode();
    await page.clock.runFor(1400);
    await expect(codes.boxes.first()).toHaveAttribute('aria-invalid', 'true');
    await page.clock.runFor(1200);
    await expect(codes.boxes.first()).not.toHaveAttribute('aria-invalid', 'true');
    expect(await codes.typed()).toBe('');
    await expect(codes.boxes.first()).toBeFocused();
    await page.clock.resume();

    // Too many of them are no wrong code: the service says so, and what was typed stays.
    const words = 'Too many failed login attempts. Please try again in <i>15</i> minutes.';
    const locked = { kind: 'answer', status: 429, body: { error: { message: words } } } as const;
    await world.fail({ path: '/mfa/v1/validate-setup', times: 1, fault: locked });
    await page.keyboard.type(right);
    const told = page.getByRole('alertdialog', { name: 'Setup Error', exact: true });
    await expect(told.getByText(words, { exact: true })).toBeVisible();
    await told.getByRole('button', { name: 'Ok', exact: true }).click();
    expect(await codes.typed()).toBe(right);
    await codes.verifyButton.click();
    await expect(page).toHaveURL(/\/mfa-activated\?method=sms$/);
    expect(await sentCalls(world, '/mfa/v1/validate-setup')).toHaveLength(3);
  });

  test('a code of before is not taken again: of an older message, of an older key', async ({
    page,
    world,
    settings,
    twoStep,
    codes,
    signedInAs,
    pageFaults,
  }) => {
    pageFaults.allow(failedRequest(401));
    await signedInAs(people.sam);
    await settings.open();
    await twoStep.begin('sms');
    await twoStep.sendPhone(phone);
    const used = await textedCode(world, phone);
    await codes.type(used);
    await twoStep.done.click();
    await twoStep.changeNumber.click();
    await twoStep.verify();
    await twoStep.sendPhone(phone);
    const next = await textedCode(world, phone, 2);
    await codes.type(used);
    await codes.expectWrongCode();
    await codes.closeWrongCode();
    await expect(codes.boxes.first()).not.toHaveAttribute('aria-invalid', 'true');
    await codes.type(next);
    await twoStep.done.click();
    await expect(twoStep.changeNumber).toBeVisible();

    await page.goto('/mfa-options');
    await twoStep.authenticatorApp.click();
    await twoStep.verify();
    const oldKey = await twoStep.shownKey();
    await page.reload();
    await twoStep.authenticatorApp.click();
    await twoStep.verify();
    const key = await twoStep.shownKey();
    expect(key).not.toBe(oldKey);
    await twoStep.continueButton.click();
    await codes.type(appCode(oldKey));
    await codes.expectWrongCode();
    await codes.closeWrongCode();
    await expect(codes.boxes.first()).not.toHaveAttribute('aria-invalid', 'true');
    await codes.type(appCode(key));
    await expect(page).toHaveURL(/\/mfa-activated\?method=qrcode$/);
  });
});
