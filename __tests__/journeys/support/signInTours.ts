import { expect } from '@playwright/test';
import { password, people } from './people';
import type { Tour } from './tour';

/** Both steps of `/login`, its dialog, and the hint beside a provider's window. */
const login: Tour = async ({ page, login: form, openProvider }, query, look) => {
  await form.open(query);
  await expect(form.username).toBeVisible();
  await look('login-username');
  await form.enterUsername(people.unknown);
  await form.expectLoginError('No Login Methods available');
  await look('login-error');
  await form.closeLoginError();
  await form.enterUsername(people.allMethods);
  await form.typePassword(password);
  await expect(form.signInButton).toBeEnabled();
  await look('login-methods');
  await openProvider(() => form.google.click());
  await expect(form.providerLine).toHaveText('Continue in the Google window.');
  await page.bringToFront();
  await look('login-provider-waiting');
};

/** The destinations of a sign-in, and the pages to which a link or a provider leads. */
const beyond: Tour = async ({ page, signedInAs }, query, look) => {
  await page.goto(`/oauth-redirect${query}`);
  await expect(page.getByRole('button', { name: 'Close Window', exact: true })).toBeVisible();
  await look('oauth-redirect');
  await page.goto(`/unauthorized${query}`);
  await expect(page.getByRole('heading', { name: 'Your Link Has Expired', exact: true })).toBeVisible();
  await look('unauthorized');
  await signedInAs(people.several);
  await page.goto(`/account-settings${query}`);
  await expect(page.getByText('March 5th, 2026 at 9:07 am', { exact: true })).toBeVisible();
  await look('account-settings');
};

/** `/login`, after too many redirects from an application. */
const stopped: Tour = async ({ page, world, signedInAs }, query, look) => {
  await signedInAs(people.ada);
  for (const _time of [1, 2, 3]) {
    await page.goto(`/login${query}`);
    await page.waitForURL(`${world.origin('ledger')}/`);
  }
  await page.goto(`/login${query}`);
  await expect(page.getByRole('button', { name: 'Sign Out', exact: true })).toBeVisible();
  await look('stopped');
};

/** The screens of the sign-in. */
export const signInTours: Readonly<Record<string, Tour>> = {
  'the login': login,
  'the settings, the page of an expired link and the last line of a provider’s window': beyond,
  'a redirect loop that was stopped': stopped,
};
