import type { Locator, Page } from '@playwright/test';
import { textedCode } from './support/codes';
import { cookieName } from './support/familyCookies';
import { holdRequests } from './support/holdRequests';
import { failedRequest } from './support/pageFaults';
import { password, users } from './support/users';
import { expect, test } from './support/test';

/** Presses Tab until the element has the focus, at most a dozen times. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  for (let press = 0; press < 12; press += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  await expect(target).toBeFocused();
}

/** Nothing overflows to the side, and the focused element is visible. */
async function expectToFit(page: Page): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  await expect(page.locator(':focus')).toBeInViewport();
}

test.describe('The login without a mouse', () => {
  test('can be completed by keyboard from the first Tab to the application', async ({
    page,
    cookies,
    login,
    ledger,
  }) => {
    await login.open();
    await expect(login.username).toBeVisible();
    await tabTo(page, login.username);
    await page.keyboard.type(users.ada);
    await page.keyboard.press('Tab');
    await expect(login.rememberMe).toBeFocused();
    await page.keyboard.press('Space');
    await page.keyboard.press('Tab');
    await expect(login.nextButton).toBeFocused();
    await page.keyboard.press('Enter');

    await expect(login.password).toBeFocused();
    await page.keyboard.type(password);
    await tabTo(page, login.showPassword);
    await page.keyboard.press('Space');
    await expect(login.password).toHaveAttribute('type', 'text');
    await tabTo(page, login.signInButton);
    await page.keyboard.press('Space');
    await ledger.expectSignedIn('Ada');
    expect(await cookies.read(cookieName.username)).toBe(users.ada);
  });
});

test(
  'What is typed at once after a dialog goes to its button, and then to the field',
  { tag: '@engines' },
  async ({ page, login, settings, pageFaults }) => {
    pageFaults.allow(failedRequest(401));
    await login.open();
    await login.signInAs(users.several, 'wrong');
    await expect(login.errorDialog).toBeVisible();
    await page.keyboard.press('Enter');
    await page.keyboard.type(password);
    await page.keyboard.press('Enter');
    await settings.expectOpen();
  },
);

test('The focus waits in an element of the page for a field whose code is slow, so that a screen reader says the field', async ({
  page,
  login,
  settings,
}) => {
  await login.open();
  await login.signInAs(users.several, password);
  await settings.expectOpen();
  const release = await holdRequests(page, /\/assets\/[^/]+\.js$/u);
  await page.getByRole('button', { name: 'Change Password' }).press('Enter');
  const waiting = page.locator('[contenteditable]:focus');
  await waiting.evaluate((element) => Promise.all(element.getAnimations().map(({ finished }) => finished)));
  await expect(waiting).toBeAttached();
  release();
  await expect(login.password).toBeFocused();
  const added = page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new MutationObserver(() => {
          const { length } = document.querySelectorAll('[contenteditable]');
          if (length !== 1) resolve(length);
        }).observe(document.body, { childList: true });
      }),
  );
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('New password')).toBeFocused();
  expect(await added, 'it is removed, and no second one is added').toBe(0);
});

test.describe('On the narrowest supported screen (WCAG 2.2, 1.4.10)', () => {
  test.use({ viewport: { width: 320, height: 640 } });

  test(
    'the second step can be set up and turned off without a mouse',
    { tag: '@long' },
    async ({ page, environment, settings, twoStep, codes, signedInAs }) => {
      const { keyboard } = page;
      const press = async (target: Locator, key: 'Enter' | 'Space'): Promise<void> => {
        await tabTo(page, target);
        await expectToFit(page);
        await keyboard.press(key);
      };
      await signedInAs(users.several);
      await settings.open();
      await press(twoStep.getStarted, 'Enter');
      await press(twoStep.textMessage, 'Space');
      await expect(twoStep.password).toBeFocused();
      await expectToFit(page);
      await keyboard.type(password);
      await keyboard.press('Enter');

      await expect(twoStep.phone).toBeFocused();
      await keyboard.press('Shift+Tab');
      await expect(twoStep.country).toBeFocused();
      await keyboard.type('United K');
      await expect(twoStep.country).toHaveValue('GB');
      await keyboard.press('Tab');
      await keyboard.type('07700 900148');
      await expectToFit(page);
      await keyboard.press('Enter');

      await expect(codes.code).toBeFocused();
      await expectToFit(page);
      await keyboard.type(await textedCode(environment, '+447700900148'));
      await expect(
        page.getByRole('heading', { name: '2-Step Verification is on', exact: true }),
      ).toBeFocused();
      await press(twoStep.done, 'Enter');

      await press(twoStep.turnOff, 'Enter');
      await expect(twoStep.turnOffDialog).toBeVisible();
      await expectToFit(page);
      await keyboard.press('Escape');
      await expect(twoStep.turnOff).toBeFocused();
      await keyboard.press('Space');
      await press(
        twoStep.turnOffDialog.getByRole('button', { name: 'Turn Off 2-Step', exact: true }),
        'Enter',
      );
      await expect(twoStep.password).toBeFocused();
      await keyboard.type(password);
      await keyboard.press('Enter');
      await settings.expectOpen();

      // The other method: its screens have the widest content, the QR code and the key.
      await press(twoStep.getStarted, 'Enter');
      await press(twoStep.authenticatorApp, 'Enter');
      await expect(twoStep.password).toBeFocused();
      await keyboard.type(password);
      await keyboard.press('Enter');
      await twoStep.shownKey();
      await press(page.getByRole('button', { name: 'Copy Key', exact: true }), 'Enter');
      await expect(page.getByText(/^(Copied$|Your browser did not allow copying)/)).toBeVisible();
      await press(twoStep.continueButton, 'Enter');
      await expect(codes.code).toBeFocused();
      await expectToFit(page);
    },
  );
});
