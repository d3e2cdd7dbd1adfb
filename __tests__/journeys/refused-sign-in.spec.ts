import { failedRequest } from './support/pageFaults';
import { methodCall, password, people, tokenCall } from './support/people';
import { expect, test } from './support/test';

const noMatch =
  'We were unable to match the User ID and password you entered. Please check your entries and try again.';

test.describe('A sign-in that is refused', () => {
  test('a wrong password says so and leaves the second step ready for another try', async ({
    page,
    world,
    cookies,
    login,
    ledger,
    pageFaults,
  }) => {
    pageFaults.allow(failedRequest(401));
    await login.open();
    await login.signInAs(people.ada, 'Wrong-door7');

    await login.expectLoginError(noMatch);
    expect(await cookies.names()).toEqual([]);
    await login.closeLoginError();
    await expect(login.password).toHaveValue('');
    await expect(login.password).toBeFocused();
    await expect(page).toHaveURL(`${world.origin('app')}/login`);

    await login.typePassword(password);
    await login.signIn();
    await ledger.expectSignedIn('Ada');
    expect(await world.bodies(tokenCall)).toEqual([
      { username: people.ada, method: 'basic', password: 'Wrong-door7' },
      { username: people.ada, method: 'basic', password },
    ]);
  });

  test('the server’s own message is shown, as text and never as markup', async ({
    page,
    world,
    login,
    pageFaults,
  }) => {
    pageFaults.allow(failedRequest(403));
    const message = 'Closed for <b>maintenance</b> <img src=x onerror=alert(1)> until noon.';
    await world.fail({
      path: '/auth/v1/token',
      fault: { kind: 'answer', status: 403, body: { error: { message, code: 'forbidden' } } },
    });
    await login.open();
    await login.signInAs(people.ada, password);

    await login.expectLoginError(message);
    await expect(login.errorDialog.locator('b, img')).toHaveCount(0);
    await expect(page).toHaveTitle(/./);
  });

  for (const [what, body] of [
    ['without a message', { error: { code: 'invalid_credentials' } }],
    ['with an empty message', { error: { message: '', code: 'x' } }],
    ['with a message that is no text', { error: { message: { text: 'no' } } }],
    ['that is not an object', 'Forbidden'],
  ] as const) {
    test(`a refusal ${what} shows the default words`, async ({ world, login, pageFaults }) => {
      pageFaults.allow(failedRequest(401));
      await world.fail({ path: '/auth/v1/token', fault: { kind: 'answer', status: 401, body } });
      await login.open();
      await login.signInAs(people.ada, password);

      await login.expectLoginError(noMatch);
    });
  }

  test('too many failed attempts lock the username, and the dialog says so', async ({
    world,
    login,
    pageFaults,
  }) => {
    pageFaults.allow(failedRequest(401), failedRequest(429));
    await login.open();
    await login.enterUsername(people.ada);
    for (let attempt = 1; attempt <= 4; attempt += 1) {
      await login.typePassword(`Wrong-door${String(attempt)}`);
      await login.signIn();
      await login.expectLoginError(noMatch);
      await login.closeLoginError();
    }
    await login.typePassword('Wrong-door5');
    await login.signIn();
    await expect(login.errorDialog.getByText(/^Too many failed login attempts/)).toBeVisible();
    await login.closeLoginError();

    // Locked is locked: the right password does not open it.
    await login.typePassword(password);
    await login.signIn();
    await expect(login.errorDialog.getByText(/^Too many failed login attempts/)).toBeVisible();
    expect((await world.calls(tokenCall)).at(-1)?.status).toBe(429);
  });

  test('a username that was locked before is told at once', async ({ login, cookies, pageFaults }) => {
    pageFaults.allow(failedRequest(429));
    await login.open();
    await login.signInAs(people.lou, password);

    await expect(login.errorDialog.getByText(/^Too many failed login attempts/)).toBeVisible();
    expect(await cookies.names()).toEqual([]);
  });

  test('an unknown username has no login methods', async ({ world, login }) => {
    await login.open();
    await login.enterUsername(people.nobody);

    await login.expectLoginError('No Login Methods available');
    await login.closeLoginError();
    await expect(login.username).toHaveValue(people.nobody);
    await expect(login.nextButton).toBeEnabled();
    expect((await world.calls()).map(({ method, path }) => `${method} ${path}`)).toEqual([
      methodCall(people.nobody),
    ]);
    await login.expectUsable(people.ada);
  });

  test('a challenge without its token is an authentication error', async ({
    world,
    cookies,
    page,
    login,
  }) => {
    await world.fail({
      path: '/auth/v1/token',
      fault: { kind: 'answer', status: 200, body: { mfaRequired: true, mfaType: 'authy', uid: 'u_1' } },
    });
    await login.open();
    await login.signInAs(people.tess, password);

    await login.expectLoginError('Authentication error. Please try again.');
    expect(await cookies.names()).toEqual([]);
    await expect(page).toHaveURL(/\/login$/);
  });

  test('a lockout met on a later screen opens the dialog on /login, once', async ({ page, login }) => {
    await login.open();
    await page.evaluate(() => {
      history.replaceState(
        { key: 'test', carried: { lockoutMessage: 'Too many failed login attempts. Please wait.' } },
        '',
      );
    });
    await page.reload();
    await login.expectLoginError('Too many failed login attempts. Please wait.');
    await login.closeLoginError();

    await page.reload();
    await expect(login.username).toBeVisible();
    await expect(login.errorDialog).toBeHidden();
  });
});
