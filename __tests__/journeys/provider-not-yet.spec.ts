import { failedRequest } from './support/pageFaults';
import { people, tokenCall } from './support/people';
import { expect, test } from './support/test';

/** Until the provider's window is built, its button says that it cannot be opened. */
test.describe('Signing in through a provider, which cannot be done yet', () => {
  for (const { username, method, button } of [
    { username: people.gina, method: 'Google', button: 'google' },
    { username: people.mick, method: 'Microsoft', button: 'microsoft' },
  ] as const) {
    test(`starts by itself where ${method} is the only method, and says that it does not work`, async ({
      page,
      world,
      cookies,
      login,
    }) => {
      await login.open();
      await login.enterUsername(username);

      await login.expectLoginError(`Unable to log in with ${method}`);
      await login.closeLoginError();
      await expect(login[button]).toBeEnabled();
      await expect(login.password).toBeHidden();
      await login[button].click();
      await login.expectLoginError(`Unable to log in with ${method}`);
      expect(await world.calls(tokenCall)).toEqual([]);
      expect(await cookies.names()).toEqual([]);
      expect(page.context().pages()).toHaveLength(1);
    });
  }

  test('does not start by itself where the password is offered too', async ({ login }) => {
    await login.open();
    await login.enterUsername(people.alma);
    await expect(login.google).toBeVisible();
    await expect(login.errorDialog).toBeHidden();
    await login.microsoft.click();

    await login.expectLoginError('Unable to log in with Microsoft');
  });

  test('shows a refusal of the provider’s methods call like any other', async ({
    world,
    login,
    pageFaults,
  }) => {
    pageFaults.allow(failedRequest(500));
    await world.fail({
      path: '/auth/v1/method/*',
      username: people.gina,
      fault: {
        kind: 'answer',
        status: 500,
        body: { error: { message: 'Out of order', code: 'unexpected' } },
      },
    });
    await login.open();
    await login.enterUsername(people.gina);

    await login.expectLoginError('No Login Methods available');
  });
});
