import { textedCode, wrongCode } from '../support/codes';
import { Authenticator } from '../support/authenticator';
import { engine } from '../support/engine';
import { framedLogin, frameOf } from '../support/framed';
import { ask, payment, receiptOf } from './payments';
import { failedRequest } from '../support/pageFaults';
import { servePage } from '../support/servePage';
import { offers } from '../support/runEnvironment';
import { TwoStepSetup } from '../pages/TwoStepSetup';
import { expect, test } from '../support/test';
import { password, users } from '../support/users';
import type { FrameLocator, Page } from '@playwright/test';

test.skip(!offers('confirmations'), 'It is an extension.');

// What waits is in `waiting.spec.ts`.
test.use({ serviceSettings: { confirmationEnrolmentHours: 0 } });

const phone = '+12025550143';
const button = (page: Page | FrameLocator, name: string) => page.getByRole('button', { name, exact: true });

test('A payment is confirmed by a text message, after a wrong code, and the browser returns to the application', async ({
  page,
  environment,
  signedInAs,
  pageFaults,
}) => {
  pageFaults.allow(failedRequest('401.*/code'));
  await signedInAs(users.textMessage);
  const returnUrl = `${environment.origin('ledger')}/`;
  const { id, url } = await ask(page, environment, { returnUrl });
  await page.goto(url);
  await expect(page.getByRole('heading', { name: 'Confirm payment' })).toBeVisible();
  await expect(page.getByText('€1,149.90')).toBeVisible();
  await expect(page.getByText('Requested by Ledger')).toBeVisible();
  await button(page, 'Confirm by Text Message').click();
  const code = await textedCode(environment, phone, 2);
  await expect(page.getByLabel('Verification code')).toBeFocused();
  await page.keyboard.type(wrongCode(code));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alertdialog')).toContainText(
    'Incorrect code. Please enter verification code again.',
  );
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Verification code')).toHaveValue('');
  await page.keyboard.type(code);
  await page.keyboard.press('Enter');
  await expect(page.getByText('Payment confirmed.')).toBeVisible();
  await expect(page).toHaveURL(returnUrl);
  expect(await receiptOf(environment, id)).toEqual({
    state: 'confirmed',
    receipt: expect.any(String) as unknown,
  });
});

test('A name with stacked marks does not cover the amount', async ({ page, environment, signedInAs }) => {
  await signedInAs(users.textMessage);
  const name = 'N'.concat('\u0e49'.repeat(16)).repeat(4);
  const { url } = await ask(page, environment, { payee: { ...payment.payee, name } });
  await page.goto(url);
  const amount = page.getByText('€1,149.90');
  const covered = await amount.screenshot();
  await page.locator('bdi').evaluateAll((names) => {
    for (const element of names) element.style.visibility = 'hidden';
  });
  expect((await amount.screenshot()).equals(covered)).toBe(true);
});

test('A payment is declined by keyboard alone, and is shown as declined when it is opened again', async ({
  page,
  environment,
  signedInAs,
}) => {
  await signedInAs(users.textMessage);
  const { id, url } = await ask(page, environment);
  await page.goto(url);
  await button(page, 'Decline').press('Enter');
  await expect(page.getByText('You declined this payment.')).toBeVisible();
  await page.goto(url);
  await expect(page.getByText('You declined this payment.')).toBeVisible();
  expect(await receiptOf(environment, id)).toEqual({ state: 'declined', receipt: null });
});

test('A payment of another user, or an unknown one, is not shown; without a session the sign-in leads back', async ({
  page,
  environment,
  signedInAs,
  login,
  pageFaults,
}) => {
  pageFaults.allow(failedRequest('404.*confirmations'));
  await signedInAs(users.textMessage);
  const { url } = await ask(page, environment);
  await page.context().clearCookies();
  await page.goto(url);
  await login.signInAs(users.several, password);
  await expect(page).toHaveURL(/\/unauthorized$/);
  await page.goto('/confirm/unknown');
  await expect(page).toHaveURL(/\/unauthorized$/);
});

/** By redirect, or in a frame: what the ledger's buttons say. */
for (const pay of ['Pay', 'Pay here'] as const) {
  const isFramed = pay === 'Pay here';
  const where = isFramed ? 'in a frame of the ledger' : 'on the page, which leads back to the ledger';
  const partsOf = (page: Page) => (isFramed ? frameOf(page) : page);

  test(`A payment is confirmed by a passkey ${where}`, async ({ page, environment, atSettings }) => {
    test.skip(engine !== 'chromium' || !offers('passkeys'), 'Only Chromium has virtual authenticators');
    const authenticator = await Authenticator.of(page);
    await atSettings(users.several);
    await authenticator.touch();
    await button(page, 'Add a Passkey').click();
    await new TwoStepSetup(page).verify();
    const passkeys = page.getByRole('region', { name: 'Passkeys', exact: true });
    await expect(passkeys.getByRole('listitem')).toHaveCount(1);
    await page.goto(`${environment.origin('ledger')}/`);
    await button(page, pay).click();
    await button(partsOf(page), 'Confirm with a Passkey').click();
    await expect(page.getByText('The payment was carried out.')).toBeVisible();
  });

  test(`A payment is confirmed by a text message ${where}`, async ({ page, environment, signedInAs }) => {
    await signedInAs(users.textMessage);
    await page.goto(`${environment.origin('ledger')}/`);
    await button(page, pay).click();
    await button(partsOf(page), 'Confirm by Text Message').click();
    const code = await textedCode(environment, phone, 2);
    await partsOf(page).getByLabel('Verification code').fill(code);
    await button(partsOf(page), 'Verify').click();
    await expect(page.getByText('The payment was carried out.')).toBeVisible();
  });
}

