import type { Locator, Page } from '@playwright/test';
import { failedRequest } from './support/pageFaults';
import { password, users } from './support/users';
import { expect, test } from './support/test';

const phone = { width: 360, height: 640 };

/** What a keyboard of 280 px leaves of it: `interactive-widget=resizes-content` makes the page so high. */
const aboveKeyboard = { ...phone, height: 360 };

test.use({ viewport: phone, hasTouch: true, isMobile: true, deviceScaleFactor: 2 });

/** Taps a field, brings the keyboard up, and expects the field and what belongs to it between the edge of the screen and the keyboard. */
async function expectAboveKeyboard(page: Page, field: Locator, ...parts: readonly Locator[]): Promise<void> {
  await field.tap();
  await page.setViewportSize(aboveKeyboard);
  // As phones do for the focused field.
  await field.evaluate((input) => input.scrollIntoView({ block: 'center' }));
  for (const part of [field, ...parts]) await expect(part).toBeInViewport({ ratio: 1 });
  await page.setViewportSize(phone);
}

/** Below this size of type, phones zoom in on a field that is tapped, px. */
const leastType = 16;

async function expectPhoneSize(page: Page): Promise<void> {
  const fields = page.locator('input:not([type=checkbox]):not([aria-hidden]), select');
  await expect(fields.first()).toBeVisible();
  const sizes = await fields.evaluateAll((all) =>
    all.map((one) => parseFloat(getComputedStyle(one).fontSize)),
  );
  expect(Math.min(...sizes)).toBeGreaterThanOrEqual(leastType);
  const widths = () => {
    const { clientWidth, scrollWidth } = document.documentElement;
    return scrollWidth - clientWidth;
  };
  expect(await page.evaluate(widths), 'px that are wider than the phone').toBe(0);
}

test.describe('On a phone', () => {
  test('a sign-in is not zoomed, and its field, button and error stay above the keyboard', async ({
    page,
    login,
    ledger,
    pageFaults,
  }) => {
    await login.open();
    await expectPhoneSize(page);
    await login.username.tap();
    await page.keyboard.type(users.ada);
    await expectAboveKeyboard(page, login.username, login.nextButton);
    await login.nextButton.tap();
    await expect(login.password).toBeFocused();
    await expectPhoneSize(page);
    pageFaults.allow(failedRequest(401));
    await page.keyboard.type('not the password');
    await page.keyboard.press('Enter');
    await page.setViewportSize(aboveKeyboard);
    await expect(login.errorDialog).toBeInViewport({ ratio: 1 });
    await login.errorDialog.getByRole('button', { name: 'Ok', exact: true }).tap();
    await expect(login.password).toBeFocused();
    await page.keyboard.type(password);
    await expect(login.password).toHaveValue(password);
    await expectAboveKeyboard(page, login.password, login.signInButton);
    await page.keyboard.press('Enter');
    await ledger.expectSignedIn('Ada');
  });

  test(
    'the code of a text message is read by the browser (WebOTP), shown above the keyboard, and left to the user',
    { tag: '@long' },
    async ({ page, world, login, codes }) => {
      // A phone without a text message: the browser's own answer, once the user has agreed.
      await page.addInitScript(() => {
        const answers: ((credential: { code: string }) => void)[] = [];
        Object.assign(window, { OTPCredential: true, answers });
        navigator.credentials.get = async (options) =>
          'otp' in (options ?? {}) ? await new Promise((answer) => answers.push(answer as never)) : null;
      });
      await login.open();
      await login.signInAs(users.textMessage, password);
      await codes.expectAtSignIn();
      await expectPhoneSize(page);
      await expect(codes.code).toHaveAttribute('inputmode', 'numeric');
      await expectAboveKeyboard(page, codes.code, codes.submitButton);
      const text = (await world.outbox()).find(({ to }) => to === '+12025550143')?.text ?? '';
      const [, host, code = ''] = /@(\S+) #(\d{6})$/.exec(text) ?? [];
      expect(host, 'the text message is bound to this host').toBe(new URL(page.url()).hostname);
      await page.evaluate((received) => {
        const { answers } = window as unknown as { answers: ((credential: object) => void)[] };
        for (const answer of answers) answer({ code: received });
      }, code);
      await expect(codes.code).toHaveValue(code);
      await codes.submitButton.tap();
      await expect(page).toHaveURL(`${world.origin('ledger')}/`);
    },
  );

  test(
    'an invitation takes a generated password, with its error above the keyboard',
    { tag: '@long' },
    async ({ page, world, login, ledger, passwords }) => {
      const username = 'new.person@payments.example';
      const { url } = await world.link({ kind: 'invitation', username });
      await page.goto(url);
      await expectPhoneSize(page);
      await passwords.firstName.tap();
      await page.keyboard.type('Nia');
      await passwords.lastName.tap();
      await page.keyboard.type('Okafor');
      await page.keyboard.press('Enter');
      const error = page.getByText('Please enter a new password', { exact: true });
      await expectAboveKeyboard(page, passwords.password, error);
      // Of what the attribute allows: its longest password, and its longest runs.
      const rules = (await passwords.password.getAttribute('passwordrules')) ?? '';
      const [, longest = 0, run = 0] = (/maxlength: (\d+); max-consecutive: (\d+);/.exec(rules) ?? []).map(
        Number,
      );
      const generated = ['a', 'B', '7', '-']
        .map((letter) => letter.repeat(run))
        .join('')
        .repeat(longest);
      await passwords.save('Activate', generated.slice(0, longest));
      await expect(passwords.activatedTitle).toBeInViewport();
      await expect(page).toHaveURL(/\/login$/);
      await login.signInAs(username, generated.slice(0, longest));
      await ledger.expectSignedIn('Nia');
    },
  );

  test(
    'the other forms are not zoomed, and their fields and buttons stay above the keyboard',
    { tag: '@long' },
    async ({ page, world, settings, twoStep, passwords, signedInAs }) => {
      await page.goto('/forgot-password');
      await expectPhoneSize(page);
      await expectAboveKeyboard(page, passwords.email, passwords.sendLink);
      await page.goto((await world.link({ kind: 'reset', username: users.ada })).url);
      await expectPhoneSize(page);
      const save = page.getByRole('button', { name: 'Set New Password', exact: true });
      await expectAboveKeyboard(page, passwords.confirm, save);

      await signedInAs(users.several);
      await settings.open();
      await twoStep.getStarted.tap();
      await twoStep.textMessage.tap();
      await expectPhoneSize(page);
      await expectAboveKeyboard(page, twoStep.password, twoStep.nextButton);
      await twoStep.verify();
      await expect(twoStep.phone).toHaveAttribute('type', 'tel');
      await expectPhoneSize(page);
      await expectAboveKeyboard(page, twoStep.phone, twoStep.continueButton);
    },
  );
});
