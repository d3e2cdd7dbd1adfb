import type { Page } from '@playwright/test';
import { expect } from '../support/expect';

/** A sibling application: it reads the shared cookie and shows the signed-in user. */
export class ApplicationPage {
  constructor(
    private readonly page: Page,
    private readonly origin: string,
  ) {}

  async open(): Promise<void> {
    await this.page.goto(`${this.origin}/`);
  }

  /** The browser is here, at this path, and the application shows this user. */
  async expectSignedIn(firstName: string, path = '/'): Promise<void> {
    await expect(this.page).toHaveURL(this.origin + path);
    await expect(this.page.getByText(`Signed in as ${firstName}.`, { exact: true })).toBeVisible();
  }

  async expectNobodySignedIn(): Promise<void> {
    await expect(this.page).toHaveURL(`${this.origin}/`);
    await expect(this.page.getByText('Nobody is signed in.', { exact: true })).toBeVisible();
  }
}
