import { failedRequest } from './support/pageFaults';
import { password, users } from './support/users';
import { expect, test } from './support/test';

const changeCall = 'POST /password-reset/v1/password-reset-manual';
const newPassword = 'Harbour-gate8';

test.describe('Changing the password', () => {
  test('verifies the old one, saves the new one, and signs out everywhere', async ({
    page,
    environment,
    login,
    settings,
    twoStep,
    passwords,
    signedInAs,
    pageFaults,
  }) => {
    await signedInAs(users.several);
    await settings.open();
    await settings.main.getByRole('button', { name: 'Change Password', exact: true }).click();
    await expect(page).toHaveURL(/\/reset-password-verify$/);
    await twoStep.verify(password);
    await expect(page).toHaveURL(/\/reset-password-manual$/);

    await passwords.save('Change Password', 'short1A');
    await passwords.expectError('Please meet the password requirements');
    pageFaults.allow(failedRequest(400));
    await passwords.save('Change Password', newPassword, 'Harbour-gate9');
    await passwords.expectError('Please make sure your passwords match');
    await passwords.saveAndLeave('Change Password', newPassword);
    expect((await environment.bodies(changeCall)).at(-1)).toEqual({
      newPassword,
      confirmPassword: newPassword,
      oldPassword: password,
      username: users.several,
    });

    await login.signInAs(users.several, newPassword);
    await settings.expectOpen();
    await settings.expectLastChange(/^Last changed .+ at \d{1,2}:\d{2} (am|pm)$/);
  });
});
