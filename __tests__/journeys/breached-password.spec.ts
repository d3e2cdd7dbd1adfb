import { failedRequest } from './support/pageFaults';
import { offers } from './support/runEnvironment';
import { users } from './support/users';
import { expect, test } from './support/test';

const refusals = [
  ['Password1', 'This password appeared in a data breach. Choose another one.'],
  ['Payments1', 'This password is too easy to guess. Choose another one.'],
] as const;

test.describe('A breached password, and one that consists of a context word,', () => {
  test.skip(!offers('password-check'), 'It is an extension.');

  test(
    'are refused by reset, activation and change, each of which then accepts another one',
    { tag: '@long' },
    async ({ page, environment, atSettings, twoStep, pageFaults }) => {
      pageFaults.allow(failedRequest(422));
      const refusedThenSaved = async (button: string, other: string) => {
        for (const [entered, refusal] of [...refusals, [other, null]] as const) {
          await page.getByLabel('New password', { exact: true }).fill(entered);
          await page.getByLabel('Confirm password', { exact: true }).fill(entered);
          await page.getByRole('button', { name: button, exact: true }).click();
          if (refusal !== null) await expect(page.getByText(refusal)).toBeVisible();
        }
        await expect(page).toHaveURL(/\/login/);
      };
      const reset = await environment.link({ kind: 'reset', username: users.ada });
      await page.goto(`${environment.origin('app')}/reset-password/${reset.id}`);
      await refusedThenSaved('Set New Password', 'Harbour-gate8');

      const invitation = await environment.link({ kind: 'invitation', username: 'invited@payments.example' });
      await page.goto(`${environment.origin('app')}/activate/${invitation.id}`);
      await page.getByLabel('First name').fill('Ina');
      await page.getByLabel('Last name').fill('Vited');
      await refusedThenSaved('Activate', 'Harbour-gate8');

      await atSettings(users.several);
      await page.getByRole('button', { name: 'Change Password' }).click();
      await twoStep.verify();
      await refusedThenSaved('Change Password', 'Harbour-gate8');
    },
  );
});
