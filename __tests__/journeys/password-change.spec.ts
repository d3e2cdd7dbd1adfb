import { recordMessages } from './support/framed';
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

  test(
    'in a parent’s frame confirms it and stays, signed out',
    { tag: '@long' },
    async ({ page, environment, hub, cookies, signedInAs }) => {
      await signedInAs(users.several);
      const received = await recordMessages(page);
      await hub.open();
      const frame = page.frame({ url: new RegExp(`^${environment.origin('app')}/`) });
      if (!frame) throw new Error('The parent shows no sign-on page');
      await frame.goto(`${environment.origin('app')}/reset-password-verify`);
      await frame.getByLabel('Password', { exact: true }).fill(password);
      await frame.getByRole('button', { name: 'Next', exact: true }).click();
      await expect(frame.getByLabel('New password', { exact: true })).not.toBeFocused();
      await frame.getByLabel('New password', { exact: true }).fill(newPassword);
      await frame.getByLabel('Confirm password', { exact: true }).fill(newPassword);
      await page.clock.install();
      await frame.getByRole('button', { name: 'Change Password', exact: true }).click();
      const saved = frame.getByRole('heading', { name: 'Your password has been changed.', exact: true });
      await expect(saved).toBeVisible();
      await page.clock.runFor(200_000);
      await expect(saved).toBeVisible();
      expect(await cookies.names()).toEqual([]);
      expect(await received()).toEqual([{ data: 'removed_tokens', origin: environment.origin('app') }]);
      await expect(frame.getByText('Taking you to the sign-in.')).toHaveCount(0);
      expect(frame.url()).toBe(`${environment.origin('app')}/reset-password-manual`);
    },
  );
});
