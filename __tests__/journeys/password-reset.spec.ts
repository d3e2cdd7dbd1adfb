import { failedRequest } from './support/pageFaults';
import { password, users } from './support/users';
import { expect, test } from './support/test';

const resetCall = 'POST /password-reset/v1/password-reset';
const newPassword = 'Harbour-gate8';

test.describe('A forgotten password', () => {
  test('is replaced through the link of the mail, and the new one signs in', async ({
    page,
    environment,
    login,
    ledger,
    passwords,
    pageFaults,
  }) => {
    await login.open('?application=ledger');
    await login.enterUsername(users.ada);
    await login.forgotPassword.click();
    await passwords.email.fill(users.ada);
    await passwords.sendLink.click();
    await expect(page.getByRole('heading', { name: 'Reset Link Sent', exact: true })).toBeVisible();

    const link = await environment.mailedLink(users.ada);
    await page.goto(link);
    await expect(passwords.password).toHaveAttribute('autocomplete', 'new-password');
    await expect(passwords.password).toHaveAttribute('passwordrules', /minlength: 8; maxlength: 50/);
    await passwords.saveAndLeave('Set New Password', newPassword);
    const hash = new URL(link).pathname.split('/').at(-1);
    expect(await environment.bodies(resetCall)).toEqual([
      { password: newPassword, confirm: newPassword, hash, method: 'basic' },
    ]);

    pageFaults.allow(failedRequest(401));
    await login.signInAs(users.ada, password);
    await expect(login.errorDialog).toBeVisible();
    await login.closeLoginError();
    await login.typePassword(newPassword);
    await login.signIn();
    await ledger.expectSignedIn('Ada');
  });

  test(
    'has the same confirmation for an unknown e-mail; Resend leads back to the form',
    { tag: '@long' },
    async ({ page, environment, passwords }) => {
      await page.goto('/forgot-password');
      await passwords.email.fill('no.such@payments.example');
      await passwords.email.press('Enter');
      await expect(page.getByRole('heading', { name: 'Reset Link Sent', exact: true })).toBeVisible();
      await passwords.resend.click();
      await expect(passwords.email).toHaveValue('no.such@payments.example');
      expect(await environment.outbox()).toEqual([]);
      await page.getByRole('link', { name: 'Back to Login', exact: true }).click();
      await expect(page).toHaveURL(/\/login$/);
    },
  );
});

test.describe('A reset link', () => {
  test(
    'shows the errors of a password, and stays valid until one is saved',
    { tag: '@long' },
    async ({ page, environment, passwords, pageFaults }) => {
      const { url } = await environment.link({ kind: 'reset', username: users.ada });
      await page.goto(url);
      await passwords.save('Set New Password', '');
      await passwords.expectError('Please enter a new password');
      await passwords.save('Set New Password', 'short1A');
      await passwords.expectError('Please match the requested format');
      await passwords.expectError('Please meet the password requirements');
      await expect(passwords.password).toBeFocused();
      expect(await environment.calls(resetCall)).toEqual([]);

      pageFaults.allow(failedRequest(400));
      await passwords.save('Set New Password', newPassword, 'Harbour-gate9');
      await passwords.expectError('Please make sure your passwords match');
      await passwords.saveAndLeave('Set New Password', newPassword);
    },
  );

  test(
    'is invalid for another purpose, after a newer one was sent, or cut short',
    { tag: '@long' },
    async ({ page, environment, passwords, pageFaults }) => {
      pageFaults.allow(failedRequest('4[0-9]{2}'));
      const older = await environment.link({ kind: 'reset', username: users.ada });
      const newer = await environment.link({ kind: 'reset', username: users.ada });
      const invitation = await environment.link({
        kind: 'invitation',
        username: 'late.person@payments.example',
      });
      for (const id of [older.id, newer.id.slice(0, -1), invitation.id, 'a%2Fb', '%F0%9F%98%80']) {
        await page.goto(`/reset-password/${id}`);
        await passwords.save('Set New Password', newPassword);
        await passwords.expectError('This link is invalid or has expired.');
      }
      await page.goto('/reset-password/%E0%A4%A');
      await expect(passwords.expiredTitle).toBeVisible();
      await page.goto(newer.url);
      await passwords.saveAndLeave('Set New Password', newPassword);
    },
  );
});
