import type { CodePage } from './pages/CodePage';
import { readyAuthenticatorKey } from '@vestibule/local';
import { canUndo, copy } from './support/editingKeys';
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

test.describe('The code boxes', () => {
  test(
    'undo what was typed: no other digits are left',
    { tag: '@long' },
    async ({ page, environment, codes, pageFaults, atChallenge }) => {
      // The page of the probe is one that does not exist.
      pageFaults.allow(failedRequest(404));
      await atChallenge(users.authenticator);
      test.skip(!(await canUndo(page, environment)), 'the driver’s key does not undo');
      const { code } = codes;
      const { keyboard } = page;
      // A letter that is refused, and a digit that is replaced.
      await code.focus();
      await keyboard.type('12x3');
      await keyboard.press('Home');
      await keyboard.type('9');
      await expect(code).toHaveValue('923');
      await keyboard.press('ControlOrMeta+z');
      await expect(code).toHaveValue('123');
      await keyboard.press('ControlOrMeta+z');
      // How many keys are undone at once is the browser's affair.
      await expect(code).toHaveValue(/^(12?)?$/);
    },
  );

  test(
    'accept a code that is pasted anywhere, and replace the digit in the box that is clicked',
    { tag: '@long' },
    async ({ page, environment, codes, pageFaults, atChallenge }) => {
      // The page in which is copied is one that does not exist.
      pageFaults.allow(failedRequest(404));
      await atChallenge(users.authenticator);
      const { code } = codes;
      const { keyboard } = page;
      const paste = async () => await keyboard.press('ControlOrMeta+v');
      await copy(page, environment, '98 76-54');
      await code.focus();
      await paste();
      await expect(code).toHaveValue('987654');
      await expect(codes.submitButton).toBeEnabled();
      for (const position of [4, 6, 1]) {
        await code.fill('123456');
        await clickBox(codes, position);
        await paste();
        await expect(code).toHaveValue('987654');
      }
      for (const [position, then] of [
        [3, '982654'],
        [1, '282654'],
        [6, '282652'],
      ] as const) {
        await clickBox(codes, position);
        await keyboard.type('2');
        await expect(code).toHaveValue(then);
      }
      await keyboard.press('ControlOrMeta+a');
      await keyboard.type('4');
      await expect(code).toHaveValue('4');
    },
  );

  test('are all selected by a double press', { tag: '@long' }, async ({ page, codes, atChallenge }) => {
    await atChallenge(users.authenticator);
    const { code } = codes;
    await code.fill('123456');
    await code.evaluate((field) => {
      field.addEventListener('dblclick', () => (document.documentElement.dataset['heard'] = 'dblclick'));
    });
    await code.dblclick();
    const heard = await page.evaluate(() => document.documentElement.dataset['heard']);
    test.skip(heard === undefined, 'the driver makes two presses of a double one');
    await page.keyboard.type('4');
    await expect(code).toHaveValue('4');
  });

  test(
    'accept a code that the browser, a script or dictation fills in',
    { tag: '@long' },
    async ({ page, environment, codes, ledger, atChallenge }) => {
      await atChallenge(users.authenticator);
      const { code } = codes;
      await code.evaluate((field: HTMLInputElement) => {
        field.value = '555 111';
        field.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertReplacementText' }));
      });
      await expect(code).toHaveValue('555111');
      // As one text: WebDriver has no such key.
      await page.keyboard.insertText('246 810');
      await expect(code).toHaveValue('246810');
      expect(await environment.calls(tokenCall)).toHaveLength(1);

      // Set without an event, as some password managers do.
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.press('Delete');
      await code.evaluate((field: HTMLInputElement, filled) => {
        field.value = filled;
      }, appCode(readyAuthenticatorKey));
      await page.keyboard.press('Enter');
      await ledger.expectSignedIn('Theo');
    },
  );

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
      // Also where the user's browser doubles the size of text: the space next to a digit in its box.
      const paddingAt = (textSize: string) =>
        codes.code.evaluate((field, size) => {
          document.documentElement.style.fontSize = size;
          return parseFloat(getComputedStyle(field).paddingInlineStart);
        }, textSize);
      expect(await paddingAt('200%')).toBeGreaterThan(0);
      expect(await fits()).toBe(true);
      expect(await paddingAt('')).toBeGreaterThan(0);
      await codes.resendButton.click();
      await expect(codes.sentLine).toBeVisible();
      expect(await fits()).toBe(true);

      await codes.type('000000');
      // Had the browser scrolled to the caret, the digits would be next to their boxes.
      expect(await codes.code.evaluate((field) => field.scrollLeft)).toBe(0);
      await codes.submitButton.click();
      await codes.expectWrongCode();
      await expect(codes.wrongCode).toBeInViewport({ ratio: 1 });
      await codes.closeWrongCode();
    },
  );
});
