import { expect as expectValue, type Locator, type Page } from '@playwright/test';
import { cookieName } from './support/familyCookies';
import { holdCalls } from './support/holdCalls';
import { failedRequest } from './support/pageFaults';
import { methodCall, password, people, tokenCall } from './support/people';
import { expect, test } from './support/test';

/** Presses Tab until the focus is there; a person would give up after a dozen times. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let press = 0; press < 12; press += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  await expectValue(target).toBeFocused();
}

test.describe('The login form', () => {
  test('takes somebody from the first Tab to the application without a mouse', async ({
    page,
    cookies,
    login,
    ledger,
  }) => {
    await login.open();
    await expect(login.username).toBeVisible();
    await tabTo(page, login.username);
    await page.keyboard.type(people.ada);
    await page.keyboard.press('Tab');
    await expect(login.rememberMe).toBeFocused();
    await page.keyboard.press('Space');
    await page.keyboard.press('Tab');
    await expect(login.nextButton).toBeFocused();
    await page.keyboard.press('Enter');

    await expect(login.password).toBeFocused();
    await page.keyboard.type(password);
    await tabTo(page, login.showPassword);
    await page.keyboard.press('Space');
    await expect(login.password).toHaveAttribute('type', 'text');
    await tabTo(page, login.signInButton);
    await page.keyboard.press('Space');
    await ledger.expectSignedIn('Ada');
    expect(await cookies.read(cookieName.username)).toBe(people.ada);
  });

  test('takes Enter in both fields', async ({ page, login, ledger }) => {
    await login.open();
    await login.username.press('Enter');
    await login.typeUsername(people.ada);
    await page.keyboard.press('Enter');
    await expect(login.password).toBeFocused();
    await page.keyboard.press('Enter');
    await page.keyboard.type(password);
    await page.keyboard.press('Enter');

    await ledger.expectSignedIn('Ada');
  });

  test('gives the focus back to the field when Escape closes the error dialog', async ({ page, login }) => {
    await login.open();
    await login.typeUsername(people.nobody);
    await page.keyboard.press('Enter');
    await login.expectLoginError('No Login Methods available');
    await expect(login.errorDialog.getByRole('button', { name: 'Ok', exact: true })).toBeFocused();
    await page.keyboard.press('Escape');

    await expect(login.errorDialog).toBeHidden();
    await expect(login.username).toBeFocused();
  });

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

  test('is not left dead by a value that the browser filled in without a key', async ({
    page,
    login,
    ledger,
  }) => {
    await login.open();
    await login.username.evaluate((input: HTMLInputElement, value) => {
      input.value = value;
    }, people.ada);
    // Neither the field nor the button hears of it before the mouse comes down.
    await pressMouseOn(page, login.nextButton);
    await expect(login.password).toBeVisible();
    await login.password.evaluate((input: HTMLInputElement, value) => {
      input.value = value;
    }, password);
    await pressMouseOn(page, login.signInButton);

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

test.describe('Remember Me', () => {
  const yearMs = 365 * 24 * 60 * 60 * 1000;

  test('keeps the username for a year, and the field starts with it', async ({
    page,
    cookies,
    login,
    settings,
  }) => {
    await login.open();
    await login.typeUsername(people.sam);
    await login.rememberMe.check();
    await login.next();
    await login.typePassword(password);
    await login.signIn();
    await settings.expectOpen();

    const kept = await cookies.find(cookieName.username);
    expect(kept).toMatchObject({ domain: '.payments.localhost', path: '/' });
    expect(decodeURIComponent(kept?.value ?? '')).toBe(people.sam);
    const life = (kept?.expires ?? 0) * 1000 - Date.now();
    expect(life).toBeGreaterThan(yearMs - 60_000);
    expect(life).toBeLessThan(yearMs + 60_000);

    await settings.logoutButton.click();
    await expect(login.username).toHaveValue(people.sam);
    await expect(login.rememberMe).toBeChecked();
    await expect(login.nextButton).toBeEnabled();
    await page.reload();
    await expect(login.username).toHaveValue(people.sam);
  });

  test('forgets the username when it is unticked at a sign-in', async ({ cookies, login, settings }) => {
    await cookies.leave(cookieName.username, people.sam);
    await login.open();
    await expect(login.username).toHaveValue(people.sam);
    await login.rememberMe.uncheck();
    await login.next();
    await login.typePassword(password);
    await login.signIn();
    await settings.expectOpen();

    expect(await cookies.names()).toEqual([cookieName.session, cookieName.refresh]);
  });

  test('keeps no name that did not sign in', async ({ cookies, login, pageFaults }) => {
    pageFaults.allow(failedRequest(401));
    await login.open();
    await login.typeUsername(people.ada);
    await login.rememberMe.check();
    await login.next();
    await login.typePassword('Wrong-door7');
    await login.signIn();
    await expect(login.errorDialog).toBeVisible();

    expect(await cookies.names()).toEqual([]);
  });

  test('is not ticked for somebody new', async ({ login }) => {
    await login.open();
    await expect(login.username).toHaveValue('');
    await expect(login.rememberMe).not.toBeChecked();
  });
});

/** Moves the mouse there and presses, without waiting for the button to be enabled. */
async function pressMouseOn(page: Page, button: Locator): Promise<void> {
  const box = await button.boundingBox();
  if (box === null) throw new Error('There is nothing to press.');
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
}
