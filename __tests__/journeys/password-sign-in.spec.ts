import * as v from 'valibot';
import { cookieName } from './support/familyCookies';
import { methodCall, password, people, tokenCall } from './support/people';
import { expect, test } from './support/test';

test.describe('Signing in with a password', () => {
  test('somebody with one application lands in it, signed in', async ({ page, world, login, ledger }) => {
    await login.open();
    await login.signInAs(people.ada, password);

    await ledger.expectSignedIn('Ada');
    await expect(page.getByText(people.ada, { exact: true }).first()).toBeVisible();
    expect(
      (await world.calls()).map(({ method, path, status }) => `${method} ${path} ${String(status)}`),
    ).toEqual([`${methodCall(people.ada)} 200`, `${tokenCall} 200`]);
    expect(await world.bodies(tokenCall)).toEqual([{ username: people.ada, method: 'basic', password }]);
  });

  test('the calls carry no cookie, no bearer and no address of a page', async ({ world, login, ledger }) => {
    await login.open('?application=ledger');
    await login.signInAs(people.ada, password);
    await ledger.expectSignedIn('Ada');

    for (const { method, headers } of await world.calls()) {
      expect(headers, method).not.toHaveProperty('cookie');
      expect(headers, method).not.toHaveProperty('authorization');
      expect(headers, method).not.toHaveProperty('referer');
      expect(headers['origin'], method).toBe(world.origin('app'));
    }
  });

  test('the session is in the cookies that the whole family reads', async ({ cookies, login, ledger }) => {
    await login.open();
    await login.signInAs(people.ada, password);
    await ledger.expectSignedIn('Ada');

    const session = await cookies.find(cookieName.session);
    const refresh = await cookies.read(cookieName.refresh);
    expect(session).toMatchObject({ domain: '.payments.localhost', path: '/', expires: -1, sameSite: 'Lax' });
    expect(await cookies.find(cookieName.refresh)).toMatchObject({
      domain: '.payments.localhost',
      expires: -1,
    });
    expect(JSON.parse((await cookies.read(cookieName.session)) ?? '')).toEqual({
      authenticated: { token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/), refresh },
    });
    expect(await cookies.names()).toEqual([cookieName.session, cookieName.refresh]);
  });

  test('somebody with several applications lands on the account settings', async ({
    page,
    world,
    login,
    settings,
  }) => {
    await login.open();
    await login.signInAs(people.sam, password);

    await settings.expectOpen();
    await settings.expectLastChange('March 5th, 2026 at 9:07 am');
    await expect(page.getByText('You have never changed your password')).toBeHidden();
    expect(await world.bodies(tokenCall)).toEqual([{ username: people.sam, method: 'basic', password }]);
  });

  test('the trust of this device goes along with the password', async ({ world, cookies, login, ledger }) => {
    const trusted = 'eyJhbGciOiJFUzI1NiJ9.eyJleHAiOjQxMDI0NDQ4MDB9.c2lnbmF0dXJl';
    await cookies.leave(cookieName.trust(people.ada), trusted);
    await cookies.leave(cookieName.trust(people.sam), 'another-persons');
    await login.open();
    await login.signInAs(people.ada, password);

    await ledger.expectSignedIn('Ada');
    expect(await world.bodies(tokenCall)).toEqual([
      { username: people.ada, method: 'basic', password, trustedJWT: trusted },
    ]);
  });

  test('an account without applications cannot sign in', async ({ page, cookies, login, pageFaults }) => {
    pageFaults.allow(/^vestibule: sign-in refused Error: create relation in db/);
    await login.open();
    await login.signInAs(people.nora, password);

    await login.expectLoginError('create relation in db');
    expect(await cookies.names()).toEqual([]);
    await login.closeLoginError();
    await expect(page).toHaveURL(/\/login$/);
    await expect(login.password).toHaveValue('');
  });

  test('somebody who must set up two-step verification first lands on the account settings in setup mode', async ({
    world,
    cookies,
    login,
    settings,
  }) => {
    await login.open();
    await login.signInAs(people.suki, password);

    await settings.expectOpen();
    const setup = await cookies.find(cookieName.setup);
    expect(setup).toMatchObject({ domain: '.payments.localhost', path: '/', expires: -1 });
    const { mfaToken } = v.parse(
      v.strictObject({ mfaToken: v.string() }),
      JSON.parse((await cookies.read(cookieName.setup)) ?? ''),
    );
    expect(await cookies.names()).toEqual([cookieName.setup]);
    const user = (await world.calls()).find(({ path }) => path.startsWith('/user-management/v1/users/'));
    expect(user?.headers['authorization']).toBe(`Bearer ${mfaToken}`);
    expect(user?.status).toBe(200);
  });

  for (const username of [people.tess, people.theo]) {
    test(`${username}, who has two-step verification, goes on to /two-auth`, async ({
      page,
      world,
      cookies,
      login,
    }) => {
      await login.open();
      await login.signInAs(username, password);

      await expect(page).toHaveURL(`${world.origin('app')}/two-auth`);
      await expect(page.getByRole('heading', { name: 'Enter MFA Code' })).toBeVisible();
      expect(await cookies.names()).toEqual([]);
      expect(await world.bodies(tokenCall)).toEqual([{ username, method: 'basic', password }]);
    });
  }
});
