import * as v from 'valibot';
import { cookieName } from './support/familyCookies';
import { password, users, refreshCall } from './support/users';
import { offers } from './support/runEnvironment';
import { expect, test } from './support/test';
import type { LocalEnvironment } from './support/environment';

const revokeCall = 'POST /auth/v1/revoke';
const [refreshMethod = '', refreshPath = ''] = refreshCall.split(' ');

/** Status of a call with a bearer. */
async function asBearer(environment: LocalEnvironment, token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  const { status } = await environment.request('api', { method: 'GET', path: '/mfa/v1/authy-info', headers });
  return status;
}

async function refreshWith(environment: LocalEnvironment, refresh: string): Promise<number> {
  const { status } = await environment.request('api', {
    method: refreshMethod,
    path: refreshPath,
    body: { refresh },
  });
  return status;
}

test.describe('Signing out', () => {
  test.skip(!offers('revoke'), 'It is an extension.');
  test('ends the session at the service, and those of magic links: their tokens are rejected', async ({
    page,
    environment,
    cookies,
    login,
    settings,
  }) => {
    const session = await environment.tokensFor(users.several, password);
    await cookies.leaveSession(session);
    const { url } = await environment.link({ kind: 'magic', username: users.several, application: 'ledger' });
    await page.goto(url);
    await expect(page).toHaveURL(/magiclink=/);
    const magicName = (await cookies.names()).find((name) => /-session-[0-9a-f]{64}$/.test(name));
    const magic = v.parse(
      v.object({ token: v.string(), refreshToken: v.string() }),
      JSON.parse((await cookies.read(magicName ?? '')) ?? 'null'),
    );
    await settings.open();
    await settings.expectOpen();
    // 404: there is no phone; the bearer is accepted.
    expect([await asBearer(environment, session.token), await asBearer(environment, magic.token)]).toEqual([
      404, 404,
    ]);

    await settings.logoutButton.click();
    await expect(login.username).toBeVisible();
    expect(await cookies.names()).toEqual([]);
    await expect
      .poll(async () => (await environment.calls(revokeCall)).map(({ status }) => status))
      .toEqual([200, 200]);
    expect(await environment.bodies(revokeCall)).toEqual(
      expect.arrayContaining([{ refresh: session.refresh }, { refresh: magic.refreshToken }]),
    );
    for (const token of [session.token, magic.token]) expect(await asBearer(environment, token)).toBe(401);
    for (const refresh of [session.refresh, magic.refreshToken])
      expect(await refreshWith(environment, refresh)).toBe(401);
  });

  test('is still sent when the tab is closed with the press', async ({
    page,
    environment,
    cookies,
    settings,
    signedInAs,
  }) => {
    await signedInAs(users.several);
    const refresh = await cookies.read(cookieName.refresh);
    await settings.open();
    await settings.expectOpen();
    await settings.logoutButton.click();
    await page.close();

    await expect.poll(async () => await environment.bodies(revokeCall)).toEqual([{ refresh }]);
  });
});
