import { accountOf } from './support/accountOf';
import { cookieName } from './support/familyCookies';
import { failedRequest } from './support/pageFaults';
import { password, people, tokenCall } from './support/people';
import { expect, test } from './support/test';
import { unsignedToken } from './support/unsignedToken';

const fallback = 'An unexpected error occurred. Please try again later. We apologize for the inconvenience.';

test.describe('A session cookie that cannot be read', () => {
  const malformed: readonly (readonly [what: string, value: string])[] = [
    ['is cut off', '{"authenticated":'],
    ['is empty', ''],
    ['is not an object', '"signed in"'],
    ['holds no tokens', '{"authenticated":{}}'],
    ['holds a token that is none', '{"authenticated":{"token":"abc","refresh":"r"}}'],
    ['holds a token without claims', '{"authenticated":{"token":"e30.e30.x","refresh":"r"}}'],
    ['holds a token that expires at no time', sessionOf(unsignedToken({ exp: Number.MAX_VALUE }))],
    ['holds tokens of the wrong type', '{"authenticated":{"token":{"a":1},"refresh":["r"]}}'],
  ];

  for (const [what, value] of malformed) {
    test(`because it ${what} goes, with the refresh cookie, and the form is there`, async ({
      page,
      world,
      cookies,
      login,
    }) => {
      await cookies.leave(cookieName.session, value);
      await cookies.leave(cookieName.refresh, 'leftover');
      await login.open();

      await login.expectUsable(people.ada);
      expect(await cookies.names()).toEqual([]);
      await expect(page).toHaveURL(`${world.origin('app')}/login`);
    });
  }

  test('goes on the way from the account settings to the form as well', async ({
    page,
    cookies,
    login,
    settings,
  }) => {
    await cookies.leave(cookieName.session, '{"authenticated":');
    await cookies.leave(cookieName.refresh, 'leftover');
    await settings.open();

    await expect(login.username).toBeVisible();
    await expect(page).toHaveURL(/\/login$/);
    expect(await cookies.names()).toEqual([]);
  });

  test('because a sibling application left it goes, and a sign-in works', async ({
    page,
    world,
    login,
    ledger,
  }) => {
    await page.goto(`${world.origin('ledger')}/plant/malformed`);
    await login.signInAs(people.ada, password);

    await ledger.expectSignedIn('Ada');
  });

  for (const [what, where] of [
    ['the login host alone', 'host'],
    ['a path', 'path'],
  ] as const) {
    test(`because it arrives twice, once for ${what}, goes, and a sign-in works`, async ({
      world,
      cookies,
      login,
      ledger,
    }) => {
      const another = JSON.stringify({ authenticated: await world.tokensFor(people.sam, password) });
      await cookies.leaveSession(await world.tokensFor(people.ada, password));
      if (where === 'host') await cookies.leaveOnLoginHost(cookieName.session, another);
      else await cookies.leave(cookieName.session, another, { path: '/login' });
      await login.open();

      await login.expectUsable(people.ada);
      expect(await cookies.names()).toEqual([]);
      await login.typePassword(password);
      await login.signIn();
      await ledger.expectSignedIn('Ada');
    });
  }
});

test.describe('A session that the browser does not keep', () => {
  test('because the token is too large for a cookie ends in a message, not in a loop', async ({
    page,
    world,
    cookies,
    login,
    pageFaults,
  }) => {
    pageFaults.allow(/^vestibule: /);
    const applicationUrl = `${world.origin('ledger')}/${'department/'.repeat(4)}`;
    await world.account(
      accountOf('wide@payments.example', {
        personas: { ledger: Array.from({ length: 40 }, () => ({ applicationUrl })) },
      }),
    );
    await login.open();
    await login.signInAs('wide@payments.example', password);

    await login.expectLoginError(fallback);
    expect(await cookies.names()).toEqual([]);
    await login.closeLoginError();
    await expect(page).toHaveURL(`${world.origin('app')}/login`);
    await expect(login.password).toBeVisible();
    expect(await world.calls(tokenCall)).toHaveLength(1);
  });

  test('because cookies are switched off ends in a message, not in a loop', async ({
    page,
    world,
    login,
    pageFaults,
  }) => {
    pageFaults.allow(/^vestibule: /);
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Emulation.setDocumentCookieDisabled', { disabled: true });
    await login.open();
    // Told before anybody types a password in vain.
    await login.expectLoginError('Cookies are switched off in this browser. Switch them on to sign in.');
    await login.closeLoginError();
    await login.signInAs(people.ada, password);

    await login.expectLoginError(fallback);
    await expect(page).toHaveURL(`${world.origin('app')}/login`);
    expect(await world.calls(tokenCall)).toHaveLength(1);
  });
});

test.describe('A session cookie that no script can see or remove', () => {
  test('set by a sibling application, is expired by the host of the page, and the right password signs in', async ({
    page,
    world,
    cookies,
    login,
    ledger,
  }) => {
    await page.goto(`${world.origin('ledger')}/plant/hidden`);
    await login.signInAs(people.ada, password);

    await ledger.expectSignedIn('Ada');
    expect(await world.calls(tokenCall)).toHaveLength(1);
    expect(await cookies.find(cookieName.session)).toMatchObject({ httpOnly: false });
    expect(await cookies.names()).toEqual([cookieName.session, cookieName.refresh]);
  });

  test('does not keep anybody from setting up two-step verification either', async ({
    page,
    world,
    login,
    settings,
  }) => {
    await page.goto(`${world.origin('ledger')}/plant/hidden`);
    await login.signInAs(people.suki, password);

    await settings.expectOpen();
  });

  test('where the host cannot help, ends in a message that says what to do, not in a loop', async ({
    page,
    world,
    login,
    pageFaults,
  }) => {
    pageFaults.allow(/^vestibule: /, failedRequest(404));
    await page.route('**/expire-session-cookies', (route) => route.fulfill({ status: 404 }));
    await page.goto(`${world.origin('ledger')}/plant/hidden`);
    await login.signInAs(people.ada, password);

    await login.expectLoginError(
      'A cookie in your browser prevents this sign-in. Delete the cookies of payments.localhost in your browser, then sign in again.',
    );
    await login.closeLoginError();
    await expect(page).toHaveURL(`${world.origin('app')}/login`);
    await expect(login.password).toBeVisible();
    expect(await world.calls(tokenCall)).toHaveLength(1);
  });
});

function sessionOf(token: string): string {
  return JSON.stringify({ authenticated: { token, refresh: 'r' } });
}
