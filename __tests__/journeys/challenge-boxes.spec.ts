import type { Page } from '@playwright/test';
import type { CodePage } from './pages/CodePage';
import { readyAuthenticatorKey } from '../../local/accounts';
import { appCode } from './support/codes';
import { failedRequest } from './support/pageFaults';
import { users, tokenCall } from './support/users';
import { expect, test } from './support/test';

/** Clicks into the middle of a drawn box. */
async function clickBox({ code, boxes }: CodePage, position: number): Promise<void> {
  const field = await code.boundingBox();
  const box = await boxes.nth(position - 1).boundingBox();
  if (!field || !box) throw new Error('The code field is not drawn');
  await code.click({ position: { x: box.x + box.width / 2 - field.x, y: box.height / 2 } });
}

/** Pastes as a user does: with the clipboard and its key. */
async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
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
    const { code } = codes;
    const { keyboard } = page;
    await expect(code).toBeFocused();
    await expect(code).toHaveAccessibleDescription('6 digits');

    // Typed; other characters are ignored.
    await keyboard.type('12a-3');
    await expect(code).toHaveValue('123');
    await expect(codes.submitButton).toBeDisabled();
    await keyboard.press('Backspace');
    await keyboard.press('Home');
    await keyboard.type('9');
    await expect(code).toHaveValue('92');
    await keyboard.press('End');
    for (let press = 0; press < 4; press += 1) await keyboard.press('Backspace');
    await expect(code).toHaveValue('');

    // Undone: a letter that was refused, or a digit that was replaced, leaves no other digits behind.
    await keyboard.type('12x3');
    await keyboard.press('Home');
    await keyboard.type('9');
    await expect(code).toHaveValue('923');
    await keyboard.press('ControlOrMeta+z');
    await expect(code).toHaveValue('123');
    await keyboard.press('ControlOrMeta+z');
    // How many keys are undone at once is the browser's affair.
    await expect(code).toHaveValue(/^(12?)?$/);
    await keyboard.press('ControlOrMeta+a');
    await keyboard.press('Delete');

    // Pasted, also over digits.
    await paste(page, '123 456');
    await expect(code).toHaveValue('123456');
    await expect(codes.submitButton).toBeEnabled();
    for (const position of [4, 6, 1]) {
      await clickBox(codes, position);
      await paste(page, '98 76-54');
      await expect(code).toHaveValue('987654');
      await paste(page, ' 123456\n');
      await expect(code).toHaveValue('123456');
    }

    // A digit replaces the one in the box that was clicked; all six can be selected and replaced.
    for (const [position, then] of [
      [1, '723456'],
      [3, '727456'],
      [6, '727457'],
    ] as const) {
      await clickBox(codes, position);
      await keyboard.type('7');
      await expect(code).toHaveValue(then);
    }
    await code.dblclick();
    await keyboard.type('4');
    await expect(code).toHaveValue('4');

    // Filled in by the browser or a script, or entered as one text by an on-screen keyboard or dictation.
    await code.fill('555 111');
    await expect(code).toHaveValue('555111');
    await keyboard.insertText('246 810');
    await expect(code).toHaveValue('246810');
    expect(await world.calls(tokenCall)).toHaveLength(1);

    // Set without an event, as some password managers do.
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.press('Delete');
    await code.evaluate((field: HTMLInputElement, filled) => {
      field.value = filled;
    }, appCode(readyAuthenticatorKey));
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
        codes.code,
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
      // Also where the user's browser doubles the size of text: the room beside a digit in its box.
      const room = (textSize: string) =>
        codes.code.evaluate((field, size) => {
          document.documentElement.style.fontSize = size;
          return parseFloat(getComputedStyle(field).paddingInlineStart);
        }, textSize);
      expect(await room('200%')).toBeGreaterThan(0);
      expect(await fits()).toBe(true);
      expect(await room('')).toBeGreaterThan(0);
      await codes.resendButton.click();
      await expect(codes.sentLine).toBeVisible();
      expect(await fits()).toBe(true);

      await codes.type('000000');
      // Had the browser scrolled to the caret, the digits would stand beside their boxes.
      expect(await codes.code.evaluate((field) => field.scrollLeft)).toBe(0);
      await codes.submitButton.click();
      await codes.expectWrongCode();
      await expect(codes.wrongCode).toBeInViewport({ ratio: 1 });
      await codes.closeWrongCode();
    },
  );
});
