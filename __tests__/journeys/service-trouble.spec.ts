import { failedRequest } from './support/pageFaults';
import { password, people } from './support/people';
import { expect, test } from './support/test';

const noMatch =
  'We were unable to match the User ID and password you entered. Please check your entries and try again.';
const methodPaths = '/auth/v1/method/*';
const tokenPath = '/auth/v1/token';

test.describe('When the service cannot be reached', () => {
  test(
    'the username finds no login methods, and works once the service is back',
    { tag: '@long' },
    async ({ world, login, pageFaults }) => {
      pageFaults.allow(failedRequest('net::ERR_'));
      await world.fail({ path: methodPaths, fault: { kind: 'down' } });
      await login.open();
      await login.enterUsername(people.ada);
      await login.expectLoginError('No Login Methods available');

      await login.closeLoginError();
      await world.heal();
      await login.next();
      await expect(login.password).toBeVisible();
    },
  );

  test('the password is not matched, is sent once, and works once the service is back', async ({
    page,
    world,
    login,
    ledger,
    pageFaults,
  }) => {
    pageFaults.allow(failedRequest('net::ERR_'));
    await world.fail({ path: tokenPath, fault: { kind: 'lost' } });
    // Counted in the page: a browser that loses a kept connection sends the request once more of its own accord.
    let sent = 0;
    page.on('request', (request) => {
      if (request.url().endsWith(tokenPath) && request.method() === 'POST') sent += 1;
    });
    await login.open();
    await login.signInAs(people.ada, password);
    await login.expectLoginError(noMatch);
    expect(sent).toBe(1);

    await login.closeLoginError();
    await world.heal();
    await login.typePassword(password);
    await login.signIn();
    await ledger.expectSignedIn('Ada');
  });
});
