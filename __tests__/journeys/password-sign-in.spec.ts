import { cookieName } from './support/familyCookies';
import { methodCall, password, users, tokenCall } from './support/users';
import { expect, test } from './support/test';

test.describe('Signing in with a password', () => {
  test('with one application opens it: two calls, two cookies, no secret in an address', async ({
    page,
    environment,
    cookies,
    login,
    ledger,
  }) => {
    const addresses: string[] = [];
    page.on('request', (request) => addresses.push(request.url()));
    await login.open('?application=ledger');
    await login.signInAs(users.ada, password);
    await ledger.expectSignedIn('Ada');
    await expect(page.getByText(users.ada, { exact: true }).first()).toBeVisible();

    const calls = await environment.calls();
    expect(calls.map(({ method, path, status }) => `${method} ${path} ${String(status)}`)).toEqual([
      `${methodCall(users.ada)} 200`,
      `${tokenCall} 200`,
    ]);
    for (const { method, headers } of calls) {
      expect(headers, method).not.toHaveProperty('cookie');
      expect(headers, method).not.toHaveProperty('authorization');
      expect(headers, method).not.toHaveProperty('referer');
      expect(headers['origin'], method).toBe(environment.origin('app'));
    }
    expect(await environment.bodies(tokenCall)).toEqual([{ username: users.ada, method: 'basic', password }]);
    expect(addresses.filter((address) => address.includes(password))).toEqual([]);

    const family = { domain: '.payments.localhost', path: '/', expires: -1, sameSite: 'Lax' };
    expect(await cookies.find(cookieName.session)).toMatchObject(family);
    expect(await cookies.find(cookieName.refresh)).toMatchObject(family);
    expect(JSON.parse((await cookies.read(cookieName.session)) ?? '')).toEqual({
      authenticated: {
        token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
        refresh: await cookies.read(cookieName.refresh),
      },
    });
    expect(await cookies.names()).toEqual([cookieName.session, cookieName.refresh]);
  });
});