test('A parent that is not listed is shown nothing of a payment, even if the host does not send its headers', async ({
  page,
  environment,
  signedInAs,
}) => {
  await servePage(page, environment, { headers: { 'content-security-policy': '' } });
  await signedInAs(users.textMessage);
  const { id, url } = await ask(page, environment);
  await page.goto(`${environment.origin('unlisted')}/`);
  await page.locator('iframe').evaluate((frame, src) => ((frame as HTMLIFrameElement).src = src), url);
  const frame = frameOf(page);
  await expect(frame.getByText('This page cannot be shown inside another site.')).toBeVisible();
  await expect(frame.getByText('Northwind')).toHaveCount(0);
  await expect(frame.getByRole('button')).toHaveCount(0);
  expect((await environment.calls()).filter(({ path }) => path.includes(id))).toEqual([]);
});

test('The time for a payment runs out on the open page', async ({ page, environment, signedInAs }) => {
  await page.clock.install();
  await signedInAs(users.textMessage);
  const { url } = await ask(page, environment, { lifeSeconds: 60 });
  await page.goto(url);
  await expect(button(page, 'Decline')).toBeVisible();
  await page.clock.fastForward(61_000);
  await expect(page.getByText('The time for this payment has run out.')).toBeVisible();
});

for (const where of ['in the frame', 'in another tab'] as const)
  test(`A frame without a session shows the payment again after a sign-in ${where}`, async ({
    page,
    environment,
    hub,
    signedInAs,
  }) => {
    await signedInAs(users.several);
    const { url } = await ask(page, environment);
    await page.context().clearCookies();
    await hub.open();
    await page.locator('iframe').evaluate((frame, src) => ((frame as HTMLIFrameElement).src = src), url);
    const login = framedLogin(page);
    await expect(login.username).toBeVisible();
    if (where === 'in the frame') await login.signInAs(users.several, password);
    else await signedInAs(users.several);
    const frame = frameOf(page);
    await expect(frame.getByRole('heading', { name: 'Confirm payment' })).toBeVisible();
    await expect(frame.getByText('€1,149.90')).toBeVisible();
    expect(await frame.locator('body').evaluate(() => location.pathname)).toMatch(/^\/confirm\//);
  });

test('A payment that needs a recent proof leads through verify identity, and goes on by itself', async ({
  page,
  environment,
  signedInAs,
}) => {
  await signedInAs(users.textMessage);
  await environment.advance(60_000);
  const { id, url } = await ask(page, environment, { maxAuthAge: 30 });
  await page.goto(url);
  await button(page, 'Confirm by Text Message').click();
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Verification code')).toBeFocused();
  await page.keyboard.type(await textedCode(environment, phone, 2));
  await page.keyboard.press('Enter');
  await expect(page.getByText('Payment confirmed.')).toBeVisible();
  expect((await receiptOf(environment, id)).state).toBe('confirmed');
});

test('Five wrong codes end a payment, a link leads back to the application, and the next one says how long texts are blocked', async ({
  page,
  environment,
  signedInAs,
  pageFaults,
}) => {
  pageFaults.allow(failedRequest('401.*/code'));
  await signedInAs(users.textMessage);
  const returnUrl = `${environment.origin('ledger')}/`;
  const { url } = await ask(page, environment, { returnUrl });
  await page.goto(url);
  await button(page, 'Confirm by Text Message').click();
  const code = await textedCode(environment, phone, 2);
  for (let failures = 0; failures < 5; failures += 1) {
    await page.getByLabel('Verification code').fill(wrongCode(code));
    await page.keyboard.press('Enter');
    if (failures < 4) {
      await expect(page.getByRole('alertdialog')).toBeVisible();
      await page.keyboard.press('Enter');
      await expect(page.getByLabel('Verification code')).toHaveValue('');
    }
  }
  await expect(page.getByRole('alert')).toHaveText('This payment was not confirmed.');
  await expect(page.getByRole('link', { name: 'Back to Ledger' })).toHaveAttribute('href', returnUrl);
  const next = await ask(page, environment);
  await page.goto(next.url);
  await expect(page.getByText(/^Too many failed attempts\. Try again at \d+:\d\d [ap]m\.$/)).toBeVisible();
  await expect(button(page, 'Confirm by Text Message')).toHaveCount(0);
  await expect(button(page, 'Decline')).toBeVisible();
});
