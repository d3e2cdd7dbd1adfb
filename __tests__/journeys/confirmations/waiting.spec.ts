import { Authenticator } from '../support/authenticator';
import { textedCode, wrongCode } from '../support/codes';
import { engine } from '../support/engine';
import { failedRequest } from '../support/pageFaults';
import { ask, receiptOf } from './payments';
import { offers } from '../support/runEnvironment';
import { TwoStepSetup } from '../pages/TwoStepSetup';
import { expect, test } from '../support/test';
import { users } from '../support/users';
import type { Locator, Page } from '@playwright/test';

test.skip(engine !== 'chromium', 'Only Chromium has virtual authenticators');
// Without the mails of notices, time alone permits no element, so that no time is shown.
test.skip(!offers('confirmations', 'passkeys', 'notices'), 'They are extensions.');
// The type has no such setting where notices were deleted.
test.use({ serviceSettings: { notices: true } as object });

const phone = '+12025550143';
const button = (page: Page | Locator, name: string) => page.getByRole('button', { name, exact: true });
const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const time = String.raw`from .+ at \d+:\d\d [ap]m on\.$`;
const waits = new RegExp(`^You can confirm payments with this passkey ${time}`);

/** Adds a passkey with the password alone. */
async function addPasskey(page: Page): Promise<void> {
  await (await Authenticator.of(page)).touch();
  await button(page, 'Add a Passkey').click();
  await new TwoStepSetup(page).verify();
  await expect(section(page, 'Passkeys').getByRole('listitem')).toHaveCount(1);
}

test('A passkey that was added with the password alone confirms no payment, until the old phone has permitted it', async ({
  page,
  environment,
  atSettings,
  pageFaults,
}) => {
  pageFaults.allow(failedRequest('401.*/code'));
  await atSettings(users.textMessage);
  await expect(section(page, 'Payments')).toHaveCount(0);
  await addPasskey(page);
  const payments = section(page, 'Payments');
  await expect(payments.getByText(waits)).toBeVisible();
  const { id, url } = await ask(page, environment);
  await page.goto(url);
  await expect(page.getByText(waits)).toBeVisible();
  await expect(button(page, 'Confirm by Text Message')).toBeVisible();
  await expect(button(page, 'Confirm with a Passkey')).toHaveCount(0);

  await page.goto('/account-settings');
  await button(payments, 'Confirm payments with this passkey now').press('Enter');
  await expect(page.getByLabel('Verification code')).toBeFocused();
  const code = await textedCode(environment, phone, 2);
  await page.keyboard.type(wrongCode(code));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alertdialog')).toContainText('Incorrect code.');
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Verification code')).toHaveValue('');
  await page.keyboard.type(code);
  await page.keyboard.press('Enter');
  await expect(payments.getByText('You can confirm payments with this passkey now.')).toBeVisible();
  await expect(payments.getByRole('heading')).toBeFocused();

  await page.goto(url);
  await button(page, 'Confirm with a Passkey').click();
  await expect(page.getByText('Payment confirmed.')).toBeVisible();
  expect((await receiptOf(environment, id)).state).toBe('confirmed');
});

test('A passkey of a user without another element waits for its time, which the settings and a payment say', async ({
  page,
  environment,
  atSettings,
}) => {
  await atSettings(users.several);
  await addPasskey(page);
  const payments = section(page, 'Payments');
  await expect(payments.getByText(waits)).toBeVisible();
  await expect(payments.getByRole('button')).toHaveCount(0);
  const { url } = await ask(page, environment);
  await page.goto(url);
  await expect(page.getByText(waits)).toBeVisible();
  await expect(button(page, 'Decline')).toBeVisible();
});
