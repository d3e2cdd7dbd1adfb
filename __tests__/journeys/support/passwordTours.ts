import { expect } from '@playwright/test';
import { pauseClock } from './pauseClock';
import { people } from './people';
import { servePage } from './servePage';
import type { Tour } from './tour';

const goodPassword = 'Harbour-gate8';

/** `/forgot-password` and its confirmation. */
const forgotten: Tour = async ({ page, passwords }, query, look) => {
  await page.goto(`/forgot-password${query}`);
  await expect(passwords.email).toBeVisible();
  await look('forgot');
  await passwords.email.fill(people.ada);
  await passwords.sendLink.click();
  await expect(passwords.resend).toBeVisible();
  await look('forgot-sent');
};

/** `/reset-password/{hash}`: initial, partly filled in, rejected, saved. */
const resetByLink: Tour = async ({ page, world, passwords }, query, look) => {
  const { url } = await world.link({ kind: 'reset', username: people.ada });
  await page.goto(url + query);
  await expect(passwords.password).toBeVisible();
  await look('reset');
  await passwords.save('Reset Password', 'harbour8');
  await passwords.expectError('Please match the requested format');
  await look('reset-refused');
  // The screen stays for 1.5 s: the clock is stopped meanwhile.
  await page.clock.install();
  await pauseClock(page);
  await passwords.save('Reset Password', goodPassword);
  await expect(passwords.savedTitle).toBeVisible();
  await look('reset-saved', 'paused');
};

/** `/activate/{hash}`, and `/reset` without a link. */
const activation: Tour = async ({ page, world, passwords, signedInAs }, query, look) => {
  const { url } = await world.link({ kind: 'invitation', username: 'tour@payments.example' });
  await page.goto(url + query);
  await passwords.firstName.fill('Nia');
  await passwords.password.fill(goodPassword);
  await passwords.confirm.focus();
  await look('activate');
  await signedInAs(people.several);
  await page.goto(`/reset${query}`);
  await expect(page.getByText('This page needs the link from our email.', { exact: true })).toBeVisible();
  await look('reset-without-link');
};

/** Verify identity for the change, and its form. */
const change: Tour = async ({ page, twoStep, passwords, signedInAs }, query, look) => {
  await signedInAs(people.several);
  await page.goto(`/reset-password-verify${query}`);
  await expect(twoStep.password).toBeVisible();
  await look('change-verify');
  await twoStep.verify();
  await expect(passwords.password).toBeVisible();
  await look('change');
};

/** `/secret-key/{hash}`: behind its button, shown, and with the clipboard refused. */
const apiKey: Tour = async ({ page, world }, query, look) => {
  // Chromium treats a page that the test answers as not local, and then blocks calls to the local service.
  await page.context().grantPermissions(['local-network-access']);
  await servePage(page, world, {
    html: (html) => html.replace('"oneTimeLinks":"auto"', '"oneTimeLinks":"click"'),
  });
  const { url } = await world.link({ kind: 'api-invitation', name: 'Nightly export' });
  await page.goto(url + query);
  await expect(page.getByRole('button', { name: 'Continue', exact: true })).toBeVisible();
  await look('secret-key-gate');
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  const secret = page.getByRole('button', { name: /^API secret/ });
  await expect(secret).toBeVisible();
  await look('secret-key');
  await secret.click();
  await expect(page.getByRole('main').getByRole('status').filter({ hasText: /cop/i })).toBeVisible();
  await look('secret-key-copied');
};

/** Every screen of passwords and one-time links, in groups. */
export const passwordTours: Readonly<Record<string, Tour>> = {
  'a forgotten password': forgotten,
  'a reset by link': resetByLink,
  'an activation': activation,
  'a change of password': change,
  'an API key': apiKey,
};
