import type { FrameLocator, Locator, Page } from '@playwright/test';
import { expect } from '../support/expect';

/** `/two-auth` and `/verification/{uid}/`: the code and what surrounds it, also in a parent's frame. */
export class CodePage {
  readonly code: Locator;
  /** Drawn under the code. */
  readonly boxes: Locator;
  readonly trustDevice: Locator;
  readonly submitButton: Locator;
  readonly resendButton: Locator;
  readonly sentLine: Locator;
  readonly backToLogin: Locator;
  readonly wrongCode: Locator;
  private readonly title: Locator;

  constructor(
    private readonly page: Page,
    root: Page | FrameLocator = page,
  ) {
    this.title = root.getByRole('heading', { name: 'Enter MFA Code', exact: true });
    this.code = root.getByRole('textbox', { name: /^(MFA|Verification) code$/ });
    this.boxes = root.locator('[dir="ltr"] > [aria-hidden] > *');
    this.trustDevice = root.getByRole('checkbox', { name: 'Trust this device', exact: true });
    this.submitButton = root.getByRole('button', { name: 'Submit', exact: true });
    this.resendButton = root.getByRole('button', { name: 'Resend', exact: true });
    this.sentLine = root.getByText('A new six digit code has been sent to your phone', { exact: true });
    this.backToLogin = root.getByRole('link', { name: 'Back to Login', exact: true });
    this.wrongCode = root.getByRole('alertdialog', {
      name: 'Incorrect Security or Verification Code',
      exact: true,
    });
  }

  async expectAtSignIn(): Promise<void> {
    await expect(this.title).toBeVisible();
    await expect(this.code).toBeVisible();
  }

  /** Types a code, digit by digit. */
  async type(code: string): Promise<void> {
    await this.code.click();
    await this.page.keyboard.type(code);
  }

  /** The dialog about a wrong code is open. */
  async expectWrongCode(): Promise<void> {
    await expect(
      this.wrongCode.getByText('Incorrect code. Please enter verification code again.', { exact: true }),
    ).toBeVisible();
  }

  async closeWrongCode(): Promise<void> {
    await this.wrongCode.getByRole('button', { name: 'Ok', exact: true }).click();
    await expect(this.wrongCode).toBeHidden();
  }
}
