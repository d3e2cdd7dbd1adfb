import { password, users, tokenCall } from './support/users';
import { pressMouse } from './support/pressMouse';
import { expect, test } from './support/test';

test.describe('While the service is slow', () => {
  test('Sign In is disabled until the answer arrives, and five fast clicks are one call', async ({
    page,
    environment,
    login,
    ledger,
  }) => {
    // Held by the test, so that no machine is too slow.
    let answer: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/auth/v1/token', async (route) => {
      await held;
      await route.continue();
    });
    await login.open();
    await login.enterUsername(users.ada);
    await expect(login.signInButton).toBeDisabled();
    await login.typePassword(password);
    await expect(login.signInButton).toBeEnabled();
    await pressMouse(login.signInButton, 5);

    await expect(login.signInButton).toBeDisabled();
    answer();
    await ledger.expectSignedIn('Ada');
    expect(await environment.bodies(tokenCall)).toEqual([{ username: users.ada, method: 'basic', password }]);
  });
});
