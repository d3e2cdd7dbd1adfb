import { password, people, tokenCall } from './support/people';
import { pressMouse } from './support/pressMouse';
import { expect, test } from './support/test';

test.describe('The login form', () => {
  test('is not left dead by a value that the browser filled in without a key', async ({ login, ledger }) => {
    await login.open();
    await login.username.evaluate((input: HTMLInputElement, value) => {
      input.value = value;
    }, people.ada);
    // Neither the field nor the button hears of it before the mouse comes down.
    await pressMouse(login.nextButton);
    await expect(login.password).toBeVisible();
    await login.password.evaluate((input: HTMLInputElement, value) => {
      input.value = value;
    }, password);
    await pressMouse(login.signInButton);

    await ledger.expectSignedIn('Ada');
  });

  test('leads back to the username, which is still there', async ({ world, login }) => {
    await login.open();
    await login.enterUsername(people.ada);
    await login.typePassword('half a passw');
    await login.backLink(people.ada).click();

    await expect(login.username).toHaveValue(people.ada);
    await expect(login.password).toBeHidden();
    await login.enterUsername(people.alma);
    await expect(login.password).toHaveValue('');
    await expect(login.backLink(people.alma)).toBeVisible();
    expect(await world.calls(tokenCall)).toEqual([]);
  });
});
