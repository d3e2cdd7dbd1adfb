import type { Request } from '@playwright/test';
import { holdCalls } from './support/holdCalls';
import { failedRequest } from './support/pageFaults';
import { password, people, tokenCall } from './support/people';
import { pressMouse } from './support/pressMouse';
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

const token = /\/auth\/v1\/token$/;

test.describe('While the service is slow', () => {
  test('Sign In is disabled until the answer is there, and five fast clicks are one call', async ({
    page,
    world,
    login,
    ledger,
  }) => {
    const held = await holdCalls(page, token);
    await login.open();
    await login.enterUsername(people.ada);
    await expect(login.signInButton).toBeDisabled();
    await login.typePassword(password);
    await expect(login.signInButton).toBeEnabled();
    await pressMouse(login.signInButton, 5);

    await expect(login.signInButton).toBeDisabled();
    held.release();
    await ledger.expectSignedIn('Ada');
    expect(held.count()).toBe(1);
    expect(await world.bodies(tokenCall)).toEqual([{ username: people.ada, method: 'basic', password }]);
  });

  test('going back to the username gives the sign-in up: its late answer signs nobody in', async ({
    page,
    cookies,
    login,
  }) => {
    const held = await holdCalls(page, token);
    const isTokenCall = (request: Request): boolean =>
      request.url().endsWith('/auth/v1/token') && request.method() === 'POST';
    const over = Promise.any([
      page.waitForEvent('requestfinished', isTokenCall),
      page.waitForEvent('requestfailed', isTokenCall),
    ]);
    await login.open();
    await login.signInAs(people.ada, password);
    await login.backLink(people.ada).click();
    await expect(login.username).toHaveValue(people.ada);
    held.release();
    await over;

    await login.expectUsable(people.ada);
    expect(await cookies.names()).toEqual([]);
    await expect(page).toHaveURL(/\/login$/);
  });
});
