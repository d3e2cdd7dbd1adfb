import type { Locator, Page } from '@playwright/test';
import { expect } from '../support/expect';
import { password as readyPassword } from '../support/users';

/** Verify identity, the screens of the set-up and the section of the settings that leads there. */
export class TwoStepSetup {
  readonly section: Locator;
  readonly getStarted: Locator;
  readonly addNewApp: Locator;
  readonly turnOff: Locator;
  readonly turnOffDialog: Locator;
  readonly authenticatorApp: Locator;
  readonly textMessage: Locator;
  readonly email: Locator;
  readonly password: Locator;
  readonly nextButton: Locator;
  readonly phone: Locator;
  readonly country: Locator;
  readonly continueButton: Locator;
  readonly done: Locator;
  readonly signIn: Locator;
  readonly expiring: Locator;

  constructor(readonly page: Page) {
    this.section = page.getByRole('region', { name: '2-Step Verification', exact: true });
    this.getStarted = this.section.getByRole('button', { name: 'Get Started', exact: true });
    this.addNewApp = this.section.getByRole('button', { name: 'Add New App', exact: true });
    this.turnOff = this.section.getByRole('button', { name: 'Turn Off', exact: true });
    this.turnOffDialog = page.getByRole('alertdialog', { name: 'Turn Off 2-Step', exact: true });
    this.authenticatorApp = page.getByRole('button', { name: /^Authenticator App/ });
    this.textMessage = page.getByRole('button', { name: /^SMS Text Message/ });
    this.email = page.getByLabel('Email', { exact: true });
    this.password = page.getByLabel('Password', { exact: true });
    this.nextButton = page.getByRole('button', { name: 'Next', exact: true });
    this.phone = page.getByPlaceholder('Enter Phone Number', { exact: true });
    this.country = page.getByRole('combobox', { name: 'Country', exact: true });
    this.continueButton = page
      .getByRole('button', { name: 'Continue', exact: true })
      .or(page.getByRole('link', { name: 'Continue', exact: true }));
    this.done = page.getByRole('link', { name: 'Done', exact: true });
    this.signIn = page.getByRole('button', { name: 'Sign In', exact: true });
    this.expiring = page.getByText(
      'Your session will expire in 30 seconds. Please complete verification soon.',
    );
  }

  /** Verifies identity with the password of the ready-made accounts, or another one. */
  async verify(password = readyPassword): Promise<void> {
    await this.password.fill(password);
    await this.nextButton.click();
  }

  /** From the settings to the key of an authenticator app. */
  async begin(): Promise<void> {
    await this.getStarted.click();
    await this.authenticatorApp.click();
    await this.verify();
  }

  async sendPhone(phone: string): Promise<void> {
    await this.phone.fill(phone);
    await this.continueButton.click();
  }

  /** The key on the screen of the authenticator app, without spaces. */
  async shownKey(): Promise<string> {
    const key = this.page.getByText(/^[A-Z2-7]{4}( ?[A-Z2-7]{1,4}){3,}$/);
    await expect(key).toBeVisible();
    return ((await key.textContent()) ?? '').replace(/\s/g, '');
  }
}
