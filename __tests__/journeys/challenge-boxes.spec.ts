import type { Locator, Page } from '@playwright/test';
import { readyAuthenticatorKey } from '../../local/accounts';
import { appCode } from './support/codes';
import { failedRequest } from './support/pageFaults';
import { users, tokenCall } from './support/users';
import { expect, test } from './support/test';

/** Pastes as a user does: with the clipboard and its key. */
async function paste(page: Page, box: Locator, text: string): Promise<void> {
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
  await box.click();
  await page.keyboard.press('ControlOrMeta+v');
}

test.describe('The code boxes', () => {
  test('accept a code that is typed, pasted, filled in or corrected', async ({
    page,
    context,
    world,
    codes,
    ledger,
    atChallenge,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await atChallenge(users.authenticator);
    const box = (position: number) => codes.boxes.nth(position - 1);
    const shows = async (code: string) => {
      await expect.poll(() => codes.typed()).toBe(code);
    };
    await expect(box(1)).toBeFocused();
    await expect(box(1)).toHaveAttribute('autocomplete', 'one-time-code');
    await expect(box(1)).toHaveAccessibleName('MFA code digit 1 of 6');
    await expect(box(6)).toHaveAccessibleName('digit 6 of 6');

    // Typed; other characters are ignored, and the focus moves on.
    await page.keyboard.type('12a-3');
    await shows('123');
    await expect(box(4)).toBeFocused();
    await expect(codes.submitButton).toBeDisabled();
    await page.keyboard.press('Backspace');
    await shows('12');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await expect(box(1)).toBeFocused();
    await page.keyboard.type('9');
    await shows('92');
    await page.keyboard.press('ArrowRight');
    for (let press = 0; press < 4; press += 1) await page.keyboard.press('Backspace');
    await shows('');
    await expect(box(1)).toBeFocused();

    // Pasted into any of them, over existing digits.
    await paste(page, box(1), '123 456');
    await shows('123456');
    await expect(codes.submitButton).toBeEnabled();
    for (const position of [4, 6, 1]) {
      await paste(page, box(position), '98 76-54');
      await shows('987654');
      await expect(box(6)).toBeFocused();
      await paste(page, box(position), ' 123456\n');
      await shows('123456');
    }

    // Filled in by the browser or a script, or entered as one text by an on-screen keyboard.
    await box(1).fill('555 111');
    await shows('555111');
    await box(1).click();
    await page.keyboard.insertText('246810');
    await shows('246810');
    expect(await world.calls(tokenCall)).toHaveLength(1);

    await paste(page, box(3), appCode(readyAuthenticatorKey));
    await page.keyboard.press('Enter');
    await ledger.expectSignedIn('Theo');
  });

  test(
    'fit a page 320 px wide, with the dialog about a wrong code',
    { tag: '@long' },
    async ({ page, codes, pageFaults, atChallenge }) => {
      pageFaults.allow(failedRequest(401));
      await page.setViewportSize({ width: 320, height: 568 });
      await atChallenge(users.textMessage);
      const fits = () =>
        page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth);
      expect(await fits()).toBe(true);
      for (const part of [
        ...(await codes.boxes.all()),
        codes.trustDevice,
        codes.submitButton,
        codes.resendButton,
      ]) {
        await expect(part).toBeInViewport({ ratio: 1 });
      }
      for (const box of await codes.boxes.all()) {
        // Large enough for touch (WCAG 2.2, target size).
        expect((await box.boundingBox())?.width).toBeGreaterThanOrEqual(24);
      }
      await codes.resendButton.click();
      await expect(codes.sentLine).toBeVisible();
      expect(await fits()).toBe(true);

      await codes.type('000000');
      await codes.submitButton.click();
      await codes.expectWrongCode();
      await expect(codes.wrongCode).toBeInViewport({ ratio: 1 });
      await codes.closeWrongCode();
    },
  );
});
