import { cookieName } from './support/familyCookies';
import { users } from './support/users';
import { expect, test } from './support/test';

test.describe('The account settings', () => {
  test('load the account once, with the session’s token', async ({
    environment,
    cookies,
    settings,
    atSettings,
  }) => {
    await atSettings(users.several);
    await settings.expectLastChange('March 5th, 2026 at 9:07 am');
    await expect(
      settings.main.getByRole('heading', { name: '2-Step Verification', exact: true }),
    ).toBeVisible();
    await expect(settings.main.getByText('active', { exact: true })).toBeHidden();

    const session = (await cookies.read(cookieName.session)) ?? '';
    const calls = (await environment.calls()).filter(({ path }) => path.startsWith('/user-management/'));
    expect(calls.map(({ method, status }) => `${method} ${String(status)}`)).toEqual(['GET 200']);
    expect(calls[0]?.path).toMatch(/^\/user-management\/v1\/users\/[^/?]+$/);
    expect(session).toContain(
      `"token":"${(calls[0]?.headers['authorization'] ?? '').replace('Bearer ', '')}"`,
    );
  });
});
