import type { FrameLocator, Locator, Page } from '@playwright/test';
import { expect } from '../support/expect';

/** `/login`, both steps, in its own page or in a parent's frame. */
export class LoginPage {
  readonly username: Locator;
  readonly rememberMe: Locator;
  readonly nextButton: Locator;
  readonly password: Locator;
  readonly showPassword: Locator;
  readonly signInButton: Locator;
  readonly forgotPassword: Locator;
  readonly google: Locator;
  readonly microsoft: Locator;
  /** The hint while a provider's window is open or was blocked. */
  readonly providerLine: Locator;
  readonly openAgain: Locator;
  readonly cancelProvider: Locator;
  readonly errorDialog: Locator;
  readonly header: Locator;

  constructor(
    private readonly page: Page,
    private readonly root: Page | FrameLocator = page,
  ) {
    this.username = root.getByRole('textbox', { name: 'Username', exact: true });
    this.rememberMe = root.getByRole('checkbox', { name: 'Remember Me', exact: true });
    this.nextButton = root.getByRole('button', { name: 'Next', exact: true });
    // A password field has no role.
    this.password = root.getByLabel('Password', { exact: true });
    this.showPassword = root.getByRole('button', { name: 'Show Password', exact: true });
    this.signInButton = root.getByRole('button', { name: 'Sign In', exact: true });
    this.forgotPassword = root.getByRole('link', { name: 'Forgot your password?', exact: true });
    this.google = root.getByRole('button', { name: 'Sign in with Google', exact: true });
    this.microsoft = root.getByRole('button', { name: 'Sign in with Microsoft', exact: true });
    this.providerLine = root
      .getByRole('main')
      .getByRole('status')
      .filter({ hasText: /window/ });
    this.openAgain = root.getByRole('button', { name: 'Open again', exact: true });
    this.cancelProvider = root.getByRole('button', { name: 'Cancel', exact: true });
    this.errorDialog = root.getByRole('alertdialog', { name: 'Login Error', exact: true });
    this.header = root.getByRole('banner');
  }

  /** Opens `/login` with a query such as `?supplierHub=true`. */
  async open(query = ''): Promise<void> {
    await this.page.goto(`/login${query}`);
  }

  async typeUsername(username: string): Promise<void> {
    await this.username.fill(username);
  }

  async next(): Promise<void> {
    await this.nextButton.click();
  }

  /** The first step, until the methods are shown. */
  async enterUsername(username: string): Promise<void> {
    await this.typeUsername(username);
    await this.next();
  }

  async typePassword(password: string): Promise<void> {
    await this.password.fill(password);
  }

  async signIn(): Promise<void> {
    await this.signInButton.click();
  }

  /** Both steps. */
  async signInAs(username: string, password: string): Promise<void> {
    await this.enterUsername(username);
    await this.typePassword(password);
    await this.signIn();
  }

  /** The link of the second step that shows the username and leads back. */
  backLink(username: string): Locator {
    const name = { name: username };
    return this.root.getByRole('link', name).or(this.root.getByRole('button', name));
  }

  /** The dialog is open and has exactly this text. */
  async expectLoginError(text: string): Promise<void> {
    await expect(this.errorDialog).toBeVisible();
    await expect(this.errorDialog.getByText(text, { exact: true })).toBeVisible();
  }

  async closeLoginError(): Promise<void> {
    await this.errorDialog.getByRole('button', { name: 'Ok', exact: true }).click();
    await expect(this.errorDialog).toBeHidden();
  }

  /** The first step works: this username leads to the second. */
  async expectUsable(username: string): Promise<void> {
    await this.enterUsername(username);
    await expect(this.password).toBeVisible();
  }
}
