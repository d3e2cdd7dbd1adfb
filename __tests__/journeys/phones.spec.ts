import type { Locator, Page } from '@playwright/test';
import { phoneOptions } from './support/engine';
import { failedRequest } from './support/pageFaults';
import { password, users } from './support/users';
import { expect, test as base } from './support/test';

const phone = { width: 360, height: 640 };

/** What a keyboard of 280 px leaves of it: `interactive-widget=resizes-content` makes the page so high. */
const aboveKeyboard = { ...phone, height: 360 };

const test = base.extend({
  page: async ({ page }, use) => {
    // Not every driver reads the option.
    await page.setViewportSize(phone);
    await use(page);
  },
});
test.use(phoneOptions(phone));

/** With a finger, or with the mouse where the browser has no touch. */
async function tap(target: Locator): Promise<void> {
  const hasTouch = await target.evaluate(() => navigator.maxTouchPoints > 0);
  await (hasTouch ? target.tap() : target.click());
}

/** The keyboard that a phone shows for a field. */
interface Keyboard {
  readonly type: string;
  /** What the return key says. */
  readonly enterKeyHint: string;
  readonly inputMode?: string;
  /** Browsers capitalise and correct no address and no number by themselves. */
  readonly autocapitalize?: string;
}

const forPassword = (enterKeyHint: string): Keyboard => ({
  type: 'password',
  enterKeyHint,
  autocapitalize: 'none',
});

/** As the browser reads the field's attributes: one that it does not know stays empty. */
async function expectKeyboard(field: Locator, keyboard: Keyboard): Promise<void> {
  const read = await field.evaluate((one) => {
    const input = one as HTMLInputElement;
    return {
      type: input.type,
      // WebKitGTK, which has no keyboard of its own, does not know of it.
      enterKeyHint: 'enterKeyHint' in input ? input.enterKeyHint : one.getAttribute('enterkeyhint'),
      inputMode: input.inputMode,
      autocapitalize: input.autocapitalize,
    };
  });
  expect(read).toEqual({ inputMode: '', autocapitalize: '', ...keyboard });
}

/** Of what the field tells generators of passwords: the longest, with the longest runs of a character. */
async function generatedPassword(field: Locator): Promise<string> {
  const rules = (await field.getAttribute('passwordrules')) ?? '';
  const [, longest = 0, run = 0] = (/maxlength: (\d+); max-consecutive: (\d+);/.exec(rules) ?? []).map(
    Number,
  );
  const letters = ['a', 'B', '7', '-'].map((letter) => letter.repeat(run)).join('');
  return letters.repeat(longest).slice(0, longest);
}

