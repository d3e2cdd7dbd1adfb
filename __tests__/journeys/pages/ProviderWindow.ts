import { expect, type Locator, type Page } from '@playwright/test';
import { password } from '../support/people';

/** The window of an identity provider, and what it shows once the provider has sent it back to us. */
export class ProviderWindow {
  readonly email: Locator;
  readonly password: Locator;
  readonly signInButton: Locator;
  readonly allowButton: Locator;
  readonly cancelButton: Locator;
  /** Of our own page, where nobody took the code. */
  readonly lastLine: Locator;
  readonly closeButton: Locator;

  constructor(readonly page: Page) {
    this.email = page.getByRole('combobox', { name: 'E-mail', exact: true });
    // A password field has no role.
    this.password = page.getByLabel('Password', { exact: true });
    this.signInButton = page.getByRole('button', { name: 'Sign in', exact: true });
    this.allowButton = page.getByRole('button', { name: 'Allow', exact: true });
    this.cancelButton = page.getByRole('button', { name: 'Cancel', exact: true });
    this.lastLine = page.getByText('You can close this window.', { exact: true });
    this.closeButton = page.getByRole('button', { name: 'Close Window', exact: true });
  }

  /** The window that a press on the page opens. Its time begins after the press, which may wait for its button. */
  static async openedBy(page: Page, press: () => Promise<void>): Promise<ProviderWindow> {
    const opened: Page[] = [];
    page.once('popup', (window) => opened.push(window));
    await press();
    await expect.poll(() => opened.length, { message: 'windows opened' }).toBe(1);
    const [window] = opened;
    if (!window) throw new Error('No window was opened.');
    return new ProviderWindow(window);
  }

  /** Says who is there: whom the application expects, or somebody else. */
  async signIn(email?: string): Promise<void> {
    if (email !== undefined) await this.email.fill(email);
    await this.password.fill(password);
    await this.signInButton.click();
  }

  /** Lets the application know; the provider sends the window back. */
  async allow(): Promise<void> {
    await this.allowButton.click();
  }

  /** All that the provider asks. */
  async finish(email?: string): Promise<void> {
    await this.signIn(email);
    await this.allow();
  }

  /** Plays a provider that sends the window back with another query than it should. */
  async sendBack(signOnOrigin: string, query: string): Promise<void> {
    await this.page.evaluate((address) => {
      location.assign(address);
    }, `${signOnOrigin}/oauth-redirect${query}`);
  }

  /** Presses Close Window. The press ends the page, and now and then the word that it was made goes with it. */
  async pressClose(): Promise<void> {
    const closed = this.page.waitForEvent('close');
    const pressed = this.closeButton.click().catch((error: unknown) => {
      if (!this.page.isClosed()) throw error;
    });
    await Promise.all([closed, pressed]);
  }

  async expectClosed(): Promise<void> {
    await expect.poll(() => this.page.isClosed(), { message: 'the window is closed' }).toBe(true);
  }
}
