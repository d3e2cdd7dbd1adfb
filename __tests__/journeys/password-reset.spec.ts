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
});