/** Taps a field, brings the keyboard up, and expects the field and what belongs to it between the edge of the screen and the keyboard. */
async function expectAboveKeyboard(page: Page, field: Locator, ...parts: readonly Locator[]): Promise<void> {
  await tap(field);
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
    await expectKeyboard(login.username, { type: 'text', enterKeyHint: 'next', autocapitalize: 'none' });
    await tap(login.username);
    await page.keyboard.type(users.ada);
    await expectAboveKeyboard(page, login.username, login.nextButton);
    await tap(login.nextButton);
    await expect(login.password).toBeFocused();
    await expectPhoneSize(page);
    await expectKeyboard(login.password, forPassword('go'));
    pageFaults.allow(failedRequest(401));
    await page.keyboard.type('not the password');
    await page.keyboard.press('Enter');
    await page.setViewportSize(aboveKeyboard);
    await expect(login.errorDialog).toBeInViewport({ ratio: 1 });
    await tap(login.errorDialog.getByRole('button', { name: 'Ok', exact: true }));
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
    async ({ page, environment, login, codes }) => {
      // A phone without a text message: the browser's own answer, once the user has agreed.
      await page.addInitScript(() => {
        const answers: ((credential: { code: string }) => void)[] = [];
        Object.assign(window, { OTPCredential: true, answers });
        const get = async (options: object) =>
          'otp' in options ? await new Promise((answer) => answers.push(answer)) : null;
        Object.defineProperty(navigator, 'credentials', { value: { get } });
      });
      await login.open();
      await login.signInAs(users.textMessage, password);
      await codes.expectAtSignIn();
      await expectPhoneSize(page);
      await expectKeyboard(codes.code, {
        type: 'text',
        enterKeyHint: 'go',
        inputMode: 'numeric',
        autocapitalize: 'none',
      });
      await expectAboveKeyboard(page, codes.code, codes.submitButton);
      const text = (await environment.outbox()).find(({ to }) => to === '+12025550143')?.text ?? '';
      const [, host, code = ''] = /@(\S+) #(\d{6})$/.exec(text) ?? [];
      const own = await page.evaluate(() => location.hostname);
      expect(host, 'the text message is bound to this host').toBe(own);
      await page.evaluate((received) => {
        const { answers } = window as unknown as { answers: ((credential: object) => void)[] };
        for (const answer of answers) answer({ code: received });
      }, code);
      await expect(codes.code).toHaveValue(code);
      await tap(codes.submitButton);
      await expect(page).toHaveURL(`${environment.origin('ledger')}/`);
    },
  );

  test(
    'an invitation takes a generated password, with its error above the keyboard',
    { tag: '@long' },
    async ({ page, environment, login, ledger, passwords }) => {
      const username = 'new.person@payments.example';
      const { url } = await environment.link({ kind: 'invitation', username });
      await page.goto(url);
      await expectPhoneSize(page);
      await expectKeyboard(passwords.firstName, {
        type: 'text',
        enterKeyHint: 'next',
        autocapitalize: 'words',
      });
      await expectKeyboard(passwords.lastName, { type: 'text', enterKeyHint: 'go', autocapitalize: 'words' });
      await tap(passwords.firstName);
      await page.keyboard.type('Nia');
      await tap(passwords.lastName);
      await page.keyboard.type('Okafor');
      await page.keyboard.press('Enter');
      const error = page.getByText('Please enter a new password', { exact: true });
      await expectAboveKeyboard(page, passwords.password, error);
      const generated = await generatedPassword(passwords.password);
      await passwords.save('Activate', generated);
      await expect(passwords.activatedTitle).toBeInViewport();
      await expect(page).toHaveURL(/\/login$/);
      await login.signInAs(username, generated);
      await ledger.expectSignedIn('Nia');
    },
  );

  test(
    'the other forms are not zoomed, and their fields and buttons stay above the keyboard',
    { tag: '@long' },
    async ({ page, environment, login, ledger, settings, twoStep, passwords, signedInAs }) => {
      await page.goto('/forgot-password');
      await expectPhoneSize(page);
      await expectKeyboard(passwords.email, { type: 'email', enterKeyHint: 'send' });
      await expectAboveKeyboard(page, passwords.email, passwords.sendLink);
      await page.goto((await environment.link({ kind: 'reset', username: users.ada })).url);
      await expectPhoneSize(page);
      await expectKeyboard(passwords.password, forPassword('next'));
      await expectKeyboard(passwords.confirm, forPassword('go'));
      const save = page.getByRole('button', { name: 'Set New Password', exact: true });
      await expectAboveKeyboard(page, passwords.confirm, save);
      const generated = await generatedPassword(passwords.password);
      await passwords.save('Set New Password', generated);
      await expect(passwords.savedTitle).toBeInViewport();
      await expect(page).toHaveURL(/\/login$/);
      await login.signInAs(users.ada, generated);
      await ledger.expectSignedIn('Ada');

      await signedInAs(users.several);
      await settings.open();
      await tap(twoStep.getStarted);
      await tap(twoStep.textMessage);
      await expectPhoneSize(page);
      await expectKeyboard(twoStep.password, forPassword('go'));
      await expectAboveKeyboard(page, twoStep.password, twoStep.nextButton);
      await twoStep.verify();
      await expectKeyboard(twoStep.phone, { type: 'tel', enterKeyHint: 'go' });
      await expectPhoneSize(page);
      await expectAboveKeyboard(page, twoStep.phone, twoStep.continueButton);
    },
  );
});
