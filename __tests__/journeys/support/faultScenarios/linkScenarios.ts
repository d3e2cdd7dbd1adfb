import { expect } from '@playwright/test';
import { users } from '../users';
import { calls } from './calls';
import { always, pressTwice, openAnswer, type Scenario } from './scenario';

const newPassword = 'Harbour-gate8';
const notReset = 'There was an error resetting your password.';
const expired = 'Sorry, your link is either invalid or expired.';

/** A link that leads to the page for invalid links. */
function link(name: string, call: Scenario['call'], path: string): Scenario {
  return {
    name,
    call,
    outcome: always(expired),
    // Opening the link is the press.
    open: () => Promise.resolve(),
    press: async ({ page }) => {
      await page.goto(path);
      await expect(page.getByText('Opening your link').first()).toBeVisible();
    },
    expectError: async ({ page, cookies }, words) => {
      await expect(page).toHaveURL(/\/unauthorized$/);
      await expect(page.getByText(words, { exact: true })).toBeVisible();
      expect(await cookies.names()).toEqual([]);
    },
  };
}

const forgot: Scenario = {
  name: 'forgot-password',
  call: calls.forgot,
  // Success and failure both show the confirmation (docs/behaviour.md#forgot-password).
  outcome: always('Reset Link Sent'),
  open: async ({ page }) => {
    await page.goto('/forgot-password');
  },
  press: async ({ passwords }) => {
    await passwords.email.fill(users.ada);
    await pressTwice(passwords.sendLink);
  },
  expectError: async ({ page, passwords }, words) => {
    await expect(page.getByRole('heading', { name: words, exact: true })).toBeVisible();
    await passwords.resend.click();
  },
  expectNextScreen: async ({ passwords }) => {
    await expect(passwords.resend).toBeVisible();
  },
};

/** A form that sets a password through a link. */
function byLink(name: string, call: Scenario['call'], path: string, button: string): Scenario {
  return {
    name,
    call,
    // The text for network errors comes second.
    outcome: openAnswer(({ status, message }) => ({
      says: message ?? (status === null ? 'Network Error' : notReset),
    })),
    open: async ({ page, passwords }) => {
      await page.goto(path);
      await expect(passwords.password).toBeVisible();
      if (!path.startsWith('/activate/')) return;
      await passwords.firstName.fill('Hana');
      await passwords.lastName.fill('Ito');
    },
    press: async ({ page, passwords }) => {
      await passwords.password.fill(newPassword);
      await passwords.confirm.fill(newPassword);
      await pressTwice(page.getByRole('button', { name: button, exact: true }));
    },
    expectError: async ({ page, passwords }, words) => {
      // Before it can be used again, it shows the text of the previous attempt.
      await expect(page.getByRole('button', { name: button, exact: true })).toBeEnabled();
      await passwords.expectError(words);
    },
    expectNextScreen: async ({ page, passwords }) => {
      await expect(passwords.savedTitle.or(passwords.activatedTitle)).toBeVisible();
      await page.clock.fastForward(1500);
      await expect(page).toHaveURL(/\/login$/);
    },
    nextScreenIsBrief: true,
  };
}

/** The calls of one-time links, and the one that requests such a link. */
export const linkScenarios: readonly Scenario[] = [
  link('auth/v1/token (magic link)', calls.magicLink, '/redirect/a-link'),
  link('api-users/invite/link', calls.apiInvite, '/secret-key/a-link'),
  forgot,
  byLink('password-reset', calls.reset, '/reset-password/a-link', 'Set New Password'),
  byLink('activate', calls.activate, '/activate/a-link', 'Activate'),
];
