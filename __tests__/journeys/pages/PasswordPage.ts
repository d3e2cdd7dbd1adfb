import type { Locator, Page } from '@playwright/test';
import { expect } from '../support/expect';
import { pauseClock } from '../support/pauseClock';

/** The screens that request, set, reset and change a password. */
export class PasswordPage {
  readonly email: Locator;
  readonly sendLink: Locator;
  readonly firstName: Locator;
  readonly lastName: Locator;
  readonly password: Locator;
  readonly confirm: Locator;
  readonly savedTitle: Locator;
  readonly activatedTitle: Locator;
  readonly expiredTitle: Locator;

  constructor(readonly page: Page) {
    this.email = page.getByLabel('Email', { exact: true });
    this.sendLink = page.getByRole('button', { name: 'Request Reset Link', exact: true });
    this.firstName = page.getByLabel('First name', { exact: true });
    this.lastName = page.getByLabel('Last name', { exact: true });
    this.password = page.getByLabel('New password', { exact: true });
    this.confirm = page.getByLabel('Confirm password', { exact: true });
    this.savedTitle = page.getByRole('heading', { name: 'Your password has been changed.', exact: true });
    this.activatedTitle = page.getByRole('heading', { name: 'Your account is active.', exact: true });
    this.expiredTitle = page.getByRole('heading', { name: 'Your Link Has Expired', exact: true });
  }

  /** Types both fields and presses the form's button. */
  async save(submitLabel: string, password: string, confirm = password): Promise<void> {
    await this.password.fill(password);
    await this.confirm.fill(confirm);
    await this.page.getByRole('button', { name: submitLabel, exact: true }).click();
  }

  /** Saves, checks the confirmation of 1.5 s with the page's clock stopped, and is then at the sign-in. */
  async saveAndLeave(submitLabel: string, password: string, title = this.savedTitle): Promise<void> {
    const { clock } = this.page;
    // The screen is fetched, and rendered by a timer of React's, which would be stopped, too.
    await expect(this.password).toBeVisible();
    await clock.install();
    await pauseClock(this.page);
    await this.save(submitLabel, password);
    await expect(title).toBeVisible();
    await clock.runFor(1500);
    await expect(this.page).toHaveURL(/\/login$/);
    await clock.resume();
  }

  /** The form shows exactly this error. */
  async expectError(text: string): Promise<void> {
    await expect(this.page.getByText(text, { exact: true }).first()).toBeVisible();
  }
}
