import { readyPassword } from '../../local/accounts';
import { cookieName } from './support/familyCookies';
import { password, people, tokenCall } from './support/people';
import { expect, test } from './support/test';
import { unsignedToken } from './support/unsignedToken';

const fallback = 'An unexpected error occurred. Please try again later. We apologize for the inconvenience.';

test.describe('A session from before', () => {
  test('leads straight to the application, without a call', async ({ world, login, ledger, signedInAs }) => {
    await signedInAs(people.ada);
    await login.open();

    await ledger.expectSignedIn('Ada');
    expect(await world.calls()).toEqual([]);
  });

  test('leads to the account settings where there are several applications', async ({
    login,
    settings,
    signedInAs,
  }) => {
    await signedInAs(people.sam);
    await login.open();

    await settings.expectOpen();
  });

  test('that has expired is cleared, and the form is there', async ({ page, world, cookies, login }) => {
    await page.goto(`${world.origin('ledger')}/plant/expired`);

    await login.expectUsable(people.ada);
    await expect(page).toHaveURL(`${world.origin('app')}/login`);
    expect(await cookies.names()).toEqual([]);
  });

  test('that expired a second ago is cleared on the account settings too', async ({
    page,
    world,
    cookies,
    login,
    settings,
  }) => {
    const now = Math.floor(Date.now() / 1000);
    await cookies.leaveSession({ token: unsignedToken({ iat: now - 900, exp: now - 1 }), refresh: 'old' });
    await settings.open();

    await expect(login.username).toBeVisible();
    await expect(page).toHaveURL(`${world.origin('app')}/login`);
    expect(await cookies.names()).toEqual([]);
    expect(await world.calls()).toEqual([]);
  });
});

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
      const another = JSON.stringify({ authenticated: await world.tokensFor(people.sam, readyPassword) });
      await cookies.leaveSession(await world.tokensFor(people.ada, readyPassword));
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
    await world.account({
      username: 'wide@payments.example',
      email: 'wide@payments.example',
      firstName: 'Wide',
      lastName: 'Andersen',
      password,
      methods: [{ method: 'basic' }],
      personas: { ledger: Array.from({ length: 40 }, () => ({ applicationUrl })) },
      mfa: null,
      mustSetUpMfa: false,
      lastReset: null,
    });
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
    await login.signInAs(people.ada, password);

    await login.expectLoginError(fallback);
    await expect(page).toHaveURL(`${world.origin('app')}/login`);
    expect(await world.calls(tokenCall)).toHaveLength(1);
  });
});

function sessionOf(token: string): string {
  return JSON.stringify({ authenticated: { token, refresh: 'r' } });
}
