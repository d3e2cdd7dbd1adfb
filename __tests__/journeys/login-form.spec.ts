import { failedRequest } from './support/pageFaults';
import { holdCalls } from './support/holdCalls';
import { methodCall, password, people, tokenCall } from './support/people';
import { pressMouse } from './support/pressMouse';
import { expect, test } from './support/test';

test.describe('The login form', () => {
  test('trims the username', async ({ world, login, ledger }) => {
    await login.open();
    await login.enterUsername(`  ${people.ada}\t`);
    await login.typePassword(password);
    await login.signIn();

    await ledger.expectSignedIn('Ada');
    expect(await world.calls(methodCall(people.ada))).toHaveLength(1);
    expect(await world.bodies(tokenCall)).toEqual([{ username: people.ada, method: 'basic', password }]);
  });

  test('sends the password as it was typed, blanks and all', async ({ world, login, pageFaults }) => {
    pageFaults.allow(failedRequest(401));
    await login.open();
    await login.signInAs(people.ada, ` ${password} `);

    await expect(login.errorDialog).toBeVisible();
    expect(await world.bodies(tokenCall)).toEqual([
      { username: people.ada, method: 'basic', password: ` ${password} ` },
    ]);
  });

  for (const username of ['a/b?c#d', '../../admin', 'ümläut & co', '%2e%2e', '<b>x</b>']) {
    test(`sends '${username}' as one segment of the path`, async ({ world, login }) => {
      await login.open();
      await login.enterUsername(username);
      await login.expectLoginError('No Login Methods available');

      expect((await world.calls()).map(({ method, path }) => `${method} ${path}`)).toEqual([
        methodCall(username),
      ]);
    });
  }

  for (const username of ['.', '..']) {
    test(`asks nothing about '${username}', which would name another path`, async ({ world, login }) => {
      await login.open();
      await login.enterUsername(username);
      await login.expectLoginError('No Login Methods available');

      expect(await world.calls()).toEqual([]);
    });
  }

  test('needs a username and a password', async ({ world, login }) => {
    await login.open();
    await expect(login.nextButton).toBeDisabled();
    await login.typeUsername('   ');
    await expect(login.nextButton).toBeDisabled();
    await login.typeUsername(people.ada);
    await expect(login.nextButton).toBeEnabled();
    await login.next();
    await expect(login.password).toBeVisible();
    await expect(login.signInButton).toBeDisabled();
    await login.typePassword('x');
    await expect(login.signInButton).toBeEnabled();
    await login.typePassword('');
    await expect(login.signInButton).toBeDisabled();
    expect(await world.calls(tokenCall)).toEqual([]);
  });

  test('shows the password and hides it again', async ({ login }) => {
    await login.open();
    await login.enterUsername(people.ada);
    await expect(login.password).toHaveAttribute('type', 'password');
    await login.typePassword(password);
    await login.showPassword.click();
    await expect(login.password).toHaveAttribute('type', 'text');
    await expect(login.password).toHaveValue(password);
    await login.showPassword.click();
    await expect(login.password).toHaveAttribute('type', 'password');
  });

  test('is hidden again when it is sent, so that the browser keeps no plain text', async ({
    page,
    login,
    ledger,
  }) => {
    const held = await holdCalls(page, /\/auth\/v1\/token$/);
    await login.open();
    await login.enterUsername(people.ada);
    await login.typePassword(password);
    await login.showPassword.click();
    await login.signIn();

    await expect(login.password).toHaveAttribute('type', 'password');
    held.release();
    await ledger.expectSignedIn('Ada');
  });

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

  test('tells password managers what is what', async ({ login, page }) => {
    await login.open();
    await expect(login.username).toHaveAttribute('autocomplete', 'username');
    await login.enterUsername(people.ada);
    await expect(login.password).toHaveAttribute('autocomplete', 'current-password');
    // The second step names its account to them, though a person does not see the field.
    await expect(page.locator('form input[autocomplete="username"]')).toHaveValue(people.ada);
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

  test('offers what the service offers', async ({ login }) => {
    await login.open();
    await login.enterUsername(people.alma);
    await expect(login.password).toBeVisible();
    await expect(login.google).toBeVisible();
    await expect(login.microsoft).toBeVisible();
    await expect(login.forgotPassword).toHaveAttribute('href', '/forgot-password');
    await login.backLink(people.alma).click();
    await login.enterUsername(people.ada);
    await expect(login.password).toBeVisible();
    await expect(login.google).toBeHidden();
    await expect(login.microsoft).toBeHidden();
  });

  test('never puts the password into an address', async ({ page, login, ledger }) => {
    const addresses: string[] = [];
    page.on('request', (request) => addresses.push(request.url()));
    await login.open();
    await login.signInAs(people.ada, password);
    await ledger.expectSignedIn('Ada');

    expect(addresses.filter((address) => address.includes(password))).toEqual([]);
  });
});
