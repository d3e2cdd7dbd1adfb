import { password, users } from './support/users';
import { pressMouse } from './support/pressMouse';
import { expect, test } from './support/test';

test.describe('The login form', () => {
  test(
    'works with a value that the browser filled in without a key event',
    { tag: '@long' },
    async ({ login, ledger }) => {
      await login.open();
      await login.username.evaluate((input: HTMLInputElement, value) => {
        input.value = value;
      }, users.ada);
      // Neither the field nor the button receives an event before the mouse button is pressed.
      await pressMouse(login.nextButton);
      await expect(login.password).toBeVisible();
      await login.password.evaluate((input: HTMLInputElement, value) => {
        input.value = value;
      }, password);
      await pressMouse(login.signInButton);

      await ledger.expectSignedIn('Ada');
    },
  );
});
