import type { FrameLocator, Locator, Page } from '@playwright/test';
import { expect } from '../support/expect';
import { TwoStepSetup } from '../pages/TwoStepSetup';

/** What the screens of a page show about passkeys. */
export class PasskeyParts {
  readonly section: Locator;
  readonly rows: Locator;
  readonly none: Locator;
  readonly signIn: Locator;
  readonly use: Locator;
  readonly dialog: Locator;

  constructor(
    private readonly page: Page,
    root: Page | FrameLocator = page,
  ) {
    this.section = root.getByRole('region', { name: 'Passkeys', exact: true });
    this.rows = this.section.getByRole('listitem');
    this.none = this.section.getByText('You have no passkeys.');
    this.signIn = root.getByRole('button', { name: 'Sign in with a Passkey', exact: true });
    this.use = root.getByRole('button', { name: 'Use a Passkey', exact: true });
    this.dialog = root.getByRole('alertdialog', { name: 'Passkey Error', exact: true });
  }

  row(name: string): Locator {
    return this.rows.filter({ hasText: name });
  }

  /** 'Add a Passkey', with the password as proof. */
  async add(password?: string): Promise<void> {
    const before = await this.rows.count();
    await this.section.getByRole('button', { name: 'Add a Passkey' }).click();
    await new TwoStepSetup(this.page).verify(password);
    await expect(this.rows).toHaveCount(before + 1);
  }
}
