import type { Locator, Page } from '@playwright/test';
import { expect } from '../support/expect';

/** `/account-settings`. */
export class AccountSettingsPage {
  readonly header: Locator;
  readonly logoutButton: Locator;
  readonly main: Locator;

  constructor(private readonly page: Page) {
    this.header = page.getByRole('banner');
    this.logoutButton = this.header.getByRole('button', { name: 'Logout', exact: true });
    this.main = page.getByRole('main');
  }

  async open(): Promise<void> {
    await this.page.goto('/account-settings');
  }

  /** The settings are open, and the account has been loaded. */
  async expectOpen(): Promise<void> {
    await expect(this.page).toHaveURL(/^http:\/\/[^/]+\/account-settings$/);
    await expect(this.main.getByRole('heading', { name: 'Password' })).toBeVisible();
  }

  /** The password section shows exactly this text about the last change. */
  async expectLastChange(text: string | RegExp): Promise<void> {
    await expect(this.main.getByText(text, { exact: true })).toBeVisible();
  }
}
