import { cookieName } from './support/familyCookies';
import { failedRequest } from './support/pageFaults';
import { password, people } from './support/people';
import { expect, test } from './support/test';

const noMatch =
  'We were unable to match the User ID and password you entered. Please check your entries and try again.';
const methodPaths = '/auth/v1/method/*';
const tokenPath = '/auth/v1/token';

test.describe('When the service cannot be reached', () => {
  test('the username finds no login methods, and works once the service is back', async ({
    world,
    login,
    pageFaults,
  }) => {
    pageFaults.allow(failedRequest('net::ERR_'));
    await world.fail({ path: methodPaths, fault: { kind: 'down' } });
    await login.open();
    await login.enterUsername(people.ada);
    await login.expectLoginError('No Login Methods available');

    await login.closeLoginError();
    await world.heal();
    await login.next();
    await expect(login.password).toBeVisible();
  });

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

test.describe('When something else answers in the service’s place', () => {
  const strange = [
    ['a page of HTML', { kind: 'html' }],
    ['nothing at all', { kind: 'answer', status: 200, body: '' }],
    ['null', { kind: 'answer', status: 200, body: 'null' }],
    ['a text', { kind: 'answer', status: 200, body: '"maintenance"' }],
    ['half an answer', { kind: 'answer', status: 200, body: '{"token":' }],
  ] as const;

  for (const [what, fault] of strange) {
    test(`${what} with status 200 is no list of methods`, async ({ world, login }) => {
      await world.fail({ path: methodPaths, fault });
      await login.open();
      await login.enterUsername(people.ada);

      await login.expectLoginError('No Login Methods available');
    });

    test(`${what} with status 200 signs nobody in`, async ({ world, cookies, login, page }) => {
      await world.fail({ path: tokenPath, fault });
      await login.open();
      await login.signInAs(people.ada, password);

      await login.expectLoginError(noMatch);
      expect(await cookies.names()).toEqual([]);
      await expect(page).toHaveURL(/\/login$/);
    });
  }

  for (const [what, body] of [
    ['an empty object', {}],
    ['a token that is none', { token: 'not-a-token', refresh: 'r' }],
    ['a token of the wrong type', { token: 7, refresh: 'r' }],
    ['a token without its refresh token', { token: 'eyJhbGciOiJub25lIn0.eyJ1aWQiOiIxIn0.x' }],
  ] as const) {
    test(`${what} instead of tokens signs nobody in`, async ({ world, cookies, login }) => {
      await world.fail({ path: tokenPath, fault: { kind: 'answer', status: 200, body } });
      await login.open();
      await login.signInAs(people.ada, password);

      await login.expectLoginError(noMatch);
      expect(await cookies.names()).toEqual([]);
    });
  }

  for (const [what, body] of [
    ['only methods that nobody knows', [{ method: 'carrier-pigeon' }, { method: 'BASIC' }]],
    ['an object', { methods: [{ method: 'basic' }] }],
    ['broken entries', [null, 'basic', { method: 3 }]],
  ] as const) {
    test(`${what} for methods are no methods`, async ({ world, login }) => {
      await world.fail({ path: methodPaths, fault: { kind: 'answer', status: 200, body } });
      await login.open();
      await login.enterUsername(people.ada);

      await login.expectLoginError('No Login Methods available');
    });
  }

  test('an account that cannot be loaded leaves the settings standing', async ({
    world,
    cookies,
    settings,
    signedInAs,
    page,
    pageFaults,
  }) => {
    pageFaults.allow(failedRequest(500));
    await world.fail({
      path: '/user-management/v1/users/*',
      fault: {
        kind: 'answer',
        status: 500,
        body: { error: { message: 'Out of order', code: 'unexpected' } },
      },
    });
    await signedInAs(people.sam);
    await settings.open();

    await expect(settings.logoutButton).toBeVisible();
    await expect(page.getByText(/[Uu]ndefined|Invalid date|NaN/)).toHaveCount(0);
    expect(await cookies.read(cookieName.session)).toBeDefined();
  });
});
