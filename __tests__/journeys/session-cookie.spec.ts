import { cookieName } from './support/familyCookies';
import { failedRequest } from './support/pageFaults';
import { password, users, tokenCall } from './support/users';
import { expect, test } from './support/test';

const fallback = 'An unexpected error occurred. Please try again later. We apologize for the inconvenience.';

test.describe('A malformed session cookie', () => {
  test('that arrives twice, for the login host or another path, is removed, and a sign-in works', async ({
    environment,
    cookies,
    login,
    ledger,
    pageFaults,
  }) => {
    // A removal tries every parent domain, also those that no page may set: Firefox logs a warning.
    pageFaults.allow(/has been rejected for invalid domain/);
    const another = JSON.stringify({ authenticated: await environment.tokensFor(users.several, password) });
    const session = await environment.tokensFor(users.ada, password);
    for (const leaveAnother of [
      () => cookies.leave(cookieName.session, another, { path: '/login' }),
      () => cookies.leaveOnLoginHost(cookieName.session, another),
    ]) {
      await cookies.leaveSession(session);
      await leaveAnother();
      await login.open();
      await login.expectUsable(users.ada);
      expect(await cookies.names()).toEqual([]);
    }
    await login.typePassword(password);
    await login.signIn();
    await ledger.expectSignedIn('Ada');
  });
});

test.describe('A session that the browser does not store', () => {
  test.describe('because cookies are switched off', () => {
    test.use({ userSetting: 'no cookies' });

    test(
      'causes a message, not a loop',
      { tag: '@long' },
      async ({ page, environment, login, pageFaults }) => {
        pageFaults.allow(/^vestibule: /);
        await login.open();
        // Before the user types a password.
        await login.expectLoginError('Cookies are switched off in this browser. Switch them on to sign in.');
        await login.closeLoginError();
        await login.signInAs(users.ada, password);

        await login.expectLoginError(fallback);
        await expect(page).toHaveURL(`${environment.origin('app')}/login`);
        expect(await environment.calls(tokenCall)).toHaveLength(1);
      },
    );
  });
});

test.describe('An HttpOnly session cookie', () => {
  test('set by a sibling application is expired by the page’s host, and the right password signs in', async ({
    page,
    environment,
    cookies,
    login,
    ledger,
  }) => {
    const isDeceived = await cookies.plantHidden(page);
    await login.signInAs(users.ada, password);

    // A page that is deceived cannot know, and leads to the application. Firefox shows the session there, WebKit does not.
    await expect(page).toHaveURL(`${environment.origin('ledger')}/`);
    expect(await environment.calls(tokenCall)).toHaveLength(1);
    expect(await cookies.find(cookieName.session)).toMatchObject({ httpOnly: isDeceived });
    if (isDeceived) {
      await expect(page.getByRole('heading', { name: 'Ledger' })).toBeVisible();
      const shown = () => page.evaluate(() => document.body.innerText);
      await expect.poll(shown).toMatch(/Signed in as Ada|Nobody is signed in/);
      if ((await shown()).includes('Signed in as Ada')) return;
      await login.open();
      await login.signInAs(users.ada, password);
    }
    await ledger.expectSignedIn('Ada');
    expect(await cookies.names()).toEqual([cookieName.session, cookieName.refresh]);
  });

  test(
    'that the host cannot expire causes a message with instructions, not a loop',
    { tag: '@long' },
    async ({ page, environment, cookies, login, pageFaults }) => {
      pageFaults.allow(/^vestibule: /, failedRequest(404));
      await page.route('**/expire-session-cookies', (route) => route.fulfill({ status: 404 }));
      const isDeceived = await cookies.plantHidden(page);
      await login.signInAs(users.ada, password);

      if (isDeceived) {
        await expect(page).toHaveURL(`${environment.origin('ledger')}/`);
        expect(await cookies.find(cookieName.session)).toMatchObject({ httpOnly: true, value: 'kept' });
        return;
      }
      await login.expectLoginError(
        'A cookie in your browser prevents this sign-in. Delete the cookies of payments.localhost in your browser, then sign in again.',
      );
      await login.closeLoginError();
      await expect(page).toHaveURL(`${environment.origin('app')}/login`);
      await expect(login.password).toBeVisible();
      expect(await environment.calls(tokenCall)).toHaveLength(1);
    },
  );
});
