import type { Locator, Page } from '@playwright/test';
import { seversWindows } from '../support/engine';
import { expect } from '../support/expect';
import { password } from '../support/users';

/** How long after a press every browser lets a page open a window, ms: WebKit's time; the others' is 5 s. */
const shortestActivation = 1000;

/** What the page shows next to the window of a provider that severs nothing. */
export const lineBesideGoogle = seversWindows
  ? 'Finish in the other window, or try again.'
  : 'Continue in the Google window.';

/** The window of an identity provider, and our page in it after the provider has redirected back. */
export class ProviderWindow {
  readonly email: Locator;
  readonly password: Locator;
  readonly signInButton: Locator;
  readonly allowButton: Locator;
  readonly cancelButton: Locator;

  constructor(readonly page: Page) {
    this.email = page.getByRole('combobox', { name: 'E-mail', exact: true });
    // A password field has no role.
    this.password = page.getByLabel('Password', { exact: true });
    this.signInButton = page.getByRole('button', { name: 'Sign in', exact: true });
    this.allowButton = page.getByRole('button', { name: 'Allow', exact: true });
    this.cancelButton = page.getByRole('button', { name: 'Cancel', exact: true });
  }

  /**
   * The window that a press on the page opens. Its timeout starts after the press, which may wait for its button. A browser may block a
   * window that opens late after the press, where the machine is busy: then the page reports it, and its button opens the window.
   */
  static async openedBy(page: Page, press: () => Promise<void>): Promise<ProviderWindow> {
    const opened: Page[] = [];
    page.once('popup', (window) => opened.push(window));
    await press();
    const end = Date.now();
    const blocked = page.getByText(/^Your browser blocked the window\. Press ‘.+’ to continue\.$/);
    let isBlocked = false;
    const look = async () => {
      if (opened.length === 0 && !isBlocked && Date.now() - end > shortestActivation) {
        isBlocked = await blocked.isVisible();
        if (isBlocked) await page.getByRole('button', { name: /^Sign in with (Google|Microsoft)/ }).click();
      }
      return opened.length;
    };
    await expect.poll(look, { message: 'windows opened' }).toBe(1);
    const [window] = opened;
    if (!window) throw new Error('No window was opened.');
    return new ProviderWindow(window);
  }

  /** Signs in as the user that the application expects, or as another. */
  async signIn(email?: string): Promise<void> {
    if (email !== undefined) {
      // Firefox's driver fills behind what is in a field for e-mail, which has no selection to ask for; it empties one by a key.
      await this.email.clear();
      await this.email.fill(email);
    }
    await this.password.fill(password);
    await this.signInButton.click();
  }

  /** Grants access to the application; the provider redirects back. */
  async allow(): Promise<void> {
    await this.allowButton.click();
  }

  /** All that the provider requires. */
  async finish(email?: string): Promise<void> {
    await this.signIn(email);
    await this.allow();
  }

  async expectClosed(): Promise<void> {
    await expect.poll(() => this.page.isClosed(), { message: 'the window is closed' }).toBe(true);
  }
}
